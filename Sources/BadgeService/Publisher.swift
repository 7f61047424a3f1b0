// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import EventLoop

/// Where the publisher's signals go.
protocol SignalSink: AnyObject {
  /// How many bytes have been sent that the bus has not read yet.
  var unreadBytes: Int { get }

  func send(_ signal: ChangedSignal)
  func send(_ signal: RemovedSignal)
}

/// One Changed: a badge is new or differs.
struct ChangedSignal {
  var id: BadgeID
  var old: BadgeAppearance?
  var new: BadgeAppearance
  /// The keys that differ; all of them for a new badge.
  var keys: BadgeKeySet
  var hint: AnimationHint
  var revision: UInt64
  /// The instant that `ttl` counts from.
  var now: Int64
}

/// One Removed: a badge is gone.
struct RemovedSignal {
  var id: BadgeID
  var old: BadgeAppearance
  var reason: RemovalReason
  var hint: AnimationHint
  var revision: UInt64
}

/// Decides which signal is sent when.
///
/// It remembers what subscribers last saw of each badge that changed recently, and derives event,
/// hint and revision from that and the book when a signal is due. So ten changes of a badge are one
/// signal, and a change that was undone is none. A badge at rest costs nothing: subscribers have seen
/// what the book holds.
///
/// A single change is signalled at the end of its turn. While changes pour in, each badge is
/// signalled at most once a frame, with its latest state. A removal never waits.
final class Publisher {
  /// The least time between two Changed of a badge, in nanoseconds.
  static let frame: Int64 = 16_000_000

  private unowned let sink: any SignalSink
  /// The badges that changed recently, oldest first.
  private var recent: [Subject] = []
  /// The same by id, once there are more than a few.
  private var index: [BadgeID: Subject] = [:]
  /// The badges marked since the last ``takeMarkedIDs()``.
  private var marked: [Subject] = []
  private var waiting = 0
  private var removals = 0
  /// No Changed that waits is due before this, in nanoseconds.
  private var firstDue = Int64.max
  /// When to forget badges at rest again, in nanoseconds.
  private var nextForgetting = Int64.min
  private var pacer = FramePacer()

  /// How many Changed and Removed have been sent.
  private(set) var revision: UInt64 = 0

  /// The totals of the badges as subscribers saw them.
  private(set) var signalled = SignalledTotals()

  /// Whether hints may name an animation.
  var animating = true

  /// A publisher for a book that is empty until ``begin(with:)``.
  init(sink: any SignalSink) {
    self.sink = sink
  }

  /// Starts from what the book holds: there are no subscribers yet who saw anything else.
  func begin(with book: BadgeBook) {
    recent = []
    index = [:]
    marked = []
    (waiting, removals, firstDue) = (0, 0, .max)
    signalled = SignalledTotals()
    for badge in book.badges { signalled.add(BadgeAppearance(badge: badge, isQuiet: book.isQuiet)) }
  }

  /// How many badges are remembered because they changed recently.
  var rememberedCount: Int { recent.count }

  /// Whether a change waits for its frame.
  var isWaiting: Bool { waiting > 0 }

  /// Remembers what subscribers saw of the badge `id`; to be called before the book changes it.
  @discardableResult
  func prepare(_ id: BadgeID, in book: BadgeBook) -> Subject {
    if let subject = subject(id) { return subject }
    let old = book[id].map { BadgeAppearance(badge: $0, isQuiet: book.isQuiet) }
    let subject = Subject(id: id, signalled: old)
    recent.append(subject)
    if !index.isEmpty {
      index[id] = subject
    } else if recent.count > Self.linearSearchLimit {
      for subject in recent { index[subject.id] = subject }
    }
    return subject
  }

  /// Up to so many subjects, a linear search is faster than hashing an id.
  private static let linearSearchLimit = 8

  private func subject(_ id: BadgeID) -> Subject? {
    if !index.isEmpty { return index[id] }
    return recent.first { $0.id == id }
  }

