// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("The key table")
struct KeyTableTests {
  /// The contract's table: name, property, signature, access, resettable, default.
  private static let golden = """
    kind Kind s rw - -
    count Count x rw - 0
    text Text s rw - ''
    sources Sources a{sx} rw - {}
    label Label s r - -
    visible Visible b r - -
    hide-at-zero HideAtZero b rw - true
    max Max x rw - 999
    urgent Urgent b rw - false
    dismissable Dismissable b rw - true
    dismissed Dismissed b r - false
    progress Progress d rw - -1.0
    description Description s rw - ''
    icon Icon s rw - ''
    ttl Ttl d rw - 0.0
    while-pid WhilePid u w - -
    origin Origin s r - -
    animate Animate b rw reset true
    animation-appear AnimationAppear s rw reset 'none'
    animation-change AnimationChange s rw reset 'bounce'
    animation-disappear AnimationDisappear s rw reset 'shrink'
    background Background s rw reset '#FF0000'
    foreground Foreground s rw reset '#FFFFFF'
    font Font s rw reset ''
    font-size FontSize d rw reset 12.0
    padding Padding d rw reset 6.0
    min-size MinSize d rw reset 8.0
    fit Fit s rw reset 'grow'
    anchor Anchor s rw reset 'top-right'
    grow Grow s rw reset 'tail'
    offset-x OffsetX d rw reset -10.0
    offset-y OffsetY d rw reset -4.0
    preset Preset s w - -
    """

  @Test("is the contract's")
  func isTheContracts() {
    let lines = BadgeKey.allCases.map { key in
      [
        key.name, key.propertyName, key.signature,
        (key.isReadable ? "r" : "") + (key.isWritable ? "w" : ""),
        key.isResettable ? "reset" : "-", key.defaultValue?.description ?? "-",
      ].joined(separator: " ")
    }
    #expect(lines.joined(separator: "\n") == Self.golden)
  }

  @Test("has a row for each key, in the order of the keys", arguments: BadgeKey.allCases)
  func hasRows(key: BadgeKey) {
    #expect(key.row.key == key)
    #expect(KeyRow.table.count == BadgeKey.allCases.count)
    #expect(BadgeKey(name: key.name) == key)
  }

  @Test(
    "documents each key, and says what it takes where it can be written",
    arguments: BadgeKey.allCases
  )
  func documents(key: BadgeKey) {
    #expect(key.summary.hasSuffix("."))
    #expect(key.expected.isEmpty == !key.isWritable)
  }

  @Test(
    "finds no key by another name",
    arguments: ["", "Count", "counts", "hide_at_zero", "hide-at-zero "]
  )
  func findsNoOther(name: String) {
    #expect(BadgeKey(name: name) == nil)
  }

  @Test("gives a new badge the defaults")
  func givesDefaults() throws {
    var book = BadgeBook()
    _ = try book.setCount(0, for: "mail")
    for key in BadgeKey.allCases {
      guard let expected = key.defaultValue else { continue }
      #expect(book.read(key, of: "mail") == expected, "\(key.name)")
    }
    #expect(book.read(.kind, of: "mail") == .string("number"))
    #expect(book.read(.label, of: "mail") == .string("0"))
    #expect(book.read(.visible, of: "mail") == .boolean(false))
    #expect(book.read(.origin, of: "mail") == .string("native"))
    #expect(book.read(.preset, of: "mail") == nil)
    #expect(book.read(.whilePID, of: "mail") == nil)
  }
}

@Suite("A set of keys")
struct BadgeKeySetTests {
  @Test("holds what was put in and iterates in the order of the table")
  func holds() {
    var keys: BadgeKeySet = [.preset, .kind]
    keys.insert(.count)
    keys.insert(.count)
    #expect(Array(keys) == [.kind, .count, .preset])
    #expect(keys.contains(.count) && !keys.contains(.text))
    #expect(!keys.isEmpty && BadgeKeySet().isEmpty)
  }

  @Test("knows the keys that are always signalled and those that can be read")
  func knows() {
    #expect(Array(BadgeKeySet.always) == [.kind, .count, .label, .visible, .urgent])
    #expect(Array(BadgeKeySet.readable).count == 31)
    #expect(!BadgeKeySet.readable.contains(.preset) && !BadgeKeySet.readable.contains(.whilePID))
  }
}

