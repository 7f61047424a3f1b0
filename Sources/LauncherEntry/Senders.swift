// SPDX-License-Identifier: MIT
public import BadgeCore
public import EventLoop

/// What every connected sender has announced for every app, and what each app's badge shows for it.
///
/// A value that does no I/O. Updates are merged per sender and app. The sender whose announcement
/// for an app changed last is the one shown; when it disconnects, the one before it takes over. A
/// sender that exceeds its rate is accepted less often, but its last announcement always gets through.
public struct Senders {
  /// How many apps one sender can announce.
  public static let maximumAppsOfSender = LauncherLimits.appsPerSender

  /// How many apps can be announced in all.
  public static let maximumApps = LauncherLimits.apps

  /// How many pairs of sender and app are kept in all.
  public static let maximumPairs = LauncherLimits.pairs

  /// The result of an update.
  public enum Outcome: Hashable, Sendable {
    /// `announcement(for:)` of this app id is up to date.
    case announced(String)
    /// The sender exceeds its rate; the update is kept for `releaseDue(now:)`.
    case postponed
    /// The update was refused.
    case refused(Refusal)
  }

  /// Why an update was refused.
  public enum Refusal: Hashable, Sendable {
    /// The URI names no app.
    case invalidURI
    /// The sender announces as many apps as one may.
    case tooManyAppsOfSender
    /// As many apps are announced as there may be.
    case tooManyApps
  }

  private let fullBucket: TokenBucket
  private var senders: [String: Sender] = [:]
  /// The senders of each app by id: those of which nothing was accepted yet, then the others, the
  /// latest last.
  private var sendersByApp: [String: [String]] = [:]
  private var pairs = 0
  private var lastOrdinal: Int64 = 0
  private var sendersWithPending: Set<String> = []
  /// What changed since the last `takeChanges()`.
  private var unsaved: Set<Key> = []

  /// How many updates a sender may send at once.
  public static let burst = LauncherLimits.burst

  /// How many updates a second are accepted of a sender after that.
  public static let rate = LauncherLimits.rate

  /// No senders; each may send `burst` updates at once and `rate` a second.
  public init(burst: Int = Self.burst, rate: Int = Self.rate) {
    fullBucket = TokenBucket(capacity: burst, rate: rate)
  }

  /// Merges an update that `sender` sent for `uri`; `resolve` returns the app's id.
  public mutating func apply(
    _ update: AppAnnouncement,
    to uri: String,
    from sender: String,
    now: Instant,
    resolve: (ApplicationURI) -> String
  ) -> Outcome {
    // Taken out of the table while it changes, or Swift would copy it.
    var state = senders.removeValue(forKey: sender) ?? Sender(bucket: fullBucket)
    defer { senders[sender] = state }
    let id: String
    guard uri.utf8.count <= ApplicationURI.maximumLength else { return .refused(.invalidURI) }
    if let known = state.idByURI[uri] {
      id = known
    } else {
      guard let application = ApplicationURI(uri) else { return .refused(.invalidURI) }
      id = resolve(application)
      if let refusal = admit(sender, to: id, as: application, in: &state) {
        return .refused(refusal)
      }
      remember(uri, for: id, in: &state)
    }
    state.announcements[id]?.merged.merge(update)
    if state.announcements[id]?.isPending == true { return .postponed }
    guard state.bucket.take(now: now) else {
      state.announcements[id]?.isPending = true
      state.pending.append(id)
      sendersWithPending.insert(sender)
      return .postponed
    }
    accept(sender, for: id, in: &state)
    return .announced(id)
  }

  /// Forgets a sender that has disconnected.
  ///
  /// - Returns: The ids of the apps that now show something else, or nothing.
  public mutating func remove(sender: String) -> [String] {
    guard let state = senders[sender] else { return [] }
    let changed = state.announcements.keys.filter { shownSender(of: $0) == sender }
    senders[sender] = nil
    sendersWithPending.remove(sender)
    pairs -= state.announcements.count
    for id in state.announcements.keys {
      unsaved.insert(Key(sender: sender, app: id))
      dropSender(sender, of: id)
    }
    return changed.sorted()
  }

  /// Accepts the postponed updates whose senders may send again.
  ///
  /// - Returns: The ids of the apps whose `announcement(for:)` may have changed.
  public mutating func releaseDue(now: Instant) -> [String] {
    var released: Set<String> = []
    for name in sendersWithPending {
      guard var state = senders.removeValue(forKey: name) else { continue }
      var taken = 0
      while taken < state.pending.count, state.bucket.take(now: now) {
        let id = state.pending[taken]
        taken += 1
        state.announcements[id]?.isPending = false
        accept(name, for: id, in: &state)
        released.insert(id)
      }
      state.pending.removeFirst(taken)
      if state.pending.isEmpty { sendersWithPending.remove(name) }
      senders[name] = state
    }
    return released.sorted()
  }

  /// When to call `releaseDue(now:)` next; nil when nothing is postponed.
  public func nextRelease(now: Instant) -> Instant? {
    sendersWithPending.lazy.compactMap { senders[$0]?.bucket.nextToken(now: now) }.min()
  }