  /// Marks a badge that may differ from what subscribers saw.
  func markChanged(_ subject: Subject) {
    if !subject.isMarked {
      subject.isMarked = true
      marked.append(subject)
    }
    guard !subject.isWaiting else { return }
    subject.isWaiting = true
    waiting += 1
    firstDue = min(firstDue, subject.due)
  }

  /// Marks a badge that is gone; a later badge of the same id is a new one.
  func markRemoved(_ subject: Subject, _ reason: RemovalReason) {
    markChanged(subject)
    guard subject.removal == nil, subject.signalled != nil else { return }
    subject.removal = reason
    removals += 1
  }

  /// The badges marked since the last call, each once.
  func takeMarkedIDs() -> [BadgeID] {
    guard !marked.isEmpty else { return [] }
    defer { marked = [] }
    return marked.map { subject in
      subject.isMarked = false
      return subject.id
    }
  }

  /// Sends what is due at `now`.
  ///
  /// - Returns: When to call this again, if something still waits.
  func publish(_ book: BadgeBook, at now: Instant) -> Instant? {
    guard !recent.isEmpty else { return nil }
    var next = Int64.max
    if waiting > 0 {
      let mayStart = pacer.mayStart(at: now) { sink.unreadBytes }
      if removals > 0 || (mayStart && firstDue <= now.nanoseconds) { sendDue(book, now, mayStart) }
      next = mayStart ? firstDue : pacer.nextAttempt.nanoseconds
    }
    if nextForgetting <= now.nanoseconds { forgetResting(at: now) }
    return waiting > 0 ? Instant(nanoseconds: max(next, now.nanoseconds + 1)) : nil
  }

  /// Sends removals, and if a frame may start the changes that are due.
  private func sendDue(_ book: BadgeBook, _ now: Instant, _ mayStart: Bool) {
    let before = revision
    var next = Int64.max
    for subject in recent where subject.isWaiting {
      if subject.removal != nil { sendRemoved(subject) }
      if subject.signalled == nil && book[subject.id] == nil { settle(subject) }
      guard subject.isWaiting else { continue }
      if mayStart && subject.due <= now.nanoseconds {
        sendChanged(subject, book, now)
      } else {
        next = min(next, subject.due)
      }
    }
    firstDue = next
    if revision != before { pacer.didStart(at: now) }
  }

  /// Sends at once what waits for the badge `id`, which is about to be read.
  func flush(_ id: BadgeID, _ book: BadgeBook, at now: Instant) {
    guard waiting > 0, let subject = subject(id), subject.isWaiting else { return }
    sendAll(of: subject, book, now)
    pacer.didStart(at: now)
  }

  /// Sends at once everything that waits, before all badges are read or the service ends.
  func flush(_ book: BadgeBook, at now: Instant) {
    guard waiting > 0 else { return }
    for subject in recent where subject.isWaiting { sendAll(of: subject, book, now) }
    pacer.didStart(at: now)
  }

  private func sendAll(of subject: Subject, _ book: BadgeBook, _ now: Instant) {
    if subject.removal != nil { sendRemoved(subject) }
    sendChanged(subject, book, now)
  }

  private func sendRemoved(_ subject: Subject) {
    guard let reason = subject.removal, let old = subject.signalled else { return }
    subject.removal = nil
    subject.signalled = nil
    removals -= 1
    revision += 1
    signalled.subtract(old)
    let hint = AnimationHint(from: old, to: nil, animating: animating)
    sink.send(
      RemovedSignal(id: subject.id, old: old, reason: reason, hint: hint, revision: revision)
    )
  }

  private func sendChanged(_ subject: Subject, _ book: BadgeBook, _ now: Instant) {
    settle(subject)
    guard let badge = book[subject.id] else { return }
    let old = subject.signalled
    let new = BadgeAppearance(badge: badge, isQuiet: book.isQuiet)
    subject.signalled = new
    let keys = new.changedKeys(from: old)
    guard !keys.isEmpty else { return }
    subject.changedAt = now.nanoseconds
    revision += 1
    if let old { signalled.subtract(old) }
    signalled.add(new)
    let hint = AnimationHint(from: old, to: new, animating: animating)
    sink.send(
      ChangedSignal(
        id: subject.id,
        old: old,
        new: new,
        keys: keys,
        hint: hint,
        revision: revision,
        now: now.nanoseconds
      )
    )
  }

