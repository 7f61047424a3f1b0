// SPDX-License-Identifier: MIT

/// One sender's words on one app.
struct SenderWords {
  let application: ApplicationURI

  /// All it has said, its updates together.
  var said = LauncherUpdate()

  /// What of it was heard: all, but for a sender that is too fast; nil before the first time.
  var heard: LauncherUpdate?

  /// A greater number was heard later; 0 before the first time.
  var order: Int64 = 0

  /// Whether it has said what was not heard yet.
  var isPending = false
}

/// One sender: its words by the app's id, and how fast it may speak.
struct SenderState {
  var words: [String: SenderWords] = [:]
  var idBySpelling: [String: String] = [:]
  var bucket: TokenBucket

  /// The ids of the apps it has said something of that was not heard yet, the first said first.
  var pending: [String] = []

  /// Whether the log has a line about it.
  var isReported = false
}