@Suite("A key")
struct KeyValueTests {
  private static let long128 = String(repeating: "é", count: 64)
  private static let long256 = String(repeating: "é", count: 128)

  /// Values written to stored keys, and what the keys read then.
  private static let good: [(String, PropertyValue, PropertyValue)] =
    booleans + numbers + texts + names + colors

  private static let booleans: [(String, PropertyValue, PropertyValue)] =
    ["hide-at-zero", "urgent", "dismissable", "animate"].flatMap { name in
      [true, false].map { (name, .boolean($0), .boolean($0)) }
    }

  private static let numbers: [(String, PropertyValue, PropertyValue)] =
    [
      ("max", .integer(0), .integer(0)),
      ("max", .integer(.max), .integer(.max)),
      ("progress", .double(0), .double(0)),
      ("progress", .double(-0.0), .double(0)),
      ("progress", .double(0.25), .double(0.25)),
      ("progress", .integer(1), .double(1)),
      ("progress", .double(-0.5), .double(-1)),
      ("progress", .integer(-7), .double(-1)),
      ("offset-x", .double(-3.5), .double(-3.5)),
      ("offset-y", .integer(-4), .double(-4)),
      ("offset-y", .unsigned(1 << 63), .double(9_223_372_036_854_775_808)),
    ]
    + ["font-size", "padding", "min-size"].flatMap { name in
      [
        (name, .double(0), .double(0)),
        (name, .double(1e300), .double(1e300)),
        (name, .integer(14), .double(14)),
      ] as [(String, PropertyValue, PropertyValue)]
    }

  private static let texts: [(String, PropertyValue, PropertyValue)] = [
    ("description", .string(long256), .string(long256)),
    ("description", .string(""), .string("")),
    ("description", .string("e\u{301}"), .string("e\u{301}")),
    ("icon", .string(long128), .string(long128)),
    ("icon", .string("mail-unread"), .string("mail-unread")),
    ("font", .string(long128), .string(long128)),
    ("font", .string("DejaVu Sans"), .string("DejaVu Sans")),
  ]

  private static let names: [(String, PropertyValue, PropertyValue)] =
    ["animation-appear", "animation-change", "animation-disappear"].flatMap { name in
      AnimationName.allCases.map { (name, .string($0.rawValue), .string($0.rawValue)) }
    }
    + BadgeAnchor.allCases.map { ("anchor", .string($0.rawValue), .string($0.rawValue)) }
    + BadgeGrow.allCases.map { ("grow", .string($0.rawValue), .string($0.rawValue)) }
    + BadgeFit.allCases.map { ("fit", .string($0.rawValue), .string($0.rawValue)) }

  private static let colors: [(String, PropertyValue, PropertyValue)] =
    ["background", "foreground"].flatMap { name in
      [
        (name, .string("#09f"), .string("#0099FF")),
        (name, .string("#09bb07"), .string("#09BB07")),
        (name, .string("#09bb0780"), .string("#09BB0780")),
      ] as [(String, PropertyValue, PropertyValue)]
    }

  @Test("reads back what it was given", arguments: good)
  func readsBack(name: String, given: PropertyValue, expected: PropertyValue) throws {
    var book = BadgeBook()
    _ = try book.setCount(1, for: "mail")
    _ = try book.update("mail", [(name, given)])
    let key = try #require(BadgeKey(name: name))
    #expect(book.read(key, of: "mail") == expected)
    for other in BadgeKeySet.readable where other != key && other.isResettable {
      #expect(book.read(other, of: "mail") == other.defaultValue, "\(other.name)")
    }
  }

  private static let wrongTypes: [PropertyValue] = [
    .boolean(true), .integer(1), .unsigned(.max), .double(0.5), .string("?"), .counts(["a": 1]),
    .unsupported("as"),
  ]

  /// Keys and values of a type that they do not take.
  private static let wrongType: [(String, PropertyValue)] =
    BadgeKey.allCases.filter(\.isWritable).flatMap { key in
      wrongTypes.filter { !key.row.accepts($0) }.map { (key.name, $0) }
    }