  /// Adds an app that the sender has not announced before, within the limits.
  private mutating func admit(
    _ sender: String,
    to id: String,
    as application: ApplicationURI,
    in state: inout Sender
  ) -> Refusal? {
    guard state.announcements[id] == nil else { return nil }
    guard state.announcements.count < Self.maximumAppsOfSender else { return .tooManyAppsOfSender }
    guard pairs < Self.maximumPairs,
      sendersByApp[id] != nil || sendersByApp.count < Self.maximumApps
    else {
      return .tooManyApps
    }
    pairs += 1
    state.announcements[id] = SentAnnouncement(application: application)
    sendersByApp[id, default: []].insert(sender, at: 0)
    return nil
  }

  /// Caches the id of a spelling; the cache stays about as small as the number of apps.
  private func remember(_ uri: String, for id: String, in state: inout Sender) {
    guard uri.utf8.count <= LauncherLimits.rememberedSpellingBytes else { return }
    if state.idByURI.count >= 2 * state.announcements.count + 2 { state.idByURI = [:] }
    state.idByURI[uri] = id
  }

  /// Accepts what a sender has announced for an app, which makes it the app's latest sender.
  private mutating func accept(_ sender: String, for id: String, in state: inout Sender) {
    guard var sent = state.announcements[id] else { return }
    // libunity repeats itself for each new owner of its name; that must not displace a later sender.
    guard sent.accepted != sent.merged else { return }
    lastOrdinal += 1
    sent.ordinal = lastOrdinal
    sent.accepted = sent.merged
    state.announcements[id] = sent
    sendersByApp[id]?.removeAll { $0 == sender }
    sendersByApp[id, default: []].append(sender)
    unsaved.insert(Key(sender: sender, app: id))
  }

  /// What the app of this id shows; nil where no connected sender announces it.
  public func announcement(for id: String) -> AppAnnouncement? {
    shownSender(of: id).flatMap { senders[$0]?.announcements[id]?.accepted }
  }

  /// The ids of all announced apps, sorted.
  public var ids: [String] { sendersByApp.keys.sorted() }

  /// Whether the tables agree with one another; the fuzzer asks.
  var isConsistent: Bool {
    let count = senders.values.reduce(0) { $0 + $1.announcements.count }
    let areIndexed = sendersByApp.allSatisfy { id, names in
      !names.isEmpty && Set(names).count == names.count
        && names.allSatisfy { senders[$0]?.announcements[id] != nil }
    }
    let arePending = senders.allSatisfy { name, sender in
      Set(sender.pending) == Set(sender.announcements.filter(\.value.isPending).keys)
        && (sender.pending.isEmpty || sendersWithPending.contains(name))
    }
    return pairs == count && areIndexed && arePending
  }

  /// The URIs whose ids are cached for a sender.
  func cachedURIs(of sender: String) -> [String] {
    senders[sender].map { Array($0.idByURI.keys) } ?? []
  }

  /// Whether anything is kept of the sender with this unique name.
  public func knows(sender: String) -> Bool { senders[sender] != nil }

  /// Whether this is the first complaint about `sender`: one line in the log is enough.
  public mutating func isFirstReport(of sender: String) -> Bool {
    guard senders[sender]?.isReported != true else { return false }
    senders[sender, default: Sender(bucket: fullBucket)].isReported = true
    return true
  }

  /// Resolves every URI again, since desktop files were added or removed.
  ///
  /// - Returns: The ids of the apps whose `announcement(for:)` may have changed.
  public mutating func resolveAgain(_ resolve: (ApplicationURI) -> String) -> [String] {
    var changed: Set<String> = []
    for (name, state) in senders {
      var announcements: [String: SentAnnouncement] = [:]
      for (id, moving) in state.announcements.sorted(by: { $0.value.ordinal < $1.value.ordinal }) {
        let newID = resolve(moving.application)
        if newID != id {
          changed.formUnion([id, newID])
          unsaved.formUnion([Key(sender: name, app: id), Key(sender: name, app: newID)])
        }
        // Of two that now mean the same app the later one stays.
        if announcements.updateValue(moving, forKey: newID) != nil { pairs -= 1 }
      }
      senders[name]?.announcements = announcements
      senders[name]?.idByURI = [:]
      senders[name]?.pending = announcements.filter(\.value.isPending).keys.sorted()
    }
    for id in changed { rankSenders(of: id) }
    return changed.sorted()
  }

  /// The sender whose announcement the app shows.
  private func shownSender(of id: String) -> String? {
    sendersByApp[id]?.last { senders[$0]?.announcements[id]?.accepted != nil }
  }

  /// Rebuilds the order of an app's senders.
  private mutating func rankSenders(of id: String) {
    let ranked = senders.compactMap { name, state in
      state.announcements[id].map { ($0.ordinal, name) }
    }
    sendersByApp[id] = ranked.isEmpty ? nil : ranked.sorted { $0 < $1 }.map(\.1)
  }

