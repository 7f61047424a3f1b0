// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("The catalogue")
struct CatalogueTests {
  /// The contract's table: name, property, keyframes, duration, pace, plays.
  private static let golden = """
    none
    bounce scale (0.0 1.5) (1.0 1.0) 0.2 bezier(0.4, 1.3, 1.0, 1.0) 1
    shrink scale (0.0 1.0) (1.0 0.0) 0.2 bezier(0.42, 0.0, 0.58, 1.0) 1
    spring scale (0.0 0.1) (1.0 1.0) 0.5 spring(damping: 0.5, velocity: 0.5) 1
    shake rotation (0.0 -5.0) (0.5 5.0) (1.0 -5.0) 0.25 linear 0
    pop scale (0.0 1.0) (0.143 0.85) (0.714 1.05) (0.857 0.95) (1.0 1.0) 0.35 linear 1
    bump translate-y (0.0 0.0) (0.283 -8.0) (0.565 0.0) (0.783 -4.0) (1.0 0.0) 0.46 linear 1
    blink opacity (0.0 0.1) (0.3333333333333333 1.0) (0.6666666666666666 0.1) (1.0 1.0) 0.3 linear 1
    breathe opacity (0.0 1.0) (0.5 0.1) (1.0 1.0) 2.8 linear 0
    """

  @Test("is the contract's")
  func isTheContracts() {
    let lines = AnimationName.allCases.map { animation in
      guard let motion = animation.motion else { return animation.rawValue }
      let keyframes = motion.keyframes.map { "(\($0.offset) \($0.value))" }
      return
        ([animation.rawValue, motion.property.rawValue] + keyframes
        + ["\(motion.duration)", "\(motion.easing)", "\(motion.plays)"]).joined(separator: " ")
    }
    #expect(lines.joined(separator: "\n") == Self.golden)
  }

  @Test("starts each play at 0 and ends it at 1, in order", arguments: AnimationName.allCases)
  func isInOrder(animation: AnimationName) {
    guard let offsets = animation.motion?.keyframes.map(\.offset) else {
      #expect(animation == .none)
      return
    }
    #expect(offsets.first == 0 && offsets.last == 1)
    #expect(offsets == offsets.sorted() && Set(offsets).count == offsets.count)
  }

  @Test("has the contract's words for all that is named")
  func hasWords() {
    #expect(
      AnimationEvent.allCases.map(\.rawValue)
        == ["disappear", "calm", "attention", "appear", "change", "none"]
    )
    #expect(AnimationHint.Direction.allCases.map(\.rawValue) == ["up", "down", "none"])
    #expect(
      RemovalReason.allCases.map(\.rawValue)
        == ["removed", "dismissed", "cleared-all", "owner-gone", "expired"]
    )
    #expect(Badge.Kind.allCases.map(\.rawValue) == ["number", "text", "dot"])
    #expect(Badge.Origin.allCases.map(\.rawValue) == ["native", "launcher-entry"])
    #expect(
      BadgeAnchor.allCases.map(\.rawValue)
        == ["top-left", "top-right", "bottom-left", "bottom-right", "center"]
    )
    #expect(BadgeGrow.allCases.map(\.rawValue) == ["head", "middle", "tail"])
    #expect(BadgeFit.allCases.map(\.rawValue) == ["grow", "shrink"])
    #expect(BadgePreset.allCases.map(\.rawValue) == ["badge", "counter"])
    #expect(
      AnimationMotion.Property.allCases.map(\.rawValue) == [
        "scale", "rotation", "opacity", "translate-y",
      ]
    )
  }
}

/// An appearance from shorthand.
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

/// A subscriber that receives a hint for each change.
private struct Subscriber {
  var book = BadgeBook()
  private var last: BadgeAppearance?

  /// Makes a change and gives the hint for it.
  mutating func hint(_ change: (inout BadgeBook) throws -> Void) rethrows -> String {
    try change(&book)
    let now = book.appearance(of: "mail")
    let hint = AnimationHint(from: last, to: now, animating: true)
    last = now
    return "\(hint.event.rawValue) \(hint.animation.rawValue) \(hint.direction.rawValue)"
  }
}

