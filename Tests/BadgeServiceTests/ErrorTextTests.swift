// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

/// What every kind of bad input is told, word for word.
@Suite(.privateBus) struct ErrorTextTests {
  /// An input, and the error as `name: text`, without what names of its kind begin with.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var member: String
    var arguments: [Value]
    var interface: String?
    var error: String

    init(
      _ member: String,
      _ arguments: [Value],
      of interface: String? = "org.badged.Badges1",
      _ error: String
    ) {
      self.member = member
      self.arguments = arguments
      self.interface = interface
      self.error = error
    }

    /// An Update of one badge.
    init(_ changes: [(String, Value)], _ error: String) {
      self.init("Update", [.string("mail"), .namedValues(changes)], "InvalidValue: " + error)
    }

    /// A property of the manager.
    init(property: String, _ value: Value, _ error: String) {
      self.init(
        "Set",
        [.string("org.badged.Badges1"), .string(property), .variant(value)],
        of: "org.freedesktop.DBus.Properties",
        error
      )
    }

    var testDescription: String { error }
  }

  private static let idRule =
    "; an id is 1 to 255 bytes without '/', control characters or white space at an end"
  private static let notACount = "is not a whole number within ±9007199254740991"
  private static let notASource =
    "is not a source name: 1 to 255 bytes without '/', control characters or white space at an end"
  private static let notSources =
    "is not a dictionary from source names to whole numbers within ±9007199254740991"
  private static let notAnAnimation =
    "is not one of none, bounce, shrink, spring, shake, pop, bump, blink, breathe"
  private static let notAColour = "is not a colour; write #RGB, #RRGGBB or #RRGGBBAA"
  private static let notAMaximum = "is not a whole number from 0 to 9223372036854775807"
  private static let notATime = "is not a time to come, in seconds since the epoch, or 0"
  private static let notAText = "is not a text of at most 256 bytes without control characters"
  private static let notAName = "is not a text of at most 128 bytes without control characters"
  private static let keyList =
    "kind, count, text, sources, hide-at-zero, max, urgent, dismissable, progress, description, "
    + "icon, ttl, while-pid, animate, animation-appear, animation-change, animation-disappear, "
    + "background, foreground, font, font-size, padding, min-size, fit, anchor, grow, offset-x, "
    + "offset-y, preset"
  private static let secondValue =
    "sets the unnamed source a second time; give one of count, text, kind, and '' in sources"
  private static let noInterface =
    "UnknownInterface: no such interface on /org/badged/Badges1: 'org.example.X'; there is "
    + "org.badged.Badges1, org.freedesktop.DBus.ObjectManager"
  private static let methods =
    "Set, SetText, SetDot, SetSource, Increment, Decrement, IncrementSource, DecrementSource, "
    + "Update, SetProperty, Clear, Remove, RemoveAll, Dismiss, Acknowledge, Get, List"
  /// As much of a text as an error shows.
  private static let long = String(repeating: "x", count: 64)
  private static let wide = String(repeating: "é", count: 64)

  static let ids: [Refusal] = [
    .init("SetDot", [.string("")], "InvalidId: id: '' is empty\(idRule)"),
    .init("SetDot", [.string(".desktop")], "InvalidId: id: '.desktop' is empty\(idRule)"),
    .init(
      "SetDot",
      [.string("application://")],
      "InvalidId: id: 'application://' is empty\(idRule)"
    ),
    .init("SetDot", [.string("a/b")], "InvalidId: id: 'a/b' holds a '/'\(idRule)"),
    .init(
      "SetDot",
      [.string("a\nb")],
      "InvalidId: id: 'a\\u{a}b' holds a control character\(idRule)"
    ),
    .init(
      "SetDot",
      [.string("a\u{7F}")],
      "InvalidId: id: 'a\\u{7f}' holds a control character\(idRule)"
    ),
    .init(
      "SetDot",
      [.string("a\u{85}b")],
      "InvalidId: id: 'a\\u{85}b' holds a control character\(idRule)"
    ),
    .init("SetDot", [.string(" a")], "InvalidId: id: ' a' has white space at an end\(idRule)"),
    .init(
      "SetDot",
      [.string("a\u{2003}")],
      "InvalidId: id: 'a\u{2003}' has white space at an end\(idRule)"
    ),
    .init(
      "SetDot",
      [.string(String(repeating: "x", count: 256))],
      "InvalidId: id: '\(long)…' is longer than 255 bytes\(idRule)"
    ),
    .init(
      "SetDot",
      [.string(String(repeating: "é", count: 128))],
      "InvalidId: id: '\(wide)…' is longer than 255 bytes\(idRule)"
    ),
  ]

  static let values: [Refusal] = [
    .init(
      "Set",
      [.string("mail"), .int64(1 << 53)],
      "InvalidValue: count: '9007199254740992' \(notACount)"
    ),
    .init(
      "Set",
      [.string("mail"), .int64(-(1 << 53))],
      "InvalidValue: count: '-9007199254740992' \(notACount)"
    ),
    .init(
      "Increment",
      [.string("mail"), .int64(-1)],
      "InvalidValue: by: '-1' is not a whole number of 0 or above"
    ),
    .init(
      "Decrement",
      [.string("mail"), .int64(-1)],
      "InvalidValue: by: '-1' is not a whole number of 0 or above"
    ),
    .init(
      "IncrementSource",
      [.string("mail"), .string("a"), .int64(-1)],
      "InvalidValue: by: '-1' is not a whole number of 0 or above"
    ),
    .init(
      "DecrementSource",
      [.string("mail"), .string("a"), .int64(-1)],
      "InvalidValue: by: '-1' is not a whole number of 0 or above"
    ),
    .init(
      "SetText",
      [.string("mail"), .string(String(repeating: "x", count: 257))],
      "InvalidValue: text: '\(long)…' \(notAText)"
    ),
    .init(
      "SetText",
      [.string("mail"), .string("a\u{1B}[31m")],
      "InvalidValue: text: 'a\\u{1b}[31m' \(notAText)"
    ),
    .init(
      "SetSource",
      [.string("mail"), .string("a"), .int64(1 << 53)],
      "InvalidValue: count: '9007199254740992' \(notACount)"
    ),
    .init(
      "SetSource",
      [.string("mail"), .string("a/b"), .int64(1)],
      "InvalidValue: source: 'a/b' \(notASource)"
    ),
    .init(
      "SetSource",
      [.string("mail"), .string(" "), .int64(1)],
      "InvalidValue: source: ' ' \(notASource)"
    ),
    .init(
      "SetProperty",
      [.string("mail"), .string("max"), .variant(.int64(-1))],
      "InvalidValue: max: '-1' \(notAMaximum)"
    ),
  ]

  static let keys: [Refusal] = [
    .init(
      [("kind", .string("number"))],
      "kind: 'number' is not dot, the only kind that can be written"
    ),
    .init([("count", .int64(1 << 53))], "count: '9007199254740992' \(notACount)"),
    .init([("count", .uint64(.max))], "count: '18446744073709551615' \(notACount)"),
    .init([("count", .double(1))], "count: '1.0' \(notACount)"),
    .init([("count", .string(""))], "count: the text '' \(notACount)"),
    .init([("text", .int64(1))], "text: the number '1' \(notAText)"),
    .init([("text", .string("a\tb"))], "text: 'a\\u{9}b' \(notAText)"),
    .init(
      [("sources", .array(.string, [.string("a")]))],
      "sources: a value of type 'as' \(notSources)"
    ),
    .init([("sources", .namedValues([("a", .string("x"))]))], "sources: {'a': 'x'} \(notSources)"),
    .init(
      [("sources", .namedValues([("a", .int64(1 << 53))]))],
      "sources: {'a': 9007199254740992} \(notSources)"
    ),
    .init([("sources", .namedValues([("a/b", .int64(1))]))], "sources: 'a/b' \(notASource)"),
    .init([("label", .string("x"))], "'label' is read only; keys to write: \(keyList)"),
    .init([("visible", .boolean(true))], "'visible' is read only; keys to write: \(keyList)"),
    .init([("dismissed", .boolean(false))], "'dismissed' is read only; keys to write: \(keyList)"),
    .init([("origin", .string("native"))], "'origin' is read only; keys to write: \(keyList)"),
    .init([("hide-at-zero", .int64(1))], "hide-at-zero: '1' is not true or false"),
    .init([("max", .int64(-1))], "max: '-1' \(notAMaximum)"),
    .init([("max", .uint64(.max))], "max: '18446744073709551615' \(notAMaximum)"),
    .init([("urgent", .string("yes"))], "urgent: the text 'yes' is not true or false"),
    .init([("dismissable", .uint32(0))], "dismissable: '0' is not true or false"),
    .init(
      [("progress", .double(1.5))],
      "progress: '1.5' is not a number from 0 to 1, or below 0 for none"
    ),
    .init(
      [("progress", .double(.nan))],
      "progress: 'nan' is not a number from 0 to 1, or below 0 for none"
    ),
    .init(
      [("description", .string(String(repeating: "x", count: 257)))],
      "description: '\(long)…' \(notAText)"
    ),
    .init([("icon", .string(String(repeating: "x", count: 129)))], "icon: '\(long)…' \(notAName)"),
    .init([("ttl", .double(-1))], "ttl: '-1.0' is not a finite number of 0 or above"),
    .init([("ttl", .double(.infinity))], "ttl: 'inf' is not a finite number of 0 or above"),
    .init([("while-pid", .int64(-1))], "while-pid: '-1' is not a process id, or 0 for none"),
    .init(
      [("while-pid", .uint32(.max))],
      "while-pid: '4294967295' is not a process id, or 0 for none"
    ),
    .init(
      [("while-pid", .uint32(2_147_483_646))],
      "while-pid: '2147483646' is not the id of a process that runs"
    ),
    .init([("animate", .double(1))], "animate: '1.0' is not true or false"),
    .init([("animation-appear", .string("jump"))], "animation-appear: 'jump' \(notAnAnimation)"),
    .init(
      [("animation-change", .string("Bounce"))],
      "animation-change: 'Bounce' \(notAnAnimation)"
    ),
    .init(
      [("animation-disappear", .int64(1))],
      "animation-disappear: the number '1' \(notAnAnimation)"
    ),
    .init([("background", .string("red"))], "background: 'red' \(notAColour)"),
    .init([("background", .string("#12345"))], "background: '#12345' \(notAColour)"),
    .init([("foreground", .string("#GGG"))], "foreground: '#GGG' \(notAColour)"),
    .init([("font", .string(String(repeating: "x", count: 129)))], "font: '\(long)…' \(notAName)"),
    .init([("font-size", .double(-1))], "font-size: '-1.0' is not a finite number of 0 or above"),
    .init(
      [("padding", .double(-.infinity))],
      "padding: '-inf' is not a finite number of 0 or above"
    ),
    .init([("min-size", .boolean(true))], "min-size: 'true' is not a finite number of 0 or above"),
    .init([("fit", .string("stretch"))], "fit: 'stretch' is not one of grow, shrink"),
    .init(
      [("anchor", .string("top"))],
      "anchor: 'top' is not one of top-left, top-right, bottom-left, bottom-right, center"
    ),
    .init([("grow", .string("left"))], "grow: 'left' is not one of head, middle, tail"),
    .init([("offset-x", .double(.nan))], "offset-x: 'nan' is not a finite number"),
    .init([("offset-y", .string("1"))], "offset-y: the text '1' is not a finite number"),
    .init([("preset", .string("none"))], "preset: 'none' is not one of badge, counter"),
    .init(
      [("colour", .string("#F00"))],
      "'colour' is not a key of a badge; known keys: \(keyList)"
    ),
    .init([("Count", .int64(1))], "'Count' is not a key of a badge; known keys: \(keyList)"),
    .init([("", .int64(1))], "'' is not a key of a badge; known keys: \(keyList)"),
    .init([("a\nb", .int64(1))], "'a\\u{a}b' is not a key of a badge; known keys: \(keyList)"),
    .init([("count", .int64(1)), ("text", .string("x"))], "'text' \(secondValue)"),
    .init([("count", .int64(1)), ("kind", .string("dot"))], "'kind' \(secondValue)"),
    .init(
      [("text", .string("x")), ("sources", .namedValues([("", .int64(1))]))],
      "'sources' \(secondValue)"
    ),
    .init([("count", .int64(1)), ("count", .int64(2))], "'count' is given twice"),
  ]

  static let absent: [Refusal] = [
    .init("Get", [.string("none")], "NoSuchBadge: no such badge: 'none'"),
    .init("Remove", [.string("none")], "NoSuchBadge: no such badge: 'none'"),
    .init("Dismiss", [.string("none")], "NoSuchBadge: no such badge: 'none'"),
    .init("Decrement", [.string("none"), .int64(1)], "NoSuchBadge: no such badge: 'none'"),
    .init(
      "DecrementSource",
      [.string("none"), .string("a"), .int64(1)],
      "NoSuchBadge: no such badge: 'none'"
    ),
    .init(
      "Dismiss",
      [.string("fixed")],
      "NotDismissable: not dismissable: 'fixed'; its key 'dismissable' is false"
    ),
  ]

  static let properties: [Refusal] = [
    .init(property: "Animations", .int32(1), "InvalidValue: Animations: '1' is not true or false"),
    .init(
      property: "Quiet",
      .string("on"),
      "InvalidValue: Quiet: the text 'on' is not true or false"
    ),
    .init(
      property: "QuietUntil",
      .string("soon"),
      "InvalidValue: QuietUntil: the text 'soon' \(notATime)"
    ),
    .init(property: "QuietUntil", .int64(-1), "InvalidValue: QuietUntil: '-1' \(notATime)"),
    .init(property: "QuietUntil", .uint64(1), "InvalidValue: QuietUntil: '1' \(notATime)"),
    .init(
      property: "QuietUntil",
      .double(1e10),
      "InvalidValue: QuietUntil: '10000000000.0' \(notATime)"
    ),
    .init(
      property: "Total",
      .int64(1),
      "PropertyReadOnly: Total of org.badged.Badges1 can't be set"
    ),
    .init(
      property: "Sum",
      .int64(1),
      "UnknownProperty: no such property of org.badged.Badges1: 'Sum'; there is Version, Catalogue, Started, StatePath, Total, Visible, Revision, Durable, Animations, Animating, Quiet, QuietUntil"
    ),
    .init(
      "Get",
      [.string("org.example.X"), .string("Total")],
      of: "org.freedesktop.DBus.Properties",
      "\(noInterface)"
    ),
  ]

  static let calls: [Refusal] = [
    .init("Set", [.string("mail")], "InvalidArgs: Set of org.badged.Badges1 takes (sx), not (s)"),
    .init(
      "Set",
      [.string("mail"), .int32(1)],
      "InvalidArgs: Set of org.badged.Badges1 takes (sx), not (si)"
    ),
    .init("List", [.string("x")], "InvalidArgs: List of org.badged.Badges1 takes (), not (s)"),
    .init(
      "Sett",
      [.string("mail"), .int64(1)],
      "UnknownMethod: no such method of org.badged.Badges1: 'Sett'; there is \(methods)"
    ),
    .init(
      "Sett",
      [.string("mail"), .int64(1)],
      of: nil,
      "UnknownMethod: no such method of /org/badged/Badges1: 'Sett'; there is \(methods), GetManagedObjects"
    ),
    .init("Set", [.string("mail"), .int64(1)], of: "org.example.X", "\(noInterface)"),
  ]

  static let floods: [Refusal] = [
    .init(
      "Update",
      [.string("mail"), .namedValues((0..<200).map { ("count", .int64($0)) })],
      "InvalidValue: 'count' is one key too many"
    ),
    .init(
      "Update",
      [.string("mail"), .namedValues([("sources", sources(129))])],
      "LimitsExceeded: limit reached: 128 named sources a call"
    ),
    .init(
      "Update",
      [.string("mail"), .namedValues([("sources", sources(65))])],
      "LimitsExceeded: limit reached: 64 named sources a badge; set one to 0 first"
    ),
    .init(
      "SetProperty",
      [.string("mail"), .string("sources"), .variant(sources(600))],
      "LimitsExceeded: a value of more than 1024 parts, such as elements of arrays"
    ),
    .init(
      property: "Quiet",
      .array(Signature(.byte), [Value](repeating: .byte(1), count: 70_000)),
      "LimitsExceeded: a value of more than 65536 parts, such as elements of arrays"
    ),
  ]

  private static func sources(_ count: Int) -> Value {
    .dictionary(
      key: .string,
      value: Signature(.int64),
      (0..<count).map { DictionaryEntry(key: .string("s\($0)"), value: .int64(1)) }
    )
  }

  @Test(arguments: ids + values + keys + absent + properties + calls + floods)
  func aBadInputIsToldWhatIsWrongAndWhatWouldBeRight(_ refusal: Refusal) throws {
    let fixture = try ServiceFixture()
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    _ = try fixture.call(
      "SetProperty",
      .string("fixed"),
      .string("dismissable"),
      .variant(.boolean(false))
    )
    let before = try fixture.call("List")
    let reply = try fixture.call(
      refusal.member,
      with: refusal.arguments,
      interface: refusal.interface
    )
    guard case .failure(let error) = reply else {
      Issue.record("it succeeded")
      return
    }
    let name = error.name.rawValue.replacing("org.badged.Badges1.Error.", with: "")
      .replacing("org.freedesktop.DBus.Error.", with: "")
    #expect("\(name): \(error.message)" == refusal.error)
    #expect(try fixture.call("List") == before)
  }
}
