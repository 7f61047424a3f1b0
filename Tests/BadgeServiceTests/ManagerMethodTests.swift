// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

@Suite(.privateBus) struct ManagerMethodTests {
  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  private func badge(_ id: String = "mail") throws -> [String: Value] {
    try #require(try fixture.badge(id))
  }

  @Test func aNumberIsSetAndRead() throws {
    #expect(try fixture.call("Set", .string("mail"), .int64(3)) == .success([]))
    let badge = try badge()
    #expect(badge["kind"] == .string("number"))
    #expect(badge["count"] == .int64(3))
    #expect(badge["label"] == .string("3"))
    #expect(badge["visible"] == .boolean(true))
    #expect(badge["origin"] == .string("native"))
  }

  @Test func everyReadableKeyIsThereInItsType() throws {
    _ = try fixture.call("SetDot", .string("mail"))
    let badge = try badge()
    let types = [
      "kind": "s", "count": "x", "text": "s", "sources": "a{sx}", "label": "s", "visible": "b",
      "hide-at-zero": "b", "max": "x", "urgent": "b", "dismissable": "b", "dismissed": "b",
      "progress": "d", "description": "s", "icon": "s", "ttl": "d", "origin": "s", "animate": "b",
      "animation-appear": "s", "animation-change": "s", "animation-disappear": "s",
      "background": "s", "foreground": "s", "font": "s", "font-size": "d", "padding": "d",
      "min-size": "d", "fit": "s", "anchor": "s", "grow": "s", "offset-x": "d", "offset-y": "d",
    ]
    #expect(badge.mapValues { $0.signature?.rawValue ?? "" } == types)
  }

