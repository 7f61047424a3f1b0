// SPDX-License-Identifier: MIT
import CDBus
import TestSupport
import Testing

@testable import DBus

struct NameTests {
  static let texts: [String] = [
    "", "/", "//", "/a", "/a/", "/a//b", "/a/b_C9", "a/b", "/a-b", "/a b", "/é", "/a.b",
    "a", "a.b", ".a.b", "a..b", "a.b.", "a.9b", "9a.b", "a.b9", "a-b.c", "a.b-c", "_a._b", "a b.c",
    "org.freedesktop.DBus", "A", "Get", "9Get", "Get9", "Get-All", "Get.All", "é", "a.é",
    ":1.7", ":1", ":", ":.", ":1.", ":.1", ":1..2", ":a.9-b", ":1.7.8", "1.7", "-a.b", "a.-b",
    String(repeating: "a", count: 255), String(repeating: "a", count: 256),
    String(repeating: "a", count: 253) + ".b", String(repeating: "a", count: 254) + ".b",
    ":" + String(repeating: "1", count: 252) + ".7",
    ":" + String(repeating: "1", count: 253) + ".7",
    "/" + String(repeating: "a", count: 1000),
  ]

  /// The texts above, and many at random from few characters, so that a good part is valid.
  static func allTexts() -> [String] {
    var generator = SeededGenerator(seed: 1)
    let characters: [[Character]] = [
      Array("/a_9/-"), Array("a.b_9-"), Array(":1.a-"), Array("aB9_"), Array("/.:a\u{e9} \u{7f}"),
    ]
    return texts
      + (0..<20_000).map { generator.text(of: characters[$0 % characters.count], length: 9) }
  }

  @Test func `names are valid where libdbus finds them valid`() {
    for text in Self.allTexts() {
      #expect((ObjectPath(text) != nil) == LibraryValidators.isPath(text), "\(text)")
      #expect((InterfaceName(text) != nil) == LibraryValidators.isInterface(text), "\(text)")
      #expect((MemberName(text) != nil) == LibraryValidators.isMember(text), "\(text)")
      #expect((ErrorName(text) != nil) == LibraryValidators.isErrorName(text), "\(text)")
      #expect((BusName(text) != nil) == LibraryValidators.isBusName(text), "\(text)")
    }
  }

  @Test func `a NUL is valid nowhere`() {
    for text in ["a\0b", "/a\0", "\0", "a.b\0", ":1.\0"] {
      #expect(ObjectPath(text) == nil)
      #expect(InterfaceName(text) == nil)
      #expect(MemberName(text) == nil)
      #expect(ErrorName(text) == nil)
      #expect(BusName(text) == nil)
    }
  }

  @Test func `names say what they are`() {
    #expect(InterfaceName(constant: "a.b").description == "a.b")
    #expect(BusName.bus.rawValue == "org.freedesktop.DBus")
    #expect(!BusName.bus.isUnique)
    #expect(BusName(constant: ":1.7").isUnique)
    #expect(ErrorName.invalidArguments.rawValue == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect("\(BusError.failed("late: 'x'"))" == "org.freedesktop.DBus.Error.Failed: late: 'x'")
  }
}

struct ObjectPathTests {
  @Test func `a path knows its elements, its parent and its descendants`() throws {
    let path = ObjectPath(constant: "/org/badged/b_2eb")
    #expect(path.elements == ["org", "badged", "b_2eb"])
    #expect(path.lastElement == "b_2eb")
    #expect(path.parent == ObjectPath(constant: "/org/badged"))
    #expect(ObjectPath(constant: "/org").parent == .root)
    #expect(ObjectPath.root.parent == nil)
    #expect(ObjectPath.root.lastElement == nil)
    #expect(ObjectPath.root.elements == [])
    #expect(ObjectPath.root.isAncestor(of: path))
    #expect(ObjectPath(constant: "/org").isAncestor(of: path))
    #expect(!ObjectPath(constant: "/or").isAncestor(of: path))
    #expect(!path.isAncestor(of: path))
    #expect(!ObjectPath.root.isAncestor(of: .root))
  }

  @Test func `appending takes one element and nothing else`() {
    #expect(ObjectPath.root.appending("a") == ObjectPath(constant: "/a"))
    #expect(ObjectPath(constant: "/a").appending("b_9") == ObjectPath(constant: "/a/b_9"))
    for element in ["", "a/b", "/", "a-b", "é", "a\0"] {
      #expect(ObjectPath(constant: "/a").appending(element) == nil, "\(element)")
    }
  }

  @Test(arguments: [
    ("", "_"), ("mail", "mail"), ("a.b", "a_2eb"), ("_", "_5f"), ("My App", "My_20App"),
    ("é", "_c3_a9"), ("\t", "_09"), ("/", "_2f"), ("\u{7f}ÿ", "_7f_c3_bf"),
  ])
  func `an escaped text is one element and comes back`(_ text: String, _ element: String) {
    #expect(ObjectPath.escapedElement(text) == element)
    #expect(ObjectPath.unescapedElement(element) == text)
    #expect(ObjectPath.root.appending(element) != nil)
  }