  private static let wrongValue: [(String, PropertyValue)] = [
    ("kind", .string("number")),
    ("kind", .string("text")),
    ("kind", .string("")),
    ("kind", .string("Dot")),
    ("count", .integer(BadgeCount.maximum + 1)),
    ("count", .integer(BadgeCount.minimum - 1)),
    ("count", .integer(.max)),
    ("count", .integer(.min)),
    ("count", .string("")),
    ("count", .double(5)),
    ("text", .string(long256 + "x")),
    ("text", .string("a\tb")),
    ("text", .string("a\u{9F}")),
    ("max", .integer(-1)),
    ("max", .string("")),
    ("hide-at-zero", .string("")),
    ("hide-at-zero", .integer(1)),
    ("progress", .double(1.01)),
    ("progress", .integer(2)),
    ("progress", .double(.nan)),
    ("progress", .double(.infinity)),
    ("progress", .double(-.infinity)),
    ("progress", .string("")),
    ("description", .string(long256 + "x")),
    ("description", .string("a\nb")),
    ("icon", .string(long128 + "x")),
    ("icon", .string("\u{7F}")),
    ("ttl", .double(-1)),
    ("ttl", .integer(-1)),
    ("ttl", .double(.nan)),
    ("ttl", .double(.infinity)),
    ("ttl", .string("")),
    ("while-pid", .integer(-1)),
    ("while-pid", .integer(1 << 31)),
    ("while-pid", .string("1")),
  ]

  private static let wrongStyle: [(String, PropertyValue)] = [
    ("animation-appear", .string("Bounce")),
    ("animation-change", .string("wobble")),
    ("background", .string("blue")),
    ("foreground", .string("#12345")),
    ("font", .string(long128 + "x")),
    ("font", .string("\r")),
    ("font-size", .double(-0.1)),
    ("padding", .integer(-1)),
    ("min-size", .double(.nan)),
    ("font-size", .double(.infinity)),
    ("offset-x", .double(.nan)),
    ("offset-y", .double(-.infinity)),
    ("fit", .string("Grow")),
    ("anchor", .string("top")),
    ("grow", .string("left")),
    ("preset", .string("")),
    ("preset", .string("toggle")),
  ]

  private static let wrongSources: [(String, PropertyValue)] = [
    ("sources", .counts(["a": BadgeCount.maximum + 1])),
    ("sources", .counts([" a": 1])),
    ("sources", .counts(["a/b": 1])),
    ("sources", .counts([".desktop": 1])),
    ("sources", .counts(["a\u{0}": 1])),
    ("sources", .sources([SourceEntry(name: "a", value: .double(1))])),
    ("sources", .sources([SourceEntry(name: "a", value: .boolean(true))])),
    ("sources", .sources([SourceEntry(name: "a", value: .unsigned(.max))])),
  ]

  @Test(
    "refuses what it does not take, names itself, and nothing of the call is applied",
    arguments: wrongType + wrongValue + wrongStyle + wrongSources
  )
  func refuses(name: String, value: PropertyValue) throws {
    var book = BadgeBook()
    _ = try book.setCount(3, for: "mail")
    let before = book["mail"]
    let harmless: (String, PropertyValue) =
      name == "max" ? ("icon", .string("i")) : ("max", .integer(7))
    let error = failure { () throws(BadgeError) in
      try book.update("mail", [harmless, (name, value)])
    }
    #expect(error?.name == "InvalidValue")
    let message = try #require(error?.message)
    #expect(message.hasPrefix(name + ": "))
    #expect(message.contains(" is not "))
    #expect(!message.contains("\n"))
    #expect(book["mail"] == before)
    #expect(book.badges.count == 1)
  }

  @Test("that is unknown, read only or given twice is refused by name")
  func isRefused() {
    let refusals: [([(String, PropertyValue)], BadgeError)] = [
      ([("colour", .string("#fff"))], .unknownKey("colour", among: BadgeKey.writable)),
      ([("label", .string("x"))], .readOnlyKey("label")),
      ([("visible", .boolean(true))], .readOnlyKey("visible")),
      ([("dismissed", .boolean(false))], .readOnlyKey("dismissed")),
      ([("origin", .string("native"))], .readOnlyKey("origin")),
      (
        [("max", .integer(1)), ("max", .integer(2))],
        .invalidKey("max", reason: "is given twice")
      ),
    ]
    for (changes, expected) in refusals {
      #expect(failure { () throws(BadgeError) in try BadgeUpdate(changes) } == expected)
    }
  }
}

