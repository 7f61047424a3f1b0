// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

/// A state of a badge, in a word.
///
/// `5`, `v2` or `•`, with `!` when urgent, `q` when quiet, `s` when it does not animate; `-` for no
/// badge.
private func state(_ words: String) throws -> BadgeAppearance? {
  guard words != "-" else { return nil }
  var book = BadgeBook()
  var value = words[...]
  var changes: [(String, PropertyValue)] = [
    ("animation-appear", .string("pop")), ("animation-change", .string("bump")),
    ("animation-disappear", .string("blink")),
  ]
  while let mark = value.last, "!qs".contains(mark) {
    value.removeLast()
    switch mark {
    case "!": changes.append(("urgent", .boolean(true)))
    case "q": _ = book.setQuiet(true)
    default: changes.append(("animate", .boolean(false)))
    }
  }
  switch BadgeCount.read(String(value), allowsSign: true) {
  case .count(let number): changes.append(("count", .integer(number)))
  default:
    changes.append(
      value == "•" ? ("kind", .string("dot")) : ("text", .string(String(value)))
    )
  }
  _ = try book.update("mail", changes)
  return book.appearance(of: "mail")
}

@Suite("The hint")
struct HintTests {
  private typealias Row = (from: String, to: String, hint: String)

  private static let plain: [Row] = [
    ("-", "5", "appear pop none"),
    ("-", "v2", "appear pop none"),
    ("-", "•", "appear pop none"),
    ("-", "0", "none none none"),
    ("-", "-3", "none none none"),
    ("0", "5", "appear pop up"),
    ("-3", "5", "appear pop up"),
    ("0", "v2", "appear pop none"),
    ("5", "6", "change bump up"),
    ("6", "5", "change bump down"),
    ("5", "v2", "change bump none"),
    ("v2", "5", "change bump none"),
    ("v2", "v3", "change bump none"),
    ("é", "e\u{301}", "change bump none"),
    ("5", "•", "change bump none"),
    ("•", "v2", "change bump none"),
    ("5", "5", "none none none"),
    ("1000", "1001", "none none up"),
    ("1001", "1000", "none none down"),
    ("999+", "1000", "none none none"),
    ("5", "0", "disappear blink down"),
    ("5", "-3", "disappear blink down"),
    ("v2", "0", "disappear blink none"),
    ("5", "-", "disappear blink none"),
    ("•", "-", "disappear blink none"),
    ("0", "-", "none none none"),
    ("0", "-3", "none none down"),
    ("-3", "0", "none none up"),
    ("-", "-", "none none none"),
  ]

  private static let urgent: [Row] = [
    ("-", "5!", "attention shake none"),
    ("-", "0!", "none none none"),
    ("5", "5!", "attention shake none"),
    ("5", "6!", "attention shake up"),
    ("0", "5!", "attention shake up"),
    ("0!", "5!", "attention shake up"),
    ("5!", "6!", "attention shake up"),
    ("5!", "v2!", "attention shake none"),
    ("5!", "5!", "none none none"),
    ("1000!", "1001!", "none none up"),
    ("0", "0!", "none none none"),
    ("0!", "0", "calm none none"),
    ("5!", "5", "calm none none"),
    ("5!", "6", "calm none up"),
    ("0!", "5", "calm none up"),
    ("5!", "0", "disappear blink down"),
    ("5!", "0!", "disappear blink down"),
    ("5!", "-", "disappear blink none"),
    ("0!", "-", "none none none"),
  ]

  private static let quiet: [Row] = [
    ("5", "5q", "disappear none none"),
    ("5q", "5", "appear none none"),
    ("5q", "5!", "attention none none"),
    ("5!q", "5!", "attention none none"),
    ("5!", "5!q", "disappear none none"),
    ("5q", "7", "appear none up"),
    ("5", "0q", "disappear none down"),
    ("5q", "6q", "none none up"),
    ("5q", "5!q", "none none none"),
    ("5!q", "5q", "calm none none"),
    ("0", "0q", "none none none"),
    ("0q", "0!", "none none none"),
    ("5q", "-", "none none none"),
    ("-", "5q", "none none none"),
    ("-", "5!q", "none none none"),
  ]

  private static let still: [Row] = [
    ("-", "5s", "appear none none"),
    ("5", "6s", "change none up"),
    ("5s", "6", "change bump up"),
    ("5", "0s", "disappear none down"),
    ("5s", "-", "disappear none none"),
    ("5", "-", "disappear blink none"),
    ("5", "5!s", "attention none none"),
    ("5!s", "5s", "calm none none"),
  ]

  @Test("is the first that applies", arguments: plain + urgent)
  private func isFirst(from: String, to: String, hint expected: String) throws {
    let hint = AnimationHint(from: try state(from), to: try state(to), animating: true)
    #expect(text(hint) == expected)
  }

  @Test("keeps its event, and names nothing, for what Quiet shows or hides", arguments: quiet)
  private func isNothingByQuiet(from: String, to: String, hint expected: String) throws {
    let hint = AnimationHint(from: try state(from), to: try state(to), animating: true)
    #expect(text(hint) == expected)
  }

  @Test("keeps its event, and names nothing, where the badge does not animate", arguments: still)
  private func isNothingWhereStill(from: String, to: String, hint expected: String) throws {
    let hint = AnimationHint(from: try state(from), to: try state(to), animating: true)
    #expect(text(hint) == expected)
  }

  @Test(
    "keeps its event and direction, and names nothing, while nothing animates",
    arguments: plain + urgent + quiet + still
  )
  private func isNothingWhileStill(from: String, to: String, hint expected: String) throws {
    let hint = AnimationHint(from: try state(from), to: try state(to), animating: false)
    let words = expected.split(separator: " ")
    #expect(text(hint) == "\(words[0]) none \(words[2])")
  }

  private func text(_ hint: AnimationHint) -> String {
    "\(hint.event.rawValue) \(hint.animation.rawValue) \(hint.direction.rawValue)"
  }

  @Test("of an app's number that the app hides or shows is as for any other")
  func isForApps() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    let shown = book.appearance(of: "app")
    _ = try book.announce(AppAnnouncement(count: 5, isCountVisible: false), for: "app")
    let hidden = book.appearance(of: "app")
    #expect(AnimationHint(from: shown, to: hidden, animating: true).event == .disappear)
    #expect(
      AnimationHint(from: hidden, to: shown, animating: true)
        == AnimationHint(event: .appear, animation: .none, direction: .none)
    )
  }

  @Test("of a badge that comes back dismissed is none")
  func isNoneForDismissed() throws {
    var book = BadgeBook()
    _ = try book.setCount(5, for: "mail")
    _ = try book.dismiss("mail")
    _ = try book.setCount(5, for: "mail")
    let back = book.appearance(of: "mail")
    #expect(AnimationHint(from: nil, to: back, animating: true).event == .none)
    _ = try book.setCount(6, for: "mail")
    #expect(
      AnimationHint(from: back, to: book.appearance(of: "mail"), animating: true)
        == AnimationHint(event: .appear, animation: .none, direction: .up)
    )
  }
}
