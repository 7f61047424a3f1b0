// SPDX-License-Identifier: MIT
// Bytes as a message that libdbus takes: the header, every value of the body, and matching a rule.
@testable import DBus

enum MessageTarget: FuzzTarget {
  private static let rule = MatchRule(type: .signal, arguments: [1: "/a/", 2: "x"])

  static func run(_ input: inout FuzzInput) {
    guard let message = try? Message.demarshal(input.remainder()) else { return }
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
