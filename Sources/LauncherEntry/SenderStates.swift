// SPDX-License-Identifier: MIT
public import EventLoop

/// What every living sender has said of every app, and what follows for each app's badge.
///
/// A value that never speaks to anyone. Partial updates are merged for each sender and app. The
/// sender that last said something new of an app is the one that shows; when it goes, the one before
/// it does. A sender that speaks too fast is heard less often, and its last word is always heard.
public struct SenderStates {
  /// How many apps one sender can speak for.
  public static let maximumAppsOfSender = LauncherLimits.appsPerSender

  /// How many apps are spoken for in all.
  public static let maximumApps = LauncherLimits.apps

  /// How many pairs of sender and app are remembered in all.
  public static let maximumPairs = LauncherLimits.pairs

  /// What an update led to.
  public enum Outcome: Hashable, Sendable {
    /// Now `announcement(for:)` is what the app of this id says.
    case announced(String)
    /// The sender is too fast. The update is kept for `releaseDue(now:)`.
    case postponed
    /// The update was not taken.
    case refused(Refusal)
  }

  /// Why an update was not taken.
  public enum Refusal: Hashable, Sendable {
    /// The text names no app.
    case invalidURI
    /// The sender speaks for as many apps as one may.
    case tooManyAppsOfSender
    /// As many apps are spoken for as there may be.
    case tooManyApps
  }

  let fullBucket: TokenBucket
  var senders: [String: SenderState] = [:]
  /// Who speaks of an app: first those who were not heard yet, then the others, the latest last.
  var speakers: [String: [String]] = [:]
  var pairs = 0
  var lastOrder: Int64 = 0
  var sendersWithPending: Set<String> = []
  /// What changed since `takeChanges` was last called.
  var unsaved: Set<Key> = []

  /// How many updates a sender may say at once.
  public static let burst = LauncherLimits.burst

  /// How many updates a sender is heard a second after that.
  public static let rate = LauncherLimits.rate

  /// No words of anyone; each sender may say `burst` updates at once and `rate` a second.
  public init(burst: Int = Self.burst, rate: Int = Self.rate) {
    fullBucket = TokenBucket(capacity: burst, rate: rate)
  }

  /// Takes an update by `sender` of the app it calls `uri`; `resolve` tells the app's id.
  public mutating func apply(
    _ update: LauncherUpdate,
    to uri: String,
    from sender: String,
    now: Instant,
    resolve: (ApplicationURI) -> String
  ) -> Outcome {
    // The entry leaves the table while it is changed, so that nothing in it is copied.
    var state = senders.removeValue(forKey: sender) ?? SenderState(bucket: fullBucket)
    defer { senders[sender] = state }
    let id: String
    guard uri.utf8.count <= ApplicationURI.maximumLength else { return .refused(.invalidURI) }
    if let known = state.idBySpelling[uri] {
      id = known
    } else {
      guard let application = ApplicationURI(uri) else { return .refused(.invalidURI) }
      id = resolve(application)
      if let refusal = admit(sender, to: id, as: application, in: &state) {
        return .refused(refusal)
      }
      remember(uri, for: id, in: &state)
    }
    state.words[id]?.said.merge(update)
    if state.words[id]?.isPending == true { return .postponed }
    guard state.bucket.take(now: now) else {
      state.words[id]?.isPending = true
      state.pending.append(id)
      sendersWithPending.insert(sender)
      return .postponed
    }
    hear(sender, on: id, in: &state)
    return .announced(id)
  }

  /// Forgets a sender that has left the bus.
  ///
  /// - Returns: the ids of the apps that now show something else, or nothing.
  public mutating func remove(sender: String) -> [String] {
    guard let state = senders[sender] else { return [] }
    let changed = state.words.keys.filter { shownSpeaker(of: $0) == sender }
    senders[sender] = nil
    sendersWithPending.remove(sender)
    pairs -= state.words.count
    for id in state.words.keys {
      unsaved.insert(Key(sender: sender, app: id))
      dropSpeaker(sender, of: id)
    }
    return changed.sorted()
  }

  /// Hears what senders that were too fast have said meanwhile, as far as it is their turn.
  ///
  /// - Returns: the ids of the apps that `announcement(for:)` is to be asked for.
  public mutating func releaseDue(now: Instant) -> [String] {
    var released: Set<String> = []
    for name in sendersWithPending {
      guard var state = senders.removeValue(forKey: name) else { continue }
      var taken = 0
      while taken < state.pending.count, state.bucket.take(now: now) {
        let id = state.pending[taken]
        taken += 1
        state.words[id]?.isPending = false
        hear(name, on: id, in: &state)
        released.insert(id)
      }
      state.pending.removeFirst(taken)
      if state.pending.isEmpty { sendersWithPending.remove(name) }
      senders[name] = state
    }
    return released.sorted()
  }

  /// When `releaseDue(now:)` has something to do next.
  public func nextRelease(now: Instant) -> Instant? {
    sendersWithPending.lazy.compactMap { senders[$0]?.bucket.nextToken(now: now) }.min()
  }

  /// Makes room for what a sender says of an app it has not spoken of.
  mutating func admit(
    _ sender: String,
    to id: String,
    as application: ApplicationURI,
    in state: inout SenderState
  ) -> Refusal? {
    guard state.words[id] == nil else { return nil }
    guard state.words.count < Self.maximumAppsOfSender else { return .tooManyAppsOfSender }
    guard pairs < Self.maximumPairs, speakers[id] != nil || speakers.count < Self.maximumApps else {
      return .tooManyApps
    }
    pairs += 1
    state.words[id] = SenderWords(application: application)
    speakers[id, default: []].insert(sender, at: 0)
    return nil
  }

  /// Remembers how a sender spells an app, not every way in which it might.
  private func remember(_ uri: String, for id: String, in state: inout SenderState) {
    guard uri.utf8.count <= LauncherLimits.rememberedSpellingBytes else { return }
    if state.idBySpelling.count >= 2 * state.words.count + 2 { state.idBySpelling = [:] }
    state.idBySpelling[uri] = id
  }

  /// Lets what a sender has said of an app count.
  private mutating func hear(_ sender: String, on id: String, in state: inout SenderState) {
    guard var words = state.words[id] else { return }
    // Repeating oneself is normal (libunity does for each new owner of its name), and takes the
    // place of nobody who spoke later.
    guard words.heard != words.said else { return }
    lastOrder += 1
    words.order = lastOrder
    words.heard = words.said
    state.words[id] = words
    speakers[id]?.removeAll { $0 == sender }
    speakers[id, default: []].append(sender)
    unsaved.insert(Key(sender: sender, app: id))
  }
}
