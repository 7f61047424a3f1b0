// SPDX-License-Identifier: MIT
import CDBus

extension OutgoingQueue {
  /// Whether libdbus takes the bytes from `start` on for a message; only debug builds ask.
  func isMessage(from start: Int) -> Bool { Self.isMessage(bytes(from: start)) }

  private static func isMessage(_ bytes: [UInt8]) -> Bool {
    // libdbus misses the descriptors that are not among the bytes.
    guard let message = try? Message(bytes: bytes) else { return false }
    guard message.fields.descriptorCount == 0 else { return true }
    return unsafe bytes.withUnsafeBytes { raw in
      let start = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let message = unsafe dbus_message_demarshal(start, CInt(raw.count), nil) else {
        return false
      }
      unsafe dbus_message_unref(message)
      return true
    }
  }
}
