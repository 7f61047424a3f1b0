// SPDX-License-Identifier: MIT
import BadgeCore
import TestSupport
import Testing

/// What is written for people agrees with the interface description and the tables of the code.
@Suite struct DocumentTests {
  static let managerName = "org.badged.Badges1"
  static let badgeName = "org.badged.Badges1.Badge"

  let document: InterfaceDocument
  let manager: InterfaceDocument.Interface
  let badge: InterfaceDocument.Interface

  init() throws {
    document = InterfaceDocument(try Project.text("dbus/org.badged.Badges1.xml"))
    manager = try #require(document.interfaces[Self.managerName])
    badge = try #require(document.interfaces[Self.badgeName])
  }

  @Test("The description holds the two interfaces and every kind of member")
  func descriptionIsRead() {
    #expect(Set(document.interfaces.keys) == [Self.managerName, Self.badgeName])
    #expect(
      manager.methods["Increment"]?.map(\.description) == ["in s id", "in x by", "out x count"]
    )
    #expect(manager.signals["Removed"]?.map(\.type) == ["s", "s", "a{sv}", "t"])
    #expect(manager.properties["Revision"]?.emits == "false")
    #expect(manager.methods.count == 17)
  }

  @Test("A badge object has each readable key as a property, written as Update takes it")
  func badgePropertiesAreTheKeys() {
    var expected: [String: InterfaceDocument.Property] = [:]
    for key in BadgeKey.allCases where key.isReadable {
      expected[key.propertyName] = InterfaceDocument.Property(
        type: key.signature,
        access: key.isWritable ? "readwrite" : "read"
      )
    }
    #expect(badge.properties == expected)
    #expect(badge.methods.isEmpty && badge.signals.isEmpty)
  }

  @Test("Each member is explained in the description, argument by argument")
  func membersAreExplained() throws {
    let text = try Project.text("dbus/org.badged.Badges1.xml")
    let comments = text.matches(of: #/(?s)<!--(.*?)-->/#).map { String($0.1) }
    func comment(_ member: String) -> String? {
      comments.first { $0.trimmingPrefix(while: \.isWhitespace).hasPrefix("\(member):\n") }
    }
    for (member, arguments) in manager.methods.merging(manager.signals, uniquingKeysWith: { $1 }) {
      let explanation = try #require(comment(member), "\(member) is not explained")
      for argument in arguments {
        #expect(explanation.contains("@\(argument.name):"), "\(member): \(argument.name)")
      }
    }
    for property in manager.properties.merging(badge.properties, uniquingKeysWith: { $1 }).keys {
      #expect(comment(property) != nil, "\(property) is not explained")
    }
  }

  @Test("badged-dbus(5) names each method and signal with its arguments, and each property")
  func manualNamesMembers() throws {
    let manual = try Project.text("man/badged-dbus.5")
    for (name, arguments) in manager.methods {
      let inward = arguments.filter { $0.direction == "in" }
      let list = inward.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
      #expect(manual.contains(".It Li \"\(name)(\(list))\""), "\(name)")
      let outward = arguments.filter { $0.direction == "out" }
      let result = outward.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
      #expect(result.isEmpty || manual.contains(" \\(-> \(result)\n"), "\(name)")
    }
    for (name, arguments) in manager.signals {
      let list = arguments.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
      #expect(manual.contains(".It Li \"\(name)(\(list))\""), "\(name)")
    }
    for (name, property) in manager.properties {
      let note = property.access == "readwrite" ? " , writable" : ""
      #expect(manual.contains(".It Li \(name) Pq \(property.type)\(note)\n"), "\(name)")
    }
    for name in badge.properties.keys {
      #expect(manual.contains(try Regex("Li .*\\b\(name)\\b")), "\(name)")
    }
  }

  @Test("badged-dbus(5) has each key with its type and default", arguments: BadgeKey.allCases)
  func manualNamesKeys(key: BadgeKey) throws {
    let manual = try Project.text("man/badged-dbus.5")
    let note =
      switch (key.isReadable, key.isWritable, key.defaultValue) {
      case (true, false, _): " , read only"
      case (false, _, _): " , write only"
      case (true, true, .none): ""
      case (true, true, .some(let value)): " , default \(Self.inManual(value))"
      }
    #expect(manual.contains(".It Li \(key.name) Pq \(key.signature)\(note)\n"))
  }

  @Test("badged(1) has each option that badged --help has, and no other")
  func manualNamesOptions() throws {
    let manual = try Project.text("man/badged.1")
    let help = try SpawnedProcess.run(try productPath("badged"), ["--help"]).output
    let offered = Set(help.matches(of: #/--([a-z-]+)/#).map { String($0.1) })
    let explained = Set(
      manual.matches(of: #/\.It (?:Fl [a-zA-Z] , )?Fl -([a-z-]+)/#).map { String($0.1) }
    )
    #expect(!offered.isEmpty && offered == explained)
  }

  @Test("badged-dbus(5) and the README name each error")
  func errorsAreNamed() throws {
    let manual = try Project.text("man/badged-dbus.5")
    let readme = try Project.text("README.md")
    for name in ["NoSuchBadge", "InvalidId", "InvalidValue", "NotDismissable"] {
      #expect(manual.contains(".It Li org.badged.Badges1.Error.\(name)\n"), "\(name)")
      #expect(readme.contains(".\(name)`"), "\(name)")
    }
    let standard = [
      "InvalidArgs", "LimitsExceeded", "UnknownMethod", "UnknownInterface", "UnknownObject",
      "UnknownProperty", "PropertyReadOnly",
    ]
    for name in standard {
      #expect(manual.contains(".It Li org.freedesktop.DBus.Error.\(name)\n"), "\(name)")
    }
  }

  @Test("The README's table has each member of the manager")
  func readmeNamesMembers() throws {
    let readme = try Project.text("README.md")
    let table = readme.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined(separator: "\n")
    for name in Array(manager.methods.keys) + manager.signals.keys {
      #expect(table.contains("\(name)("), "\(name)")
    }
    for name in manager.properties.keys { #expect(table.contains("`\(name)`"), "\(name)") }
  }

  /// A default as the manual writes it.
  private static func inManual(_ value: PropertyValue) -> String {
    func escaped(_ number: String) -> String { number.replacing("-", with: "\\-") }
    return switch value {
    case .boolean(let value): "\(value)"
    case .integer(let value): escaped("\(value)")
    case .unsigned(let value): "\(value)"
    case .double(let value):
      escaped(value == value.rounded() ? "\(Int64(value))" : "\(value)")
    case .string(let value): value.isEmpty ? "Qq" : value
    case .sources: "{}"
    case .unsupported(let type): type
    }
  }
}
