// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

/// A subscriber that is told of each change, as the bus would tell it.
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
