// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import EventLoop

/// Where the publisher's signals go.
protocol ChangeSink: AnyObject {
  /// How many bytes were sent that the bus has not read.
  var unreadBytes: Int { get }

  /// Says that a badge is new or differs.
  func send(_ notice: ChangedNotice)

  /// Says that a badge is gone.
  func send(_ notice: RemovedNotice)
}

/// What one Changed says.
struct ChangedNotice {
  var id: BadgeID
  var old: Appearance?
  var new: Appearance
  /// The keys that differ; all of them for a new badge.
  var keys: BadgeKeySet
  var hint: AnimationHint
  var revision: UInt64
  /// The instant of the signal, from which `ttl` is told.
  var now: Int64
}

/// What one Removed says.
struct RemovedNotice {
  var id: BadgeID
  var old: Appearance
  var reason: RemovalReason
  var hint: AnimationHint
  var revision: UInt64
}

/// Decides which signal goes when.
///
/// It remembers what subscribers last saw of each badge that changed of late, and works out event,
/// hint and revision from that and the book when a signal is due, so that a badge that changed ten
/// times is one signal and a change undone is none. Badges at rest cost nothing: what subscribers
/// saw of them is what the book holds.
///
/// A lone change goes at the end of its turn. While changes pour in each badge is signalled at most
/// once a frame, with its last state. A removal never waits.
final class FramePublisher {
  private unowned let sink: any ChangeSink
  /// The badges that changed of late, in the order they came.
  private var recent: [Subject] = []
  /// The same by id, once they are more than a few.
  private var index: [BadgeID: Subject] = [:]
  private var waiting = 0
  private var removals = 0
  /// Before this nothing that waits is due, but for removals, in nanoseconds.
  private var firstDue = Int64.max
  /// Before this no badge is forgotten, in nanoseconds.
  private var nextForgetting = Int64.min
  private var pacer = FramePacer()

  /// How many Changed and Removed there were.
  private(set) var revision: UInt64 = 0

  /// What the badges that subscribers saw add up to.
  private(set) var signalled = Tally()

  /// Whether hints may name an animation.
  var animating = true

  /// A publisher for a book that is empty until ``begin(with:)``.
  init(sink: any ChangeSink) {
    self.sink = sink
  }

  /// Takes what the book holds as what subscribers see: there are none yet.
  func begin(with book: BadgeBook) {
    recent = []
    index = [:]
    (waiting, removals, firstDue) = (0, 0, .max)
    signalled = Tally(book)
  }

  /// How many badges are remembered, since they changed of late.
  var rememberedCount: Int { recent.count }

  /// Whether a change waits for its frame.
  var isWaiting: Bool { waiting > 0 }

  /// Remembers what subscribers saw of the badge `id`: to be called before the book changes it.
  @discardableResult
  func prepare(_ id: BadgeID, in book: BadgeBook) -> Subject {
    if let subject = subject(id) { return subject }
    let old = book[id].map { Appearance(badge: $0, isQuiet: book.isQuiet) }
    let subject = Subject(id: id, signalled: old)
    recent.append(subject)
    if !index.isEmpty {
      index[id] = subject
    } else if recent.count > Self.fewSubjects {
      for subject in recent { index[subject.id] = subject }
    }
    return subject
  }

  /// So many are looked through faster than an id is hashed.
  private static let fewSubjects = 8

  private func subject(_ id: BadgeID) -> Subject? {
    if !index.isEmpty { return index[id] }
    return recent.first { $0.id == id }
  }

  /// Notes that the badge may differ.
  func note(_ subject: Subject) {
    guard !subject.isWaiting else { return }
    subject.isWaiting = true
    waiting += 1
    firstDue = min(firstDue, subject.due)
  }

  /// Notes that the badge is gone; whatever it is after is a new one.
  func note(_ subject: Subject, removed reason: RemovalReason) {
    note(subject)
    guard subject.removal == nil, subject.signalled != nil else { return }
    subject.removal = reason
    removals += 1
  }

  /// Sends what is due at `now`.
  ///
  /// - Returns: When to come again, where something waits.
  func publish(_ book: BadgeBook, at now: Instant) -> Instant? {
    guard !recent.isEmpty else { return nil }
    var next = Int64.max
    if waiting > 0 {
      let mayStart = pacer.mayStart(at: now) { sink.unreadBytes }
      if removals > 0 || (mayStart && firstDue <= now.nanoseconds) { sendDue(book, now, mayStart) }
      next = mayStart ? firstDue : pacer.nextLook.nanoseconds
    }
    if nextForgetting <= now.nanoseconds { forgetResting(at: now) }
    return waiting > 0 ? Instant(nanoseconds: max(next, now.nanoseconds + 1)) : nil
  }

  /// Sends the removals, and if a frame may start what is due.
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

  /// Sends at once all that waits: everything is about to be read, or the end has come.
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
      RemovedNotice(id: subject.id, old: old, reason: reason, hint: hint, revision: revision)
    )
  }

  private func sendChanged(_ subject: Subject, _ book: BadgeBook, _ now: Instant) {
    settle(subject)
    guard let badge = book[subject.id] else { return }
    let old = subject.signalled
    let new = Appearance(badge: badge, isQuiet: book.isQuiet)
    subject.signalled = new
    let keys = new.changedKeys(from: old)
    guard !keys.isEmpty else { return }
    subject.changedAt = now.nanoseconds
    revision += 1
    if let old { signalled.subtract(old) }
    signalled.add(new)
    let hint = AnimationHint(from: old, to: new, animating: animating)
    sink.send(
      ChangedNotice(
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

  /// Drops the subjects of which nothing waits and whose frame is over.
  private func forgetResting(at now: Instant) {
    nextForgetting = now.nanoseconds + ServiceLimits.frame
    let end = now.nanoseconds - ServiceLimits.frame
    recent.removeAll { subject in
      guard !subject.isWaiting, subject.changedAt <= end else { return false }
      if !index.isEmpty { index[subject.id] = nil }
      return true
    }
  }
}

/// A badge that changed of late, as subscribers know it.
final class Subject {
  let id: BadgeID
  /// What they saw last; nil where they know of no badge.
  fileprivate(set) var signalled: Appearance?
  /// Why the badge they know is gone, until they are told.
  fileprivate(set) var removal: RemovalReason?
  /// When Changed was last sent, in nanoseconds.
  fileprivate(set) var changedAt = Int64.min / 2
  fileprivate(set) var isWaiting = false
  /// When the next Changed may be sent, in nanoseconds.
  fileprivate var due: Int64 { changedAt + ServiceLimits.frame }
  /// Whether the service's listener is to be told of it in this turn.
  var isTouched = false

  fileprivate init(id: BadgeID, signalled: Appearance?) {
    self.id = id
    self.signalled = signalled
  }
}
