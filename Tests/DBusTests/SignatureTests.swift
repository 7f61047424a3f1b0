// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

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
    #expect(signature.completeTypeCount == types.count)
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