  @Test(arguments: ["", "a_", "a_2", "a_2E", "a_zz", "_61", "_ff", "a.b", "__", "a_2e_"])
  func `what no text is escaped to stands for no text`(_ element: String) {
    #expect(ObjectPath.unescapedElement(element) == nil)
  }
}

struct SignatureTests {
  static let texts: [String] = [
    "", "s", "sx", "a", "as", "aas", "a{sv}", "a{vs}", "a{s}", "a{ssv}", "a{s", "{sv}", "()", "(s)",
    "(s", "s)", "((s))", "a()", "a(s)", "a{s(ii)}", "a{(s)s}", "a{sa{sv}}", "z", "r", "e",
    "s\u{e9}",
    "(a{sv})", "a{sv}x", "aa{sv}", "h", "m", "*", "?", "vg", "a}", "}", "a{}", "a{as}",
    String(repeating: "a", count: 32) + "s", String(repeating: "a", count: 33) + "s",
    String(repeating: "(", count: 32) + "s" + String(repeating: ")", count: 32),
    String(repeating: "(", count: 33) + "s" + String(repeating: ")", count: 33),
    String(repeating: "y", count: 255), String(repeating: "y", count: 256),
    String(repeating: "a(", count: 32) + "s" + String(repeating: ")", count: 32),
    String(repeating: "a{s", count: 32) + "s" + String(repeating: "}", count: 32),
    String(repeating: "a{s", count: 33) + "s" + String(repeating: "}", count: 33),
  ]

  @Test func `signatures are valid where libdbus finds them valid`() {
    var generator = SeededGenerator(seed: 2)
    let characters: [[Character]] = [Array("ybnqiuxtdsogvh"), Array("as(){}v"), Array("a{sv}(i)r")]
    let random = (0..<30_000).map { generator.text(of: characters[$0 % 3], length: 8) }
    for text in Self.texts + random {
      #expect((Signature(text) != nil) == LibraryValidators.isSignature(text), "\(text)")
    }
  }

  @Test func `a NUL is no type`() {
    #expect(Signature("s\0") == nil)
  }

  @Test(arguments: [
    ("", []), ("s", ["s"]), ("sa{sv}x", ["s", "a{sv}", "x"]), ("(ii)a(dd)", ["(ii)", "a(dd)"]),
    ("aasa{sa{sx}}", ["aas", "a{sa{sx}}"]),
  ])
  func `a signature falls into complete types`(_ text: String, _ types: [String]) throws {
    let signature = try #require(Signature(text))
    #expect(signature.completeTypes.map { $0.rawValue } == types)
    #expect(signature.isSingleCompleteType == (types.count == 1))
    #expect(signature.description == text)
  }

  @Test(arguments: TypeCode.allCases)
  func `a code alone is a signature unless it is a container's`(_ code: TypeCode) {
    let text = Signature(code).rawValue
    #expect(text == (code.isBasic || code == .variant ? code.description : ""))
    #expect(code.isBasic == Self.isBasic(code))
  }

  private static func isBasic(_ code: TypeCode) -> Bool { !"av({".contains(code.description) }

  static let values: [(Value, String?)] = [
    (.array(.string, []), "as"),
    (.array(.empty, []), nil),
    (.array(Signature(constant: "ss"), []), nil),
    (.dictionary(key: .string, value: .variant, []), "a{sv}"),
    (.dictionary(key: .variant, value: .variant, []), nil),
    (.dictionary(key: .string, value: .empty, []), nil),
    (.structure([.byte(1), .structure([.string("")])]), "(y(s))"),
    (.structure([]), nil),
    (.structure([.structure([])]), nil),
    (.variant(.structure([])), "v"),
    (.structure(Array(repeating: .byte(0), count: 253)), "(\(String(repeating: "y", count: 253)))"),
    (.structure(Array(repeating: .byte(0), count: 254)), nil),
    (.int16(1), "n"), (.boolean(true), "b"), (.double(1), "d"), (.uint16(1), "q"),
  ]

  @Test(arguments: values)
  func `a value has the signature of its type, if any`(_ value: Value, _ text: String?) {
    #expect(value.signature?.rawValue == text)
  }

  @Test func `a value nested without end has no signature`() {
    var value = Value.byte(1)
    for _ in 0..<5_000 { value = .structure([value]) }
    #expect(value.signature == nil)
  }
}

/// What libdbus finds valid.
enum LibraryValidators {
  static func isPath(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_path($0, nil) != 0 }
  }

  static func isInterface(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_interface($0, nil) != 0 }
  }

  static func isMember(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_member($0, nil) != 0 }
  }

  static func isErrorName(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_error_name($0, nil) != 0 }
  }

  static func isBusName(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_bus_name($0, nil) != 0 }
  }

  static func isSignature(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_signature_validate($0, nil) != 0 }
  }
}
