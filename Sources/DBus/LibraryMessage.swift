// SPDX-License-Identifier: MIT
import CDBus

/// libdbus's opinion of a message, against which ours is held.
enum LibraryMessage {
  /// Whether libdbus takes the bytes for a message; one that promises descriptors it does not take,
  /// since they are not among the bytes.
  ///
  /// The corresponding C function is `dbus_message_demarshal`.
  static func isTaken(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { raw in
      let start = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let message = unsafe dbus_message_demarshal(start, CInt(raw.count), nil) else {
        return false
      }
      unsafe dbus_message_unref(message)
      return true
    }
  }
}

extension OutgoingQueue {
  /// Whether what was marshalled from `start` on is a message; only debug builds ask.
  func isMessage(from start: Int) -> Bool {
    let bytes = bytes(from: start)
    guard let message = try? Message(bytes: bytes) else { return false }
    return message.fields.descriptorCount > 0 || LibraryMessage.isTaken(bytes)
  }
}
