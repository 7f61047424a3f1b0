// SPDX-License-Identifier: MIT
@testable import BadgeCore

/// What holds for a book, whatever was done to it.
enum BookCheck {
  static func run(_ book: BadgeBook) {
    var (total, visible, natives, sources) = (Int128(0), 0, 0, 0)
    for badge in book.badges {
      check(badge, isQuiet: book.isQuiet)
      natives += badge.origin == .native ? 1 : 0
      sources += badge.namedSources.count
      guard badge.isVisible(quiet: book.isQuiet) else { continue }
      visible += 1
      if badge.kind == .number { total += Int128(badge.count) }
    }
    precondition(natives <= BadgeLimits.nativeBadges && sources <= BadgeLimits.sources)
    precondition(book.visibleCount == visible)
    precondition(book.total == BadgeCount.saturated(total))
    checkRecords(of: book)
  }

  private static func check(_ badge: Badge, isQuiet: Bool) {
    let named = badge.namedSources.reduce(Int128(0)) { $0 + Int128($1.count) }
    var unnamed = Int128(0)
    if case .number(let number) = badge.unnamed { unnamed = Int128(number) }
    precondition(badge.count == BadgeCount.saturated(unnamed + named))
    precondition(badge.namedSources.count <= BadgeLimits.sourcesPerBadge)
    let shows =
      badge.origin == .native
      ? badge.kind != .number || !badge.hidesAtZero || badge.count > 0
      : badge.showsCount && badge.count > 0
    precondition(badge.isVisible(quiet: isQuiet) == (shows && !isQuiet && !badge.isDismissed))
    let limits: [BadgeKey: Int] = [
      .text: BadgeLimits.textBytes, .description: BadgeLimits.textBytes,
      .icon: BadgeLimits.nameBytes,
      .font: BadgeLimits.nameBytes,
    ]
    for key in BadgeKey.allCases where key.isReadable {
      let value = badge.value(of: key, now: 0, quiet: isQuiet)
      precondition(value != nil)
      guard case .string(let text)? = value, let limit = limits[key] else { continue }
      precondition(TextRules.isText(text, upTo: limit))
    }
  }

  /// A restart brings everything back, and a second one changes nothing more.
  private static func checkRecords(of book: BadgeBook) {
    let records = book.recordedIDs.compactMap { book.record(for: $0) }
    let restored = BadgeBook(records: records) { preconditionFailure("\($0) is not restored") }
    for badge in book.badges where badge.origin == .native {
      guard var again = restored[badge.id] else { preconditionFailure("\(badge.id) is gone") }
      // Which app's announcement may take its place is said by apps themselves.
      again.showsCount = badge.showsCount
      precondition(again == badge)
    }
    let twice = restored.recordedIDs.compactMap { restored.record(for: $0) }
    let again = BadgeBook(records: twice)
    for id in restored.recordedIDs {
      precondition(again.record(for: id) == restored.record(for: id))
    }
  }
}
