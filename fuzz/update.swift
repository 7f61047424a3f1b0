// SPDX-License-Identifier: MIT
// Everything that can be done to badges, in any order and with any values: all or nothing, and what
// holds for a book still does.
import BadgeCore

enum UpdateTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    var book = BadgeBook()
    var now: Int64 = 0
    while !input.isEmpty {
      let id = input.choice(of: ["mail", "chat", "org.example.App"])
      guard let id = try? BadgeID(id) else { continue }
      let before = book.badges.map { $0 }
      do throws(BadgeError) {
        try change(&book, id, &input, &now)
      } catch {
        precondition(book.badges.elementsEqual(before), "a refused call changed something")
        precondition(error.message.utf8.count < 1_024 && !error.message.contains("\n"))
      }
    }
    BookCheck.run(book)
  }

  private static func change(
    _ book: inout BadgeBook,
    _ id: BadgeID,
    _ input: inout FuzzInput,
    _ now: inout Int64
  ) throws(BadgeError) {
    switch input.byte() % 18 {
    case 0: _ = try book.setCount(input.signed(), for: id)
    case 1: _ = try book.setText(input.text(), for: id)
    case 2: _ = try book.setDot(for: id)
    case 3: _ = try book.setSource(input.text(), to: input.signed(), for: id)
    case 4: _ = try book.increment(id, by: input.signed())
    case 5: _ = try book.decrement(id, by: input.signed())
    case 6: _ = try book.incrementSource(input.text(), of: id, by: input.signed())
    case 7: _ = try book.decrementSource(input.text(), of: id, by: input.signed())
    case 8: _ = book.clear(id)
    case 9: _ = try book.remove(id)
    case 10: _ = try book.dismiss(id)
    case 11: _ = book.acknowledge(id)
    case 12: _ = book.setQuiet(input.byte() & 1 == 1)
    case 13:
      now += Int64(input.byte()) << 28
      _ = book.expire(now: now)
    case 14: try announce(&book, id, &input)
    case 15: _ = book.removeAll()
    default:
      let changes = (0..<input.byte() % 4).map { _ in (key(&input), value(&input)) }
      let update = try BadgeUpdate(changes)
      _ = try book.update(id, with: update, now: now, startTime: 7)
    }
  }

  private static func announce(
    _ book: inout BadgeBook,
    _ id: BadgeID,
    _ input: inout FuzzInput
  ) throws(BadgeError) {
    let flags = input.byte()
    guard flags & 8 == 0 else {
      _ = try book.announce(nil, for: id)
      return
    }
    var announcement = AppAnnouncement()
    announcement.count = input.signed()
    announcement.isCountVisible = flags & 1 == 0
    announcement.isUrgent = flags & 2 == 0
    if flags & 4 != 0 { announcement.setProgress(Double(bitPattern: input.integer())) }
    _ = try book.announce(announcement, for: id, renewed: flags & 16 == 0)
  }

  private static func key(_ input: inout FuzzInput) -> String {
    let index = Int(input.byte())
    return index < BadgeKey.allCases.count ? BadgeKey.allCases[index].name : input.text()
  }

  private static func value(_ input: inout FuzzInput) -> PropertyValue {
    switch input.byte() % 7 {
    case 0: .boolean(input.byte() & 1 == 1)
    case 1: .integer(input.signed())
    case 2: .unsigned(input.integer())
    case 3: .double(Double(bitPattern: input.integer()))
    case 4: .string(input.text())
    case 5:
      .sources(
        (0..<input.byte() % 8).map { _ in
          SourceEntry(name: input.text(), value: .integer(input.signed()))
        }
      )
    default: .unsupported(input.text())
    }
  }
}
