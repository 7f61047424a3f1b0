// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

@Suite(.privateBus) struct BadgeObjectTests {
  static let interface = "org.badged.Badges1.Badge"
  static let manager = ObjectPath(constant: "/org/badged/Badges1")
  static let mail = ObjectPath(constant: "/org/badged/Badges1/badge/mail")

  let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
  }

  private func managedObjects() throws -> [String: [String: Value]] {
    let reply = try fixture.call(
      "GetManagedObjects",
      interface: "org.freedesktop.DBus.ObjectManager"
    )
    guard case .dictionary(_, _, let entries) = try reply.get().first else { return [:] }
    var objects: [String: [String: Value]] = [:]
    for entry in entries {
      guard case .objectPath(let path) = entry.key else { continue }
      objects[path.rawValue] = entry.value.entries[Self.interface]?.entries
    }
    return objects
  }

  private func get(_ name: String, at path: ObjectPath = mail) throws -> Value? {
    let reply = try fixture.properties(
      "Get",
      .string(Self.interface),
      .string(name),
      at: path
    )
    guard case .variant(let value) = try reply.get().first else { return nil }
    return value
  }

  private func set(_ name: String, _ value: Value) throws -> String? {
    let reply = try fixture.properties(
      "Set",
      .string(Self.interface),
      .string(name),
      .variant(value),
      at: Self.mail
    )
    guard case .failure(let error) = reply else { return nil }
    return error.name.rawValue
  }

  @Test(arguments: [
    ("mail", "mail"), ("org.mozilla.Thunderbird", "org_2emozilla_2eThunderbird"),
    ("My App", "My_20App"), ("a_b", "a_5fb"), ("é", "_c3_a9"), ("9", "9"),
  ])
  func eachBadgeIsAnObjectUnderItsEscapedID(_ id: String, _ element: String) throws {
    _ = try fixture.call("Set", .string(id), .int64(3))
    let path = try #require(ObjectPath("/org/badged/Badges1/badge/\(element)"))
    #expect(try managedObjects().keys.sorted() == [path.rawValue])
    #expect(try get("Count", at: path) == .int64(3))
  }

  @Test func theObjectHasTheReadableKeysInCamelCase() throws {
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    let badge = try #require(try fixture.badge("mail"))
    let object = try #require(try managedObjects()[Self.mail.rawValue])
    let expected = badge.map { key, value in
      (key.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(), value)
    }
    #expect(object == Dictionary(uniqueKeysWithValues: expected))
  }

  @Test func whatUpdateTakesCanBeSet() throws {
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    #expect(try set("HideAtZero", .boolean(false)) == nil)
    #expect(try set("Count", .int32(0)) == nil)
    #expect(try set("Background", .string("#09f")) == nil)
    #expect(try get("Background") == .string("#0099FF"))
    #expect(try get("Visible") == .boolean(true))
    #expect(try set("Progress", .double(2)) == "org.badged.Badges1.Error.InvalidValue")
    #expect(try set("Label", .string("x")) == "org.freedesktop.DBus.Error.PropertyReadOnly")
    #expect(try set("Colour", .string("x")) == "org.freedesktop.DBus.Error.UnknownProperty")
  }

  @Test func whatNobodyAskedForIsNotSent() throws {
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    _ = try fixture.call("Remove", .string("mail"))
    let members = try fixture.take(1, "Removed").map(\.member)
    #expect(members == ["Changed", "Removed"])
  }

  @Test func thoseWhoAskedFollowTheObjects() throws {
    _ = try managedObjects()
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    let added = try #require(
      try fixture.take(1, "InterfacesAdded").first { $0.member == "InterfacesAdded" }
    )
    #expect(added.path == Self.manager.rawValue)
    #expect(added.values.first == .objectPath(Self.mail))
    #expect(added.values.last?.entries[Self.interface]?.entries["Count"] == .int64(3))

    _ = try fixture.call("List")
    _ = try fixture.call("Set", .string("mail"), .int64(5))
    let changed = try #require(
      try fixture.take(1, "PropertiesChanged").first { $0.member == "PropertiesChanged" }
    )
    #expect(changed.path == Self.mail.rawValue)
    #expect(changed.values[0] == .string(Self.interface))
    #expect(changed.values[1].entries == ["Count": .int64(5), "Label": .string("5")])
    #expect(changed.values[2] == .array(.string, []))

    _ = try fixture.call("Remove", .string("mail"))
    let removed = try #require(
      try fixture.take(1, "InterfacesRemoved").first { $0.member == "InterfacesRemoved" }
    )
    #expect(
      removed.values == [.objectPath(Self.mail), .array(.string, [.string(Self.interface)])]
    )
  }

  @Test func aPropertiesCallOnABadgeBeginsIt() throws {
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    #expect(try get("Count") == .int64(3))
    _ = try fixture.call("Set", .string("mail"), .int64(4))
    let signals = try fixture.take(1, "PropertiesChanged")
    #expect(signals.last?.path == Self.mail.rawValue)
  }

  @Test func aReadShowsWhatWasSignalled() throws {
    for count: Int64 in [1, 2, 3] { _ = try fixture.call("Set", .string("mail"), .int64(count)) }
    #expect(try get("Count") == .int64(3))
    #expect(
      fixture.takeSignals().last { $0.member == "Changed" }?.values[1].entries["count"] == .int64(3)
    )
  }

  @Test func anObjectHasOnePathOnly() throws {
    _ = try fixture.call("Set", .string("mail"), .int64(3))
    for element in ["_6dail", "mail_", "mail_2edesktop", "Mail"] {
      let path = try #require(ObjectPath("/org/badged/Badges1/badge/\(element)"))
      let reply = try fixture.properties("GetAll", .string(Self.interface), at: path)
      guard case .failure(let error) = reply else {
        Issue.record("\(path) is an object")
        continue
      }
      #expect(error.name == .unknownObject)
    }
  }

  @Test func objectsAreFoundFromTheRootDown() throws {
    _ = try fixture.call("Set", .string("a.b"), .int64(3))
    var path = "/"
    for child in ["org", "badged", "Badges1", "badge", "a_2eb"] {
      let reply = try fixture.call(
        "Introspect",
        interface: "org.freedesktop.DBus.Introspectable",
        at: try #require(ObjectPath(path))
      )
      let text = try #require(try reply.get().first?.text)
      #expect(text.contains("<node name=\"\(child)\""), "\(path)")
      path += path == "/" ? child : "/\(child)"
    }
  }
}
