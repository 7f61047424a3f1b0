// SPDX-License-Identifier: MIT

extension SenderStates {
  /// Tells records apart.
  public struct Key: Hashable, Comparable, Sendable {
    /// The sender's unique name.
    public let sender: String
    /// The id of the app.
    public let app: String

    /// The key of what `sender` said of `app`.
    public init(sender: String, app: String) {
      self.sender = sender
      self.app = app
    }

    /// Whether `left` comes before `right`.
    public static func < (left: Key, right: Key) -> Bool {
      (left.sender, left.app) < (right.sender, right.app)
    }
  }

  /// What a sender has said of an app: what must survive a restart of the daemon.
  ///
  /// It means something only on the bus it was heard on, and while the sender lives there.
  public struct Record: Hashable, Sendable {
    /// All that it has said, its updates together.
    public var said: LauncherUpdate
    /// A greater number was said later.
    public var order: Int64

    /// A record of these parts.
    public init(said: LauncherUpdate, order: Int64) {
      self.said = said
      self.order = order
    }
  }

  /// What is to be stored since the last time this was asked for; nil where it is to be deleted.
  public mutating func takeChanges() -> [Key: Record?] {
    guard !unsaved.isEmpty else { return [:] }
    defer { unsaved = [] }
    var changes: [Key: Record?] = [:]
    for key in unsaved {
      if let words = senders[key.sender]?.words[key.app], let heard = words.heard {
        changes[key] = .some(Record(said: heard, order: words.order))
      } else {
        changes[key] = .some(nil)
      }
    }
    return changes
  }

  /// Takes over what was stored of senders that still live.
  ///
  /// What is beyond the limits or names no app is left out. Apps have the ids they had;
  /// `resolveAgain` tells what they are called now.
  ///
  /// - Returns: the ids of the apps that `announcement(for:)` is to be asked for.
  public mutating func restore(_ records: [Key: Record]) -> [String] {
    var restored: Set<String> = []
    for (key, record) in records.sorted(by: { $0.value.order < $1.value.order }) {
      guard let application = ApplicationURI(key.app) else { continue }
      var state = senders.removeValue(forKey: key.sender) ?? SenderState(bucket: fullBucket)
      defer { senders[key.sender] = state }
      guard admit(key.sender, to: key.app, as: application, in: &state) == nil else { continue }
      // An order from a file may be any number; the next one must not overflow for it.
      let order = min(max(record.order, 0), 1 << 62)
      lastOrder = max(lastOrder, order)
      state.words[key.app]?.said = record.said
      state.words[key.app]?.heard = record.said
      state.words[key.app]?.order = order
      restored.insert(key.app)
    }
    for id in restored { rankSpeakers(of: id) }
    return restored.sorted()
  }
}
