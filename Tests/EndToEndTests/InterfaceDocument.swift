// SPDX-License-Identifier: MIT

/// What an introspection document says, without its comments and its order of members.
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

  /// Reads an introspection document: enough of XML for what a bus's peers write.
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

  /// The opening tags, in order; comments are passed over.
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
