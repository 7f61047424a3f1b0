// SPDX-License-Identifier: MIT
import BadgeCore
import DBus
import TestSupport
import Testing

@testable import BadgeService

/// A call that has to fail, the error, and what the text has to name.
struct RefusedCall: Sendable, CustomTestStringConvertible {
  var member: String
  var arguments: [Value]
  var error: String
  var mentions: [String]

  init(_ member: String, _ arguments: [Value], _ error: String, _ mentions: String...) {
    self.member = member
    self.arguments = arguments
    self.error = error
    self.mentions = mentions
  }

  init(update key: String, _ value: Value, _ mentions: String...) {
    self.init("Update", [.string("mail"), .namedValues([(key, value)])], "own.InvalidValue")
    self.mentions = [key] + mentions
  }

  var testDescription: String { "\(member)(\(arguments))" }
}

@Suite(.privateBus) struct ManagerErrorTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    _ = try fixture.call(
      "Update",
      .string("fixed"),
      .namedValues([("count", .int64(1)), ("dismissable", .boolean(false))])
    )
  }

  static let ids: [RefusedCall] = [
    .init("Set", [.string(""), .int64(1)], "own.InvalidId", "empty"),
    .init("Set", [.string("a/b"), .int64(1)], "own.InvalidId", "'a/b'"),
    .init("Set", [.string("a\nb"), .int64(1)], "own.InvalidId", "control"),
    .init("Set", [.string(" a"), .int64(1)], "own.InvalidId", "white space"),
    .init("SetDot", [.string(String(repeating: "x", count: 256))], "own.InvalidId", "255"),
    .init("Get", [.string("a/b")], "own.InvalidId", "'a/b'"),
    .init("Clear", [.string("a/b")], "own.InvalidId", "'a/b'"),
  ]

  static let values: [RefusedCall] = [
    .init("Set", [.string("mail"), .int64(.max)], "own.InvalidValue", "9223372036854775807"),
    .init("Set", [.string("mail"), .int64(.min)], "own.InvalidValue", "-9223372036854775808"),
    .init("Increment", [.string("mail"), .int64(-1)], "own.InvalidValue", "by", "-1"),
    .init("Decrement", [.string("mail"), .int64(-1)], "own.InvalidValue", "by", "-1"),
    .init(
      "SetText",
      [.string("mail"), .string(String(repeating: "x", count: 257))],
      "own.InvalidValue",
      "256"
    ),
    .init("SetText", [.string("mail"), .string("a\u{1}")], "own.InvalidValue", "control"),
    .init(
      "SetSource",
      [.string("mail"), .string("a/b"), .int64(1)],
      "own.InvalidValue",
      "a/b"
    ),
    .init(update: "count", .double(1.5), "1.5"),
    .init(update: "count", .uint64(.max), "18446744073709551615"),
    .init(update: "kind", .string("number"), "dot"),
    .init(update: "text", .int64(1)),
    .init(update: "label", .string("x"), "read only"),
    .init(update: "origin", .string("native"), "read only"),
    .init(update: "colour", .string("#F00"), "'colour'", "known keys: kind, count,", "offset-y"),
    .init(update: "background", .string("red"), "#RRGGBB"),
    .init(update: "background", .string("#12"), "'#12'"),
    .init(update: "progress", .double(.nan), "nan"),
    .init(update: "font-size", .double(.infinity), "inf"),
    .init(update: "font-size", .double(-1), "-1"),
    .init(update: "max", .int64(-1), "-1"),
    .init(update: "animation-change", .string("jump"), "bounce"),
    .init(update: "fit", .string("stretch"), "shrink"),
    .init(update: "hide-at-zero", .int64(1), "true or false"),
    .init(update: "urgent", .string("yes"), "the text 'yes'", "true or false"),
    .init(update: "preset", .string("none"), "counter"),
    .init(update: "ttl", .double(-1), "-1"),
    .init(update: "while-pid", .uint32(2_147_483_646), "process"),
    .init(update: "sources", .array(.string, [.string("a")]), "as"),
    .init(update: "icon", .string(String(repeating: "x", count: 129)), "128"),
    .init(
      "Update",
      [.string("mail"), .namedValues([("count", .int64(1)), ("text", .string("x"))])],
      "own.InvalidValue",
      "text"
    ),
  ]

  static let floods: [RefusedCall] = [
    .init(
      "Update",
      [.string("mail"), .namedValues((0..<1_000).map { ("k\($0)", .boolean(true)) })],
      "own.InvalidValue",
      "one key too many"
    ),
    .init(
      "Update",
      [.string("mail"), .namedValues([("sources", Self.sources(200))])],
      "dbus.LimitsExceeded",
      "128 named sources a call"
    ),
    .init(
      "SetProperty",
      [.string("mail"), .string("sources"), .variant(Self.sources(5_000))],
      "dbus.LimitsExceeded",
      "more than 1024 parts"
    ),
    .init(
      "Update",
      [.string("mail"), .namedValues([("text", .array(Signature(.byte), Self.bytes))])],
      "dbus.LimitsExceeded",
      "more than 1024 parts"
    ),
  ]

  private static let bytes = [Value](repeating: .byte(1), count: 9_999)

  private static func sources(_ count: Int) -> Value {
    .dictionary(
      key: .string,
      value: Signature(.int64),
      (0..<count).map { DictionaryEntry(key: .string("s\($0)"), value: .int64(1)) }
    )
  }

  static let absent: [RefusedCall] = [
    .init("Get", [.string("none")], "own.NoSuchBadge", "'none'"),
    .init("Remove", [.string("none")], "own.NoSuchBadge", "'none'"),
    .init("Dismiss", [.string("none")], "own.NoSuchBadge", "'none'"),
    .init("Decrement", [.string("none"), .int64(1)], "own.NoSuchBadge", "'none'"),
    .init("Dismiss", [.string("fixed")], "own.NotDismissable", "'fixed'", "dismissable"),
  ]

  static let calls: [RefusedCall] = [
    .init("Set", [.string("mail")], "dbus.InvalidArgs", "Set", "sx"),
    .init("Set", [.string("mail"), .int32(1)], "dbus.InvalidArgs", "sx", "si"),
    .init("List", [.string("x")], "dbus.InvalidArgs", "List"),
    .init("Sett", [.string("mail"), .int64(1)], "dbus.UnknownMethod", "'Sett'"),
  ]

  @Test(arguments: ids + values + floods + absent + calls)
  func aBadCallGetsItsErrorAndChangesNothing(_ call: RefusedCall) throws {
    let before = try fixture.call("List")
    let reply = try fixture.call(call.member, with: call.arguments)
    guard case .failure(let error) = reply else {
      Issue.record("it succeeded")
      return
    }
    let name = call.error.replacing("own.", with: "org.badged.Badges1.Error.")
      .replacing("dbus.", with: "org.freedesktop.DBus.Error.")
    #expect(error.name.rawValue == name)
    for text in call.mentions { #expect(error.message.contains(text), "\(error.message)") }
    #expect(!error.message.contains("\n"))
    #expect(try fixture.call("List") == before)
  }

  @Test func unknownInterfacesObjectsAndPropertiesAreErrors() throws {
    func error(_ result: Result<[Value], BusError>) -> String? {
      guard case .failure(let error) = result else { return nil }
      return error.name.rawValue.split(separator: ".").last.map { String($0) }
    }
    let id = Value.string("mail")
    #expect(error(try fixture.call("Set", id, interface: "org.example.X")) == "UnknownInterface")
    let elsewhere = ObjectPath(constant: "/org/badged/Other")
    #expect(error(try fixture.call("Get", id, at: elsewhere)) == "UnknownObject")
    let absent = ObjectPath(constant: "/org/badged/Badges1/badge/none")
    #expect(error(try fixture.properties("GetAll", .string(""), at: absent)) == "UnknownObject")
    let own = Value.string("org.badged.Badges1")
    #expect(error(try fixture.properties("Get", own, .string("Sum"))) == "UnknownProperty")
    #expect(
      error(try fixture.properties("Set", own, .string("Total"), .variant(.int64(1))))
        == "PropertyReadOnly"
    )
  }

  @Test(arguments: [
    ("Animations", Value.int32(1)), ("Quiet", .string("on")), ("QuietUntil", .string("soon")),
    ("QuietUntil", .int64(-1)), ("QuietUntil", .uint64(1)), ("QuietUntil", .double(1e10)),
  ])
  func aPropertySetToAWrongValueIsInvalid(_ property: String, _ value: Value) throws {
    let error = try #require(try fixture.setProperty(property, value))
    #expect(error.name.rawValue == "org.badged.Badges1.Error.InvalidValue")
    #expect(error.message.contains(property))
  }

  @Test func aCallThatWantsNoReplyGetsNoneAndIsDone() throws {
    let call = MethodCall(
      destination: ServiceFixture.name,
      path: ObjectPath(constant: "/org/badged/Badges1"),
      interface: nil,
      member: MemberName(constant: "Set")
    )
    _ = try fixture.take(2, "Changed")
    try fixture.client.send(call) {
      $0.append("quick")
      $0.append(7 as Int64)
    }
    let signals = try fixture.take(1, "Changed")
    #expect(signals.last?.values.first == .string("quick"))
  }
}

@Suite struct ErrorMappingTests {
  @Test func eachRefusalHasItsNameOnTheBus() throws {
    let id = try BadgeID("mail")
    let refusals: [(BadgeError, String)] = [
      (.noSuchBadge(id), "org.badged.Badges1.Error.NoSuchBadge"),
      (.invalidID("", reason: "is empty"), "org.badged.Badges1.Error.InvalidId"),
      (
        .invalidValue(key: "max", value: .integer(-1), expected: "0 or above"),
        "org.badged.Badges1.Error.InvalidValue"
      ),
      (.invalidKey("colour", reason: "is unknown"), "org.badged.Badges1.Error.InvalidValue"),
      (.notDismissable(id), "org.badged.Badges1.Error.NotDismissable"),
      (.limitReached("64"), "org.freedesktop.DBus.Error.LimitsExceeded"),
    ]
    for (refusal, name) in refusals {
      let error = BusError(refusal)
      #expect(error.name.rawValue == name)
      #expect(error.message == refusal.message)
      #expect(name.hasSuffix("." + refusal.name))
    }
  }
}