  private func settle(_ subject: Subject) {
    subject.isWaiting = false
    waiting -= 1
  }

  /// Drops the subjects for which nothing waits and whose frame is over.
  private func forgetResting(at now: Instant) {
    nextForgetting = now.nanoseconds + Self.frame
    let end = now.nanoseconds - Self.frame
    recent.removeAll { subject in
      guard !subject.isWaiting, subject.changedAt <= end else { return false }
      if !index.isEmpty { index[subject.id] = nil }
      return true
    }
  }
}

/// A badge that changed recently, as subscribers know it.
final class Subject {
  let id: BadgeID
  /// What subscribers saw last; nil where they know of no badge.
  fileprivate(set) var signalled: BadgeAppearance?
  /// Why the badge that subscribers know is gone, until Removed is sent.
  fileprivate var removal: RemovalReason?
  /// When Changed was last sent, in nanoseconds.
  fileprivate var changedAt = Int64.min / 2
  fileprivate var isWaiting = false
  fileprivate var isMarked = false
  /// When the next Changed may be sent, in nanoseconds.
  fileprivate var due: Int64 { changedAt + Publisher.frame }

  fileprivate init(id: BadgeID, signalled: BadgeAppearance?) {
    self.id = id
    self.signalled = signalled
  }
}

/// How many badges are visible, and the sum of those that show a number.
struct SignalledTotals {
  private var sum: Int128 = 0
  private(set) var visible = 0

  /// The sum, within the bounds of a count.
  var total: Int64 {
    Int64(min(max(sum, Int128(BadgeCount.minimum)), Int128(BadgeCount.maximum)))
  }

  mutating func add(_ appearance: BadgeAppearance) { count(appearance, 1) }

  mutating func subtract(_ appearance: BadgeAppearance) { count(appearance, -1) }

  private mutating func count(_ appearance: BadgeAppearance, _ sign: Int) {
    guard appearance.isVisible else { return }
    visible += sign
    if appearance.badge.kind == .number { sum += Int128(appearance.badge.count) * Int128(sign) }
  }
}

/// Says when the next frame of signals may start: not while the bus still has the last one to read,
/// and after that only following a pause, so that a slow bus gets fewer frames rather than a growing
/// queue.
///
/// A frame is whatever is signalled together. How long the bus took to read it is found by polling;
/// a single change long after the last frame finds nothing unread and is sent at once.
struct FramePacer {
  /// Bytes the bus may leave unread without counting as slow: about a turn's replies.
  static let tolerance = 12 * 1_024

  /// The longest a frame is held back, however slow the bus, in nanoseconds.
  static let longestGap: Int64 = 250_000_000

  /// The pause, as a multiple of the time the bus took for the last frame.
  static let pause: Int64 = 2

  /// How long to wait before polling a slow bus again, in nanoseconds.
  static let pollInterval: Int64 = 4_000_000

  private var start: Int64 = .min
  private var lastSeenBehind: Int64 = .min
  private var isBeingRead = false
  private var opens: Int64 = .min

  /// When to ask again after a refusal.
  private(set) var nextAttempt = Instant(nanoseconds: .min)

  /// Whether a frame may start at `now`; `unread` returns how many bytes the bus has yet to read.
  mutating func mayStart(at now: Instant, unread: () -> Int) -> Bool {
    if isBeingRead {
      if now.nanoseconds < start + Self.longestGap && unread() > Self.tolerance {
        lastSeenBehind = now.nanoseconds
        nextAttempt = now.advanced(byNanoseconds: Self.pollInterval)
        return false
      }
      isBeingRead = false
      let took = max(lastSeenBehind, start) - start
      opens = start + min(took * (1 + Self.pause), Self.longestGap)
    }
    nextAttempt = Instant(nanoseconds: opens)
    return now.nanoseconds >= opens
  }

  /// Records that a frame was sent at `now`.
  mutating func didStart(at now: Instant) {
    start = now.nanoseconds
    lastSeenBehind = .min
    isBeingRead = true
  }
}
