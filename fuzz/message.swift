// SPDX-License-Identifier: MIT
// Bytes as a message: the header, every value of the body, and what a rule says of it.
@testable import DBus

enum MessageTarget: FuzzTarget {
  private static let rule: MatchRule = {
    var rule = MatchRule(kind: .signal, argument0Namespace: "org.example")
    rule.argumentPaths = [1: "/a/"]
    rule.arguments = [2: "x"]
    return rule
  }()

  static func run(_ input: inout FuzzInput) {
    let bytes = input.remainder()
    let taken = try? Message(bytes: bytes)
    let isKnownKind = bytes.count > 1 && MessageKind(rawValue: bytes[1]) != nil
    if isKnownKind, (taken?.fields.descriptorCount ?? 0) == 0 {
      // libdbus takes the first of several messages, and unique names of one element.
      let mayBeStricter =
        bytes.contains(UInt8(ascii: ":"))
        || MessageHeader.messageLength(bytes.span, at: 0) != bytes.count
      let isTakenByLibrary = LibraryMessage.isTaken(bytes)
      precondition(taken == nil || isTakenByLibrary, "taken, but not by libdbus")
      precondition(taken != nil || !isTakenByLibrary || mayBeStricter, "taken by libdbus only")
    }
    guard let message = taken else { return }
    _ = (message.path, message.interface, message.member, message.errorName, message.error)
    _ = (message.sender, message.destination, message.signature)
    _ = rule.matches(message)
    var reader = message.makeReader()
    while reader.nextType != nil, (try? reader.skipValue()) != nil {}
    guard let values = try? message.values() else { return }
    // What was read can be written again.
    var writer = MessageWriter()
    for value in values { writer.append(value) }
    for value in values { precondition(value.signature != nil || writer.failure != nil) }
  }
}
