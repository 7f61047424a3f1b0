// SPDX-License-Identifier: MIT

extension SenderStates {
  /// What the app of this id shows; nil where no living sender speaks of it.
  public func announcement(for id: String) -> LauncherAnnouncement? {
    guard let sender = shownSpeaker(of: id),
      let heard = senders[sender]?.words[id]?.heard
    else { return nil }
    return LauncherAnnouncement(heard)
  }

  /// The ids of all apps that are spoken of, in order.
  public var ids: [String] { speakers.keys.sorted() }

  /// Whether anything is remembered of the sender of this unique name.
  public func knows(sender: String) -> Bool { senders[sender] != nil }

  /// Whether this is the first thing to be said against `sender`: one line of the log is enough.
  public mutating func isFirstReport(of sender: String) -> Bool {
    guard senders[sender]?.isReported != true else { return false }
    senders[sender, default: SenderState(bucket: fullBucket)].isReported = true
    return true
  }

  /// Asks anew which app each spelling means, since desktop files came or went.
  ///
  /// - Returns: the ids of the apps that `announcement(for:)` is to be asked for.
  public mutating func resolveAgain(_ resolve: (ApplicationURI) -> String) -> [String] {
    var changed: Set<String> = []
    for (name, state) in senders {
      var words: [String: SenderWords] = [:]
      for (id, moving) in state.words.sorted(by: { $0.value.order < $1.value.order }) {
        let newID = resolve(moving.application)
        if newID != id {
          changed.formUnion([id, newID])
          unsaved.formUnion([Key(sender: name, app: id), Key(sender: name, app: newID)])
        }
        // Of two that meet, those heard later stay.
        if words.updateValue(moving, forKey: newID) != nil { pairs -= 1 }
      }
      senders[name]?.words = words
      senders[name]?.idBySpelling = [:]
      senders[name]?.pending = words.filter(\.value.isPending).keys.sorted()
    }
    for id in changed { rankSpeakers(of: id) }
    return changed.sorted()
  }

  /// The sender whose words show for the app.
  func shownSpeaker(of id: String) -> String? {
    speakers[id]?.last { senders[$0]?.words[id]?.heard != nil }
  }

  /// Works out who speaks of the app, and in what order.
  mutating func rankSpeakers(of id: String) {
    let ranked = senders.compactMap { name, state in state.words[id].map { ($0.order, name) } }
    speakers[id] = ranked.isEmpty ? nil : ranked.sorted { $0 < $1 }.map(\.1)
  }
}