@Suite("An empty string")
struct ResetTests {
  @Test(
    "puts the default back, whatever the key's type",
    arguments: BadgeKey.allCases.filter(\.isResettable)
  )
  func resets(key: BadgeKey) throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("preset", .string("counter")), ("count", .integer(1))])
    let other: PropertyValue =
      switch key.defaultValue {
      case .boolean: .boolean(false)
      case .double: .double(33)
      default: key == .font ? .string("Sans") : .string(Self.otherNames[key] ?? "#123")
      }
    _ = try book.update("mail", [(key.name, other)])
    #expect(book.read(key, of: "mail") != key.defaultValue)
    #expect(try book.update("mail", [(key.name, .string(""))]) == .updated("mail"))
    #expect(book.read(key, of: "mail") == key.defaultValue)
    #expect(try book.update("mail", [(key.name, .string(""))]) == .none)
  }

  private static let otherNames: [BadgeKey: String] = [
    .animationAppear: "pop", .animationChange: "pop", .animationDisappear: "pop", .fit: "shrink",
    .anchor: "center", .grow: "head",
  ]
}

@Suite("A preset")
struct StylePresetTests {
  private static let styleKeys = BadgeKey.allCases.filter(\.isResettable)

  /// What every style key reads after the preset, in the order of the table.
  private static let golden: [(String, String)] = [
    (
      "badge",
      "true 'none' 'bounce' 'shrink' '#FF0000' '#FFFFFF' '' 12.0 6.0 8.0 'grow' 'top-right' 'tail' "
        + "-10.0 -4.0"
    ),
    (
      "counter",
      "true 'spring' 'spring' 'none' '#09BB07' '#FFFFFF' '' 14.0 0.0 20.0 'shrink' 'center' 'middle' "
        + "0.0 0.0"
    ),
  ]

  @Test("resets every style and animation key, and no other", arguments: golden)
  func resets(name: String, expected: String) throws {
    var book = BadgeBook()
    let everything: [(String, PropertyValue)] = [
      ("count", .integer(5)), ("hide-at-zero", .boolean(false)), ("max", .integer(9)),
      ("urgent", .boolean(true)), ("dismissable", .boolean(false)), ("progress", .double(0.5)),
      ("description", .string("d")), ("icon", .string("i")), ("animate", .boolean(false)),
      ("animation-appear", .string("blink")), ("animation-change", .string("blink")),
      ("animation-disappear", .string("blink")), ("background", .string("#123")),
      ("foreground", .string("#456")), ("font", .string("Serif")), ("font-size", .double(1)),
      ("padding", .double(1)), ("min-size", .double(1)), ("fit", .string("shrink")),
      ("anchor", .string("bottom-left")), ("grow", .string("head")), ("offset-x", .double(1)),
      ("offset-y", .double(1)),
    ]
    _ = try book.update("mail", everything)
    _ = try book.update("mail", [("preset", .string(name))])
    let style = Self.styleKeys.map { book.read($0, of: "mail")?.description ?? "?" }
    #expect(style.joined(separator: " ") == expected)
    for (key, value) in everything.prefix(8) {
      #expect(book.read(try #require(BadgeKey(name: key)), of: "mail") == value)
    }
  }

  @Test("applies before the call's other keys, wherever it stands among them")
  func appliesFirst() throws {
    let padding: (String, PropertyValue) = ("padding", .double(3))
    let preset: (String, PropertyValue) = ("preset", .string("counter"))
    for changes in [[padding, preset], [preset, padding]] {
      var book = BadgeBook()
      _ = try book.update("mail", changes)
      #expect(book.read(.padding, of: "mail") == .double(3))
      #expect(book.read(.minSize, of: "mail") == .double(20))
    }
  }

  @Test("of the defaults leaves a plain badge")
  func leavesPlain() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("preset", .string("counter")), ("count", .integer(1))])
    #expect(book["mail"]?.isPlain == false)
    _ = try book.update("mail", [("preset", .string("badge"))])
    #expect(book["mail"]?.isPlain == true)
  }
}
