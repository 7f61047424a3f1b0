// SPDX-License-Identifier: MIT
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
      guard !text.hasPrefix(":") else { continue }
      #expect((BusName(text) != nil) == LibraryValidators.isBusName(text), "\(text)")
    }
  }

  @Test func `unique names need two elements, as the specification has it and libdbus does not`() {
    for text in Self.allTexts() where text.hasPrefix(":") {
      let isValid = BusName(text) != nil
      let elements = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
      let isComplete = elements.count >= 2 && !elements.contains("")
      #expect(isValid == (isComplete && LibraryValidators.isBusName(text)), "\(text)")
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
    #expect("\(BusError.noReply("late: 'x'"))" == "org.freedesktop.DBus.Error.NoReply: late: 'x'")
  }
}
