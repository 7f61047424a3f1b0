// SPDX-License-Identifier: MIT
import BadgeCore
import Testing
import TestSupport

/// The documentation agrees with the interface description and the tables in the code.
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

/// The daemon's introspection data agrees with `dbus/org.badged.Badges1.xml`.
@Suite(.privateBus) struct IntrospectionTests {
  let bus = PrivateBus.current

  private func introspect(_ path: String) throws -> InterfaceDocument {
    let finished = try bus.run(
      "gdbus",
      [
        "introspect", "--xml", "--address", bus.address, "--dest", "org.badged.Badges1",
        "--object-path", path,
      ]
    )
    #expect(finished.status == .success, "\(finished.errorOutput)")
    return InterfaceDocument(finished.output)
  }

  @Test("Manager and badge introspect as the installed description says, with standard interfaces")
  func describesItself() throws {
    let daemon = try bus.startDaemon()
    let set = try bus.run(
      "dbus-send",
      [
        "--bus=\(bus.address)", "--print-reply", "--dest=org.badged.Badges1", "/org/badged/Badges1",
        "org.badged.Badges1.Set", "string:a.b-1", "int64:3",
      ]
    )
    #expect(set.status == .success, "\(set.errorOutput)")
    let written = InterfaceDocument(try Project.text("dbus/org.badged.Badges1.xml"))
    let standard = ["Introspectable", "Peer", "Properties"].map { "org.freedesktop.DBus.\($0)" }

    let manager = try introspect("/org/badged/Badges1")
    let managerName = "org.badged.Badges1"
    #expect(manager.interfaces[managerName] == written.interfaces[managerName])
    #expect(
      Set(manager.interfaces.keys)
        == Set(standard + [managerName, "org.freedesktop.DBus.ObjectManager"])
    )

    let badge = try introspect("/org/badged/Badges1/badge/a_2eb_2d1")
    let badgeName = "org.badged.Badges1.Badge"
    #expect(badge.interfaces[badgeName] == written.interfaces[badgeName])
    #expect(Set(badge.interfaces.keys) == Set(standard + [badgeName]))
    daemon.terminate()
  }
}

/// The contents of an introspection document, independent of comments and the order of members.
struct InterfaceDocument: Equatable {
  struct Argument: Equatable, CustomStringConvertible {
    var name: String
    var type: String
    var direction: String

    var description: String { "\(direction) \(type) \(name)" }
  }

  struct Property: Equatable {
    var type: String
    var access: String
    var emits = "true"
  }

  struct Interface: Equatable {
    var methods: [String: [Argument]] = [:]
    var signals: [String: [Argument]] = [:]
    var properties: [String: Property] = [:]
  }

  var interfaces: [String: Interface] = [:]

  /// Parses an introspection document; supports as much XML as D-Bus services write.
  init(_ text: String) {
    var name = ""
    var member = (element: "", name: "")
    for tag in Self.tags(in: text) {
      switch tag.element {
      case "interface":
        name = tag["name"]
        interfaces[name] = Interface()
      case "method", "signal", "property":
        member = (tag.element, tag["name"])
        declare(member, tag, in: name)
      case "arg":
        let isMethod = member.element == "method"
        let argument = Argument(
          name: tag["name"],
          type: tag["type"],
          direction: isMethod ? tag["direction", default: "in"] : "out"
        )
        if isMethod {
          interfaces[name]?.methods[member.name]?.append(argument)
        } else {
          interfaces[name]?.signals[member.name]?.append(argument)
        }
      case "annotation"
      where tag["name"] == "org.freedesktop.DBus.Property.EmitsChangedSignal":
        interfaces[name]?.properties[member.name]?.emits = tag["value"]
      default: break
      }
    }
  }

  private mutating func declare(
    _ member: (element: String, name: String),
    _ tag: Tag,
    in name: String
  ) {
    switch member.element {
    case "method": interfaces[name]?.methods[member.name] = []
    case "signal": interfaces[name]?.signals[member.name] = []
    default:
      interfaces[name]?.properties[member.name] =
        Property(type: tag["type"], access: tag["access"])
    }
  }
}

extension InterfaceDocument {
  private struct Tag {
    var element: String
    var attributes: [String: String] = [:]

    subscript(_ name: String, default value: String = "") -> String {
      attributes[name] ?? value
    }
  }

  /// The opening tags in order, without comments.
  private static func tags(in text: String) -> [Tag] {
    let bare = text.replacing(#/(?s)<!--.*?-->/#, with: "")
    return bare.matches(of: #/<([a-z]+)((?:\s+[a-z:]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*/?>/#).map {
      var tag = Tag(element: String($0.1))
      for attribute in $0.2.matches(of: #/([a-z:]+)\s*=\s*["']([^"']*)["']/#) {
        tag.attributes[String(attribute.1)] = String(attribute.2)
      }
      return tag
    }
  }
}
