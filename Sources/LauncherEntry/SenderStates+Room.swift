// SPDX-License-Identifier: MIT

extension SenderStates {
  /// Forgets what was said of apps whose badges somebody removed, so that another app has room.
  ///
  /// Such an app is heard again like one that is new.
  ///
  /// - Parameters:
  ///   - ids: The apps.
  ///   - sender: Whose words on them; nil for everybody's.
  /// - Returns: the ids, of those that were spoken of, that `announcement(for:)` is to be asked for.
  public mutating func forget(_ ids: [String], of sender: String? = nil) -> [String] {
    var forgotten: [String] = []
    for id in ids {
      var isSpokenOf = false
      for speaker in speakers[id] ?? [] where sender == nil || sender == speaker {
        forget(id, of: speaker)
        isSpokenOf = true
      }
      if isSpokenOf { forgotten.append(id) }
    }
    return forgotten
  }

  private mutating func forget(_ id: String, of sender: String) {
    // The entry leaves the table while it is changed, so that nothing in it is copied.
    guard var state = senders.removeValue(forKey: sender) else { return }
    defer { senders[sender] = state }
    guard state.words.removeValue(forKey: id) != nil else { return }
    pairs -= 1
    for (spelling, known) in state.idBySpelling where known == id {
      state.idBySpelling[spelling] = nil
    }
    state.pending.removeAll { $0 == id }
    if state.pending.isEmpty { sendersWithPending.remove(sender) }
    dropSpeaker(sender, of: id)
    unsaved.insert(Key(sender: sender, app: id))
  }

  /// Takes a sender from those who speak of an app.
  mutating func dropSpeaker(_ sender: String, of id: String) {
    speakers[id]?.removeAll { $0 == sender }
    if speakers[id]?.isEmpty == true { speakers[id] = nil }
  }
}
