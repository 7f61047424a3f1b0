// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

/// A message is taken exactly where libdbus takes it, whatever is wrong with it.
struct MessageValidationTests {
  private typealias Field = (code: UInt8, type: String, value: [UInt8])

  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) + [0]
  }

  private static func field(_ code: UInt8, _ type: String, _ value: String) -> Field {
    (code, type, type == "g" ? [UInt8(value.utf8.count)] + Array(value.utf8) + [0] : text(value))
  }

  private static let path = field(1, "o", "/a")
  private static let interface = field(2, "s", "a.b")
  private static let member = field(3, "s", "M")
  private static let error = field(4, "s", "a.b.E")
  private static let reply: Field = (5, "u", [7, 0, 0, 0])
  private static let types = field(8, "g", "s")

  /// Little-endian bytes, with whatever fields and body.
  private static func message(
    kind: UInt8 = 4,
    version: UInt8 = 1,
    serial: UInt8 = 1,
    _ fields: [Field] = [path, interface, member],
    body: [UInt8] = [],
    padding: UInt8 = 0
  ) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "l"), kind, 0, version]
    bytes += [UInt8(body.count), 0, 0, 0, serial, 0, 0, 0, 0, 0, 0, 0]
    for field in fields {
      while bytes.count % 8 != 0 { bytes.append(padding) }
      bytes += [field.code, UInt8(field.type.utf8.count)] + Array(field.type.utf8) + [0]
      bytes += field.value
    }
    bytes[12] = UInt8(bytes.count - 16)
    while bytes.count % 8 != 0 { bytes.append(padding) }
    return bytes + body
  }

  private static func isTaken(_ bytes: [UInt8]) -> Bool {
    let isTaken = (try? Message(bytes: bytes)) != nil
    let isTakenByLibrary = Marshalling.libdbusAccepts(bytes)
    // libdbus lets unique names have one element only.
    if isTaken || !bytes.contains(UInt8(ascii: ":")) {
      #expect(isTaken == isTakenByLibrary, "\(bytes)")
    }
    return isTaken
  }

  @Test func `each kind has its fields`() {
    let all = [Self.path, Self.interface, Self.member, Self.error, Self.reply]
    let needed: [UInt8: Set<UInt8>] = [1: [1, 3], 2: [5], 3: [4, 5], 4: [1, 2, 3]]
    for kind in 1...4 as ClosedRange<UInt8> {
      for choice in 0..<32 {
        let fields = all.enumerated().filter { choice & (1 << $0.offset) != 0 }.map { $0.element }
        let isComplete = needed[kind]?.isSubset(of: Set(fields.map { $0.code })) ?? false
        #expect(Self.isTaken(Self.message(kind: kind, fields)) == isComplete)
      }
    }
  }

  @Test func `a header that is not as it should be is refused`() {
    let good = [Self.path, Self.interface, Self.member]
    #expect(Self.isTaken(Self.message()))
    #expect(!Self.isTaken(Self.message(version: 2)))
    #expect(!Self.isTaken(Self.message(serial: 0)))
    #expect(!Self.isTaken(Self.message(padding: 1)))
    #expect(!Self.isTaken(Self.message(good + [Self.member])))
    #expect(!Self.isTaken(Self.message(good + [(5, "u", [0, 0, 0, 0])])))
    #expect(!Self.isTaken(Self.message(good + [(0, "u", [1, 0, 0, 0])])))
    #expect(Self.isTaken(Self.message(good + [(99, "u", [1, 0, 0, 0])])))
    #expect(!Self.isTaken(Self.message(good + [(99, "b", [2, 0, 0, 0])])))
    #expect(!Self.isTaken(Self.message(good + [(99, "uu", [1, 0, 0, 0, 1, 0, 0, 0])])))
    #expect(!Self.isTaken(Self.message(good, body: [1])))
    #expect(!Self.isTaken(Self.message(good + [Self.types], body: Self.text("x") + [0])))
    #expect(Self.isTaken(Self.message(good + [Self.types], body: Self.text("x"))))
    #expect(!Self.isTaken(Array(Self.message().dropLast())))
    // Of more than one message libdbus takes the first.
    #expect((try? Message(bytes: Self.message() + [0])) == nil)
    for index in [0, 1] {
      var bytes = Self.message()
      bytes[index] = 0
      #expect(!Self.isTaken(bytes))
    }
  }

  @Test(
    arguments: [
      (1, "o", "a"), (1, "o", "/a/"), (1, "o", "/org/freedesktop/DBus/Local"), (1, "s", "/a"),
      (2, "s", "a"), (2, "s", "a..b"), (2, "s", "org.freedesktop.DBus.Local"), (3, "s", "a.b"),
      (3, "s", ""), (4, "s", "a"), (6, "s", "a"), (6, "s", ""), (7, "s", "1.1"), (8, "g", "a"),
      (8, "g", "z"), (3, "g", "s"), (9, "s", "a.b"), (4, "o", "/a"),
    ] as [(UInt8, String, String)]
  )
  func `a field whose value cannot be is refused`(_ code: UInt8, _ type: String, _ value: String) {
    let others = [Self.path, Self.interface, Self.member].filter { $0.code != code }
    #expect(!Self.isTaken(Self.message(others + [Self.field(code, type, value)])))
  }

  @Test func `text is UTF-8 without NUL`() {
    let samples: [(String, [UInt8], Bool)] = [
      ("ASCII", Array("a\u{7f}\u{1}".utf8), true), ("beyond", Array("ä€𝄞\u{fffe}".utf8), true),
      ("NUL", [0x61, 0, 0x62], false), ("NUL after", Array("ä\0b".utf8), false),
      ("stray", [0x61, 0x80], false), ("cut", [0xe2, 0x82], false), ("long", [0xc0, 0xaf], false),
      ("surrogate", [0xed, 0xa0, 0x80], false), ("too far", [0xf4, 0x90, 0x80, 0x80], false),
    ]
    for (name, content, isText) in samples {
      let body = [UInt8(content.count), 0, 0, 0] + content + [0]
      let fields = [Self.path, Self.interface, Self.member, Self.types]
      #expect(Self.isTaken(Self.message(fields, body: body)) == isText, "\(name)")
    }
  }

  @Test func `containers are nested as deep as is allowed, and no deeper`() {
    let fields = [Self.path, Self.interface, Self.member, Self.field(8, "g", "v")]
    for depth in 60...68 {
      let body = [[UInt8]](repeating: [1, UInt8(ascii: "v"), 0], count: depth - 1).flatMap { $0 }
      let isTaken = Self.isTaken(Self.message(fields, body: body + [1, UInt8(ascii: "y"), 0, 7]))
      #expect(isTaken == (depth <= 64))
    }
  }

  @Test func `headers of which some bytes are wrong are taken or refused as libdbus does`() {
    var generator = SeededGenerator(seed: 11)
    let fields = [
      Self.path, Self.interface, Self.member, Self.error, Self.reply, Self.field(6, "s", ":1.1"),
      Self.field(7, "s", "a.b"), (77, "ay", [0, 0, 0, 2, 0, 0, 0, 1, 2]), Self.types,
    ]
    var taken = 0
    for _ in 0..<40_000 {
      let kind = UInt8.random(in: 1...4, using: &generator)
      var bytes = Self.message(kind: kind, fields.shuffled(using: &generator), body: Self.text("x"))
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let bit = UInt8(1) << UInt8.random(in: 0...7, using: &generator)
        let other = UInt8.random(in: 0...255, using: &generator)
        bytes[index] = Bool.random(using: &generator) ? other : bytes[index] ^ bit
      }
      guard MessageKind(rawValue: bytes[1]) != nil else { continue }
      // libdbus misses descriptors that a header promises.
      if let message = try? Message(bytes: bytes), message.fields.descriptorCount > 0 { continue }
      if Self.isTaken(bytes) { taken += 1 }
    }
    #expect(taken > 2_000 && taken < 38_000)
  }
}
