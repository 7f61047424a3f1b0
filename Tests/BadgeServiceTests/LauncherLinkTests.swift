// SPDX-License-Identifier: MIT
import BadgeCore
import LauncherEntry
import Testing

@testable import BadgeService

@Suite("What docks are to show for a badge")
struct OutwardStateTests {
  private let id: BadgeID
  private var book = BadgeBook()

  init() throws {
    id = try BadgeID("mail")
  }

  private func state() -> DockState? {
    book[id].flatMap { DockState($0, isQuiet: book.isQuiet) }
  }

  @Test(
    "is the number, and whether it shows",
    arguments: [(5, true), (0, false), (-3, false)] as [(Int64, Bool)]
  )
  mutating func number(count: Int64, isVisible: Bool) throws {
    _ = try book.setCount(count, for: id)
    #expect(state() == DockState(count: count, isCountVisible: isVisible))
  }

  @Test("is presence for a text or a dot")
  mutating func presence() throws {
    _ = try book.setText("new", for: id)
    #expect(state() == DockState(count: 1, isCountVisible: true))
    _ = try book.setDot(for: id)
    #expect(state() == DockState(count: 1, isCountVisible: true))
  }

  @Test("holds progress and urgency, of a badge without a value too, and nothing of style alone")
  mutating func placeholder() throws {
    _ = try book.update(id, with: BadgeUpdate([("max", .integer(9))]), now: 0)
    #expect(state() == nil)
    _ = try book.update(id, with: BadgeUpdate([("progress", .double(0.5))]), now: 0)
    #expect(state() == DockState(count: 0, isCountVisible: false, progress: 0.5))
    _ = try book.update(id, with: BadgeUpdate([("urgent", .boolean(true))]), now: 0)
    #expect(state()?.isUrgent == true)
  }

  @Test("is nothing to be seen while the person is not to be disturbed")
  mutating func quiet() throws {
    _ = try book.update(
      id,
      with: BadgeUpdate([
        ("count", .integer(5)), ("progress", .double(0.5)), ("urgent", .boolean(true)),
      ]),
      now: 0
    )
    _ = book.setQuiet(true)
    #expect(state() == DockState(count: 5, isCountVisible: false))
  }

  @Test("is nothing to be seen of a value that was dismissed")
  mutating func dismissed() throws {
    _ = try book.setCount(5, for: id)
    _ = try book.dismiss(id)
    #expect(state() == nil)
    _ = try book.setCount(5, for: id)
    #expect(state()?.isCountVisible == false)
    _ = try book.setCount(6, for: id)
    #expect(state() == DockState(count: 6, isCountVisible: true))
  }

  @Test("is none for an app's own badge, and is one again for a native badge over it")
  mutating func app() throws {
    _ = try book.announce(announced(3), for: id)
    #expect(state() == nil)
    _ = try book.setCount(5, for: id)
    #expect(state()?.count == 5)
    _ = try book.remove(id)
    #expect(state() == nil)
  }
}

private func announced(_ count: Int64) -> AppAnnouncement {
  var announcement = AppAnnouncement()
  announcement.count = count
  return announcement
}
