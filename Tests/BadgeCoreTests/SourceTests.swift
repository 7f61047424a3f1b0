// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("Sources")
struct SourceTests {
  private func text(_ badge: Badge?) -> String {
    let sources = badge?.sources.map { "\($0.name)=\($0.count)" } ?? []
    return
      "\(badge?.kind.rawValue ?? "?") \(badge?.count ?? -99) [\(sources.joined(separator: " "))]"
  }

  @Test("add up, are listed by name, and are gone at zero")
  func addUp() throws {
    var book = BadgeBook()
    #expect(try book.setSource("work", to: 3, for: "mail") == .updated("mail"))
    #expect(text(book["mail"]) == "number 3 [work=3]")
    _ = try book.setSource("home", to: 2, for: "mail")
    #expect(text(book["mail"]) == "number 5 [home=2 work=3]")
    _ = try book.setCount(10, for: "mail")
    #expect(text(book["mail"]) == "number 15 [=10 home=2 work=3]")
    #expect(try book.setSource("home", to: 2, for: "mail") == .none)
    #expect(try book.setSource("home", to: 4, for: "mail") == .updated("mail"))
    #expect(try book.setSource("home", to: 0, for: "mail") == .updated("mail"))
    #expect(try book.setSource("home", to: 0, for: "mail") == .none)
    #expect(text(book["mail"]) == "number 13 [=10 work=3]")
    _ = try book.setSource("work", to: 0, for: "mail")
    #expect(text(book["mail"]) == "number 10 []")
    #expect(book["mail"]?.isPlain == true)
  }

  @Test("may be negative, and the sum hidden for it")
  func mayBeNegative() throws {
    var book = BadgeBook()
    _ = try book.setSource("a", to: -5, for: "mail")
    #expect(text(book["mail"]) == "number -5 [a=-5]")
    #expect(!book.shows("mail"))
    _ = try book.setCount(6, for: "mail")
    #expect(book["mail"]?.count == 1 && book.shows("mail"))
  }

  @Test(
    "decide the kind under a dot, and never under a text",
    arguments: [
      (UnnamedValue.dot, 3, "number 3 [a=3]"), (.dot, 0, "dot 0 []"), (.dot, -3, "dot -3 [a=-3]"),
      (.number(0), -3, "number -3 [a=-3]"), (.number(0), 0, "number 0 []"),
    ] as [(UnnamedValue, Int64, String)]
  )
  func decideKind(unnamed: UnnamedValue, count: Int64, expected: String) throws {
    var book = BadgeBook()
    _ = try book.set(unnamed, for: "mail")
    _ = try book.setSource("a", to: count, for: "mail")
    #expect(text(book["mail"]) == expected)
    _ = try book.setText("v2", for: "mail")
    #expect(book["mail"]?.kind == .text)
    #expect(book["mail"]?.label == "v2")
    #expect(book["mail"]?.count == count)
  }

  @Test("saturate together at both ends, and each keeps its own")
  func saturate() throws {
    var book = BadgeBook()
    _ = try book.setCount(BadgeCount.maximum, for: "mail")
    _ = try book.setSource("a", to: BadgeCount.maximum, for: "mail")
    #expect(book["mail"]?.count == BadgeCount.maximum)
    _ = try book.setSource("a", to: BadgeCount.minimum, for: "mail")
    #expect(book["mail"]?.count == 0)
    _ = try book.setCount(BadgeCount.minimum, for: "mail")
    #expect(book["mail"]?.count == BadgeCount.minimum)
    for number in 0..<63 {
      _ = try book.setSource("s\(number)", to: BadgeCount.maximum, for: "mail")
    }
    #expect(book["mail"]?.count == BadgeCount.maximum)
    #expect(book["mail"]?.namedSources.count == 64)
  }

  @Test("count up and down, and return the badge's count")
  func count() throws {
    var book = BadgeBook()
    #expect(try book.incrementSource("a", of: "mail", by: 2).count == 2)
    #expect(try book.incrementSource("b", of: "mail").count == 3)
    #expect(try book.incrementSource("b", of: "mail", by: 0).change == .none)
    #expect(try book.decrementSource("a", of: "mail", by: 5).count == 1)
    #expect(text(book["mail"]) == "number 1 [b=1]")
    #expect(try book.decrementSource("c", of: "mail").change == .none)
    _ = try book.setSource("b", to: -4, for: "mail")
    #expect(try book.decrementSource("b", of: "mail").count == -4)
    #expect(try book.incrementSource("b", of: "mail", by: .max).count == BadgeCount.maximum)
    #expect(try book.incrementSource("", of: "mail", by: 1).count == BadgeCount.maximum)
    #expect(try book.decrementSource("", of: "mail", by: 1).count == BadgeCount.maximum)
    #expect(book["mail"]?.unnamed == .number(0))
  }

  @Test("of a dot stay beside it")
  func stayBesideDot() throws {
    var book = BadgeBook()
    _ = try book.setSource("a", to: 2, for: "mail")
    _ = try book.setDot(for: "mail")
    #expect(text(book["mail"]) == "number 2 [a=2]")
    #expect(try book.decrementSource("a", of: "mail", by: 2).count == 0)
    #expect(text(book["mail"]) == "dot 0 []")
  }

  @Test("are merged by Update, where 0 drops one and the empty name is the unnamed source")
  func areMerged() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("sources", .counts(["a": 1, "b": 2]))])
    _ = try book.update("mail", [("sources", .counts(["": 5, "a": 0, "c": 3]))])
    #expect(text(book["mail"]) == "number 10 [=5 b=2 c=3]")
    #expect(
      book.read(.sources, of: "mail") == .counts(["": 5, "b": 2, "c": 3])
    )
    #expect(try book.update("mail", [("sources", .sources([]))]) == .none)
    #expect(try book.update("mail", [("sources", .counts(["b": 2]))]) == .none)
  }

  @Test("have names by the rules of an id")
  func haveNames() throws {
    var book = BadgeBook()
    _ = try book.setSource("application://org.x.Mail.desktop", to: 1, for: "mail")
    #expect(text(book["mail"]) == "number 1 [org.x.Mail=1]")
    for name in [" a", "a/b", "a\n", String(repeating: "x", count: 256)] {
      let error = failure { () throws(BadgeError) in try book.setSource(name, to: 1, for: "mail") }
      #expect(error?.message.hasPrefix("source: '") == true)
      #expect(error?.name == "InvalidValue")
      #expect(
        failure { () throws(BadgeError) in try book.incrementSource(name, of: "mail") } == error
      )
      #expect(
        failure { () throws(BadgeError) in try book.decrementSource(name, of: "mail") } == error
      )
    }
  }

  @Test("whose names Unicode calls equal are two")
  func compareBytes() throws {
    var book = BadgeBook()
    _ = try book.setSource("é", to: 1, for: "mail")
    _ = try book.setSource("e\u{301}", to: 2, for: "mail")
    #expect(book["mail"]?.count == 3)
    #expect(book["mail"]?.namedSources.count == 2)
  }
}