  /// Identifies a record.
  public struct Key: Hashable, Comparable, Sendable {
    /// The sender's unique name.
    public let sender: String
    /// The id of the app.
    public let app: String

    /// The key of what `sender` announced for `app`.
    public init(sender: String, app: String) {
      self.sender = sender
      self.app = app
    }

    /// Whether `left` comes before `right`.
    public static func < (left: Key, right: Key) -> Bool {
      (left.sender, left.app) < (right.sender, right.app)
    }
  }

  /// What a sender has announced for an app, which must survive a restart of the daemon.
  ///
  /// Valid only on the bus it was received on, while the sender is connected.
  public struct Record: Hashable, Sendable {
    /// All of its updates, merged.
    public var announcement: AppAnnouncement
    /// Higher for what was announced later.
    public var ordinal: Int64

    /// A record of these parts.
    public init(announcement: AppAnnouncement, ordinal: Int64) {
      self.announcement = announcement
      self.ordinal = ordinal
    }
  }

  /// The records that changed since the last call; nil for one to be deleted.
  public mutating func takeChanges() -> [Key: Record?] {
    guard !unsaved.isEmpty else { return [:] }
    defer { unsaved = [] }
    var changes: [Key: Record?] = [:]
    for key in unsaved {
      if let sent = senders[key.sender]?.announcements[key.app], let accepted = sent.accepted {
        changes[key] = .some(Record(announcement: accepted, ordinal: sent.ordinal))
      } else {
        changes[key] = .some(nil)
      }
    }
    return changes
  }

  /// Restores the stored records of senders that are still connected.
  ///
  /// Records beyond the limits, or whose app is no id, are dropped. Apps keep their stored ids until
  /// `resolveAgain`.
  ///
  /// - Returns: The ids of the apps whose `announcement(for:)` may have changed.
  public mutating func restore(_ records: [Key: Record]) -> [String] {
    var restored: Set<String> = []
    for (key, record) in records.sorted(by: { $0.value.ordinal < $1.value.ordinal }) {
      guard let application = ApplicationURI(key.app) else { continue }
      var state = senders.removeValue(forKey: key.sender) ?? Sender(bucket: fullBucket)
      defer { senders[key.sender] = state }
      guard admit(key.sender, to: key.app, as: application, in: &state) == nil else { continue }
      // A file may hold any ordinal; the next one must not overflow.
      let ordinal = min(max(record.ordinal, 0), 1 << 62)
      lastOrdinal = max(lastOrdinal, ordinal)
      state.announcements[key.app]?.merged = record.announcement
      state.announcements[key.app]?.accepted = record.announcement
      state.announcements[key.app]?.ordinal = ordinal
      restored.insert(key.app)
    }
    for id in restored { rankSenders(of: id) }
    return restored.sorted()
  }

  /// Forgets the announcements of apps whose badges were removed, to make place for another app.
  ///
  /// Such an app can announce itself again like a new one.
  ///
  /// - Parameters:
  ///   - ids: The apps.
  ///   - sender: Whose announcements; nil for every sender's.
  /// - Returns: Those of the ids that had been announced.
  public mutating func forget(_ ids: [String], of sender: String? = nil) -> [String] {
    var forgotten: [String] = []
    for id in ids {
      let matching = (sendersByApp[id] ?? []).filter { sender == nil || sender == $0 }
      for name in matching { forget(id, of: name) }
      if !matching.isEmpty { forgotten.append(id) }
    }
    return forgotten
  }

  private mutating func forget(_ id: String, of sender: String) {
    // Taken out of the table while it changes, or Swift would copy it.
    guard var state = senders.removeValue(forKey: sender) else { return }
    defer { senders[sender] = state }
    guard state.announcements.removeValue(forKey: id) != nil else { return }
    pairs -= 1
    for (spelling, known) in state.idByURI where known == id {
      state.idByURI[spelling] = nil
    }
    state.pending.removeAll { $0 == id }
    if state.pending.isEmpty { sendersWithPending.remove(sender) }
    dropSender(sender, of: id)
    unsaved.insert(Key(sender: sender, app: id))
  }

  /// Removes a sender from those of an app.
  private mutating func dropSender(_ sender: String, of id: String) {
    sendersByApp[id]?.removeAll { $0 == sender }
    if sendersByApp[id]?.isEmpty == true { sendersByApp[id] = nil }
  }
}

/// What one sender announced for one app.
private struct SentAnnouncement {
  let application: ApplicationURI

  /// All updates, merged.
  var merged = AppAnnouncement()
  /// The part that was accepted: all of it, unless the sender exceeds its rate; nil before the first.
  var accepted: AppAnnouncement?
  /// Higher for what was accepted later; 0 before the first.
  var ordinal: Int64 = 0
  /// Whether an update is postponed.
  var isPending = false
}

/// One sender: its announcements by app id, and its rate limit.
private struct Sender {
  var announcements: [String: SentAnnouncement] = [:]
  var idByURI: [String: String] = [:]
  var bucket: TokenBucket
  /// The ids of the apps with postponed updates, the oldest first.
  var pending: [String] = []
  /// Whether the log has a line about it.
  var isReported = false
}