  @Test func incrementAndDecrementReturnTheCount() throws {
    let id = Value.string("mail")
    #expect(try fixture.call("Increment", id, .int64(2)) == .success([.int64(2)]))
    #expect(try fixture.call("Decrement", id, .int64(5)) == .success([.int64(0)]))
    #expect(
      try fixture.call("IncrementSource", id, .string("work"), .int64(4)) == .success([.int64(4)])
    )
    #expect(try fixture.call("Increment", id, .int64(1)) == .success([.int64(5)]))
    #expect(
      try fixture.call("DecrementSource", id, .string("work"), .int64(3)) == .success([.int64(2)])
    )
  }

  @Test func textDotClearAndRemove() throws {
    let id = Value.string("mail")
    _ = try fixture.call("SetText", id, .string("new"))
    #expect(try badge()["text"] == .string("new"))
    _ = try fixture.call("SetDot", id)
    #expect(try badge()["kind"] == .string("dot"))
    _ = try fixture.call("SetSource", id, .string("work"), .int64(2))
    #expect(try badge()["count"] == .int64(2))
    _ = try fixture.call("Clear", id)
    #expect(try badge()["visible"] == .boolean(false))
    #expect(try fixture.call("Remove", id) == .success([]))
    #expect(try fixture.badge("mail") == nil)
  }

  @Test func updateTakesAnyIntegerTypeAndSourcesOfEitherForm() throws {
    let id = Value.string("mail")
    for (number, value) in [
      Value.byte(1), .int16(2), .uint16(3), .int32(4), .uint32(5), .int64(6), .uint64(7),
    ].enumerated() {
      _ = try fixture.call(
        "Update",
        id,
        .namedValues([("count", value), ("font-size", value), ("max", value)])
      )
      #expect(try badge()["count"] == .int64(Int64(number + 1)))
      #expect(try badge()["font-size"] == .double(Double(number + 1)))
    }
    let plain = Value.dictionary(
      key: .string,
      value: Signature(.int64),
      [DictionaryEntry(key: .string("work"), value: .int64(2))]
    )
    let wrapped = Value.namedValues([("home", .uint32(3))])
    #expect(try fixture.call("Update", id, .namedValues([("sources", plain)])) == .success([]))
    #expect(try fixture.call("Update", id, .namedValues([("sources", wrapped)])) == .success([]))
    #expect(
      try badge()["sources"]?.entries == ["": .int64(7), "home": .int64(3), "work": .int64(2)]
    )
  }

  @Test func setPropertyIsUpdateWithOneKey() throws {
    _ = try fixture.call("SetProperty", .string("mail"), .string("text"), .variant(.string("hi")))
    #expect(try badge()["text"] == .string("hi"))
    let reply = try fixture.call(
      "SetProperty",
      .string("mail"),
      .string("progress"),
      .variant(.double(2))
    )
    guard case .failure(let error) = reply else {
      Issue.record("a progress above 1 was taken")
      return
    }
    #expect(error.name.rawValue == "org.badged.Badges1.Error.InvalidValue")
    #expect(error.message.contains("progress"))
  }

  @Test func listIsAllBadgesAndTheRevisionOfTheState() throws {
    for number in 1...3 { _ = try fixture.call("Set", .string("a\(number)"), .int64(1)) }
    _ = try fixture.call("Set", .string("a1"), .int64(0))
    let values = try fixture.call("List").get()
    // The change of a1 was waiting for its frame, and went out before the reply.
    #expect(values.first == .uint64(4))
    #expect(values.last?.entries.keys.sorted() == ["a1", "a2", "a3"])
    let signals = fixture.takeSignals().filter { $0.member == "Changed" }
    #expect(signals.map { $0.values[3] } == [1, 2, 3, 4].map { .uint64($0) })
  }

  @Test func removeAllReturnsHowManyWent() throws {
    for number in 1...3 { _ = try fixture.call("Set", .string("a\(number)"), .int64(1)) }
    #expect(try fixture.call("RemoveAll") == .success([.uint32(3)]))
    let signals = try fixture.take(3, "Removed").filter { $0.member == "Removed" }
    #expect(signals.map { $0.values[1] } == Array(repeating: .string("cleared-all"), count: 3))
  }

  @Test func aDismissedValueComesBackHidden() throws {
    let id = Value.string("mail")
    _ = try fixture.call("Set", id, .int64(3))
    #expect(try fixture.call("Dismiss", id) == .success([]))
    #expect(try fixture.badge("mail") == nil)
    _ = try fixture.call("Set", id, .int64(3))
    #expect(try badge()["dismissed"] == .boolean(true))
    #expect(try badge()["visible"] == .boolean(false))
    _ = try fixture.call("Set", id, .int64(4))
    #expect(try badge()["visible"] == .boolean(true))
    let reasons = fixture.takeSignals().filter { $0.member == "Removed" }.map { $0.values[1] }
    #expect(reasons == [.string("dismissed")])
  }

  @Test func acknowledgeEndsUrgency() throws {
    let id = Value.string("mail")
    _ = try fixture.call("Update", id, .namedValues([("urgent", .boolean(true))]))
    #expect(try badge()["urgent"] == .boolean(true))
    _ = try fixture.call("Acknowledge", id)
    #expect(try badge()["urgent"] == .boolean(false))
  }

  @Test func whatConcernsAnAbsentBadgeAndMaySucceedDoes() throws {
    for member in ["Clear", "Acknowledge"] {
      #expect(try fixture.call(member, .string("none")) == .success([]))
    }
    #expect(try fixture.call("SetText", .string("none"), .string("")) == .success([]))
    #expect(try fixture.badge("none") == nil)
    #expect(fixture.takeSignals() == [])
  }

  @Test func aCallWithoutAnInterfaceMeansTheManagersOwn() throws {
    #expect(
      try fixture.call("Set", .string("mail"), .int64(3), interface: nil) == .success([])
    )
    #expect(try badge()["count"] == .int64(3))
  }

  @Test(arguments: ["application://X.desktop", "application://X", "X.desktop", "X"])
  func everyFormOfAnIdMeansTheSame(_ form: String) throws {
    _ = try fixture.call("Set", .string(form), .int64(3))
    #expect(try fixture.call("List").get().last?.entries.keys.sorted() == ["X"])
  }

  @Test func nothingIsSaidForACallThatChangesNothing() throws {
    let id = Value.string("mail")
    _ = try fixture.call("Set", id, .int64(3))
    _ = try fixture.take(1, "Changed")
    _ = try fixture.call("Set", id, .int64(3))
    _ = try fixture.call("Update", id, .namedValues([]))
    _ = try fixture.call("Set", .string("other"), .int64(1))
    let signals = try fixture.take(1, "Changed")
    #expect(signals.map { $0.values[0] } == [.string("other")])
    #expect(signals.map { $0.values[3] } == [.uint64(2)])
  }
}
