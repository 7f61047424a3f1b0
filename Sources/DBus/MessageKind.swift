// SPDX-License-Identifier: MIT

/// What a message is for.
public enum MessageKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Asks an object to do something.
  case methodCall = 1
  /// Answers a call.
  case methodReturn = 2
  /// Answers a call that failed.
  case error = 3
  /// Tells whoever wants to know.
  case signal = 4
}

/// The codes of a header's fields, section "Header Fields" of the D-Bus specification.
enum HeaderField: UInt8 {
  case path = 1
  case interface = 2
  case member = 3
  case errorName = 4
  case replySerial = 5
  case destination = 6
  case sender = 7
  case signature = 8
  case unixDescriptors = 9
  /// Set aside by the reference implementation.
  case containerInstance = 10

  /// The type of the field's value.
  var type: TypeCode {
    switch self {
    case .path, .containerInstance: .objectPath
    case .interface, .member, .errorName, .destination, .sender: .string
    case .replySerial, .unixDescriptors: .uint32
    case .signature: .signature
    }
  }
}

/// The flags of a header, section "Message Format" of the D-Bus specification.
struct MessageFlags: OptionSet {
  let rawValue: UInt8

  static let noReplyExpected = MessageFlags(rawValue: 1)
  static let noAutoStart = MessageFlags(rawValue: 2)
  static let allowInteractiveAuthorization = MessageFlags(rawValue: 4)
}