@Suite("The three components of an iOS app")
struct ComponentTests {
  @Test("a button's badge pops in, bounces when it counts, and shrinks away at zero")
  func button() throws {
    var subscriber = Subscriber()
    #expect(try subscriber.hint { _ = try $0.setCount(1, for: "mail") } == "appear none none")
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "change bounce up")
    #expect(try subscriber.hint { _ = try $0.setCount(1_000, for: "mail") } == "change bounce up")
    #expect(subscriber.book["mail"]?.label == "999+")
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "none none up")
    #expect(try subscriber.hint { _ = try $0.setText("new", for: "mail") } == "change bounce none")
    #expect(try subscriber.hint { _ = try $0.setCount(3, for: "mail") } == "change bounce none")
    #expect(try subscriber.hint { _ = try $0.decrement("mail") } == "change bounce down")
    #expect(try subscriber.hint { _ = try $0.setCount(0, for: "mail") } == "disappear shrink down")
    #expect(
      try subscriber.hint {
        _ = try $0.update("mail", [("hide-at-zero", .boolean(false))])
      } == "appear none none"
    )
    #expect(subscriber.book["mail"]?.label == "0")
    #expect(
      try subscriber.hint {
        _ = try $0.update(
          "mail",
          [
            ("animation-change", .string("pop")), ("background", .string("#0A84FF")),
            ("foreground", .string("#FFF")), ("font", .string("Inter")),
            ("font-size", .integer(11)),
            ("offset-x", .integer(-8)), ("offset-y", .double(-2.5)),
            ("anchor", .string("top-left")),
            ("grow", .string("middle")), ("min-size", .integer(16)), ("padding", .integer(4)),
          ]
        )
      } == "none none none"
    )
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "change pop up")
    #expect(try subscriber.hint { _ = try $0.remove("mail") } == "disappear shrink none")
  }

  @Test("a counter's label springs at each number and leaves at once")
  func counter() throws {
    var subscriber = Subscriber()
    #expect(
      try subscriber.hint {
        _ = try $0.update("mail", [("preset", .string("counter")), ("count", .integer(1))])
      } == "appear spring none"
    )
    let style = try #require(subscriber.book["mail"]?.style)
    #expect(style.background.description == "#09BB07" && style.fontSize == 14)
    #expect(style.fit == .shrink && style.minimumSize == 20 && style.padding == 0)
    #expect(style.anchor == .center && style.grow == .middle)
    #expect(style.offsetX == 0 && style.offsetY == 0)
    #expect(style.appear.motion?.easing == .spring(damping: 0.5, velocity: 0.5))
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "change spring up")
    #expect(try subscriber.hint { _ = try $0.decrement("mail") } == "change spring down")
    // A stepper passes through what is below zero.
    #expect(try subscriber.hint { _ = try $0.setCount(-1, for: "mail") } == "disappear none down")
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "none none up")
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "appear spring up")
  }

  @Test("an urgent badge shakes until it is acknowledged")
  func shaking() throws {
    var subscriber = Subscriber()
    #expect(try subscriber.hint { _ = try $0.setCount(1, for: "mail") } == "appear none none")
    #expect(
      try subscriber.hint {
        _ = try $0.update("mail", [("urgent", .boolean(true))])
      } == "attention shake none"
    )
    #expect(AnimationName.shake.motion?.plays == 0)
    #expect(try subscriber.hint { _ = try $0.increment("mail") } == "attention shake up")
    #expect(
      try subscriber.hint {
        _ = try $0.update("mail", [("background", .string("#123"))])
      } == "none none none"
    )
    #expect(subscriber.hint { _ = $0.acknowledge("mail") } == "calm none none")
    #expect(subscriber.hint { _ = $0.acknowledge("mail") } == "none none none")
    #expect(
      try subscriber.hint {
        _ = try $0.update("mail", [("urgent", .boolean(true))])
      } == "attention shake none"
    )
    #expect(subscriber.hint { _ = $0.clear("mail") } == "disappear shrink down")
  }
}
