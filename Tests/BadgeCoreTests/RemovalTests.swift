// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("Removing")
struct RemovalTests {
  @Test("forgets value, style and policy")
  func forgets() throws {
    var book = BadgeBook()
    _ = try book.update("mail", [("count", .integer(5)), ("background", .string("#123"))])
    #expect(try book.remove("mail") == .removed("mail", .removed))
    #expect(book["mail"] == nil && book.badges.isEmpty)
    #expect(book.record(for: "mail") == nil)
    _ = try book.setCount(5, for: "mail")
    #expect(book.read(.background, of: "mail") == .string("#FF0000"))
  }

  @Test("of what is not there is refused")
  func isRefused() {
    var book = BadgeBook()
    #expect(failure { () throws(BadgeError) in try book.remove("mail") } == .noSuchBadge("mail"))
  }

  @Test("leaves the other badges where they are found")
  func leavesOthers() throws {
    var book = BadgeBook()
    let ids: [BadgeID] = ["a", "b", "c", "d", "e"]
    for (count, id) in ids.enumerated() { _ = try book.setCount(Int64(count), for: id) }
    for (index, id) in [ids[1], ids[4], ids[0]].enumerated() {
      _ = try book.remove(id)
      #expect(book.badges.count == 4 - index)
      for (count, other) in ids.enumerated() {
        #expect(book[other]?.count == (book[other] == nil ? nil : Int64(count)))
      }
    }
    #expect(Set(book.badges.map(\.id)) == ["c", "d"])
    _ = try book.setCount(9, for: "c")
    #expect(book["c"]?.count == 9 && book["d"]?.count == 3)
  }

  @Test("all takes native badges, apps' and what is remembered")
  func takesAll() throws {
    var book = BadgeBook()
    _ = try book.setCount(1, for: "native")
    _ = try book.announce(AppAnnouncement(count: 2), for: "app")
    _ = try book.announce(AppAnnouncement(count: 3), for: "covered")
    _ = try book.setCount(4, for: "covered")
    _ = try book.update("gone", [("count", .integer(5)), ("background", .string("#123"))])
    _ = try book.dismiss("gone")
    _ = try book.announce(AppAnnouncement(count: 6), for: "dismissed")
    _ = try book.dismiss("dismissed")
    book.markSaved()
    let (count, change) = book.removeAll()
    #expect(count == 3)
    guard case .several(let changes) = change else {
      Issue.record("three badges go")
      return
    }
    #expect(
      Set(changes) == [
        .removed("native", .clearedAll), .removed("app", .clearedAll),
        .removed("covered", .clearedAll),
      ]
    )
    #expect(book.badges.isEmpty && book.nextDeadline == nil)
    #expect(book.unsaved.isSuperset(of: ["native", "app", "covered", "gone", "dismissed"]))
    // The same again, unchanged, from one who did not speak: still gone.
    #expect(try book.announce(AppAnnouncement(count: 2), for: "app", renewed: false) == .none)
    #expect(try book.announce(AppAnnouncement(count: 2), for: "app") == .updated("app"))
    #expect(try book.announce(AppAnnouncement(count: 6), for: "dismissed") == .updated("dismissed"))
    _ = try book.setCount(5, for: "gone")
    #expect(book.read(.background, of: "gone") == .string("#FF0000"))
    #expect(book.shows("gone"))
  }

  @Test("all of nothing changes nothing")
  func takesNothing() {
    var book = BadgeBook()
    let (count, change) = book.removeAll()
    #expect(count == 0 && change == .none)
  }
}
