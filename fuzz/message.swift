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
    guard let message = try? Message(bytes: input.remainder()) else { return }
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
