// SPDX-License-Identifier: MIT
import CDBus

@testable import DBus

/// What tests of the marshaller share.
enum Marshalling {
  /// A signal with a body, as bytes.
  static func message(_ body: (inout MessageWriter) -> Void) throws -> [UInt8] {
    var writer = MessageWriter()
    body(&writer)
    writer.finish()
    if let failure = writer.failure { throw failure }
    return signal(writer)
  }

  private static func signal(_ writer: borrowing MessageWriter) -> [UInt8] {
    var buffer = ByteBuffer()
    let header = OutgoingHeader(
      kind: .signal,
      serial: 7,
      path: ObjectPath(constant: "/a/b"),
      interface: InterfaceName(constant: "a.b"),
      member: MemberName(constant: "M")
    )
    header.compose(writer, into: &buffer)
    return buffer.array(from: 0, upTo: buffer.count)
  }

  /// Whether libdbus takes the bytes for a message, and one of the same signature.
  static func libdbusAccepts(_ bytes: [UInt8], signature: String? = nil) -> Bool {
    unsafe bytes.withUnsafeBytes { raw in
      let start = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let message = unsafe dbus_message_demarshal(start, CInt(raw.count), nil) else {
        return false
      }
      defer { unsafe dbus_message_unref(message) }
      guard let signature else { return true }
      guard let found = unsafe dbus_message_get_signature(message) else { return false }
      return unsafe String(cString: found) == signature
    }
  }
}

extension Marshalling {
  /// A signal that claims that its body is of these types.
  static func message(types: String, body: [UInt8]) -> [UInt8] {
    var writer = MessageWriter()
    writer.types.append(text: types.utf8)
    writer.body.append(body)
    return signal(writer)
  }
}

extension Marshalling {
  /// A message without a body that looks as if the bus had passed it on for `sender`.
  static func message(_ header: OutgoingHeader, sender: BusName?) throws -> [UInt8] {
    var header = header
    header.destination = sender
    var buffer = ByteBuffer()
    header.compose(MessageWriter(), into: &buffer)
    var bytes = buffer.array(from: 0, upTo: buffer.count)
    // The field of the destination becomes that of the sender.
    for index in stride(from: 16, to: bytes.count, by: 8) where bytes[index] == 6 {
      bytes[index] = 7
    }
    return bytes
  }
}
