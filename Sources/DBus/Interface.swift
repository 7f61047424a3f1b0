// SPDX-License-Identifier: MIT

/// One table for an interface: dispatch, checks of signatures, `org.freedesktop.DBus.Properties` and
/// the introspection data all come from it.
///
/// A value that names no object: handlers get the object they are for as their first argument.
public struct Interface<Target>: Sendable {
  /// What introspection tells.
  public let description: InterfaceDescription
  let methods: [Method<Target>]
  let properties: [Property<Target>]
  // There are a few dozen at most: to compare them all is quicker than to hash one.
  private let methodNames: [String]
  private let propertyNames: [String]

  /// An interface of the program's own.
  ///
  /// - Precondition: The name is valid, and no method or property has the name of another.
  public init(
    _ name: StaticString,
    methods: [Method<Target>] = [],
    properties: [Property<Target>] = [],
    signals: [Signal] = [],
    annotations: [Annotation] = []
  ) {
    self.methods = methods
    self.properties = properties
    description = InterfaceDescription(
      name: InterfaceName(constant: name),
      methods: methods.map { $0.description },
      properties: properties.map { $0.description },
      signals: signals,
      annotations: annotations
    )
    methodNames = methods.map { $0.description.name.rawValue }
    propertyNames = properties.map { $0.description.name }
    precondition(Self.areDistinct(methodNames), "two methods of one name")
    precondition(Self.areDistinct(propertyNames), "two properties of one name")
  }

  /// The name.
  public var name: InterfaceName { description.name }

  func methodIndex(_ name: String) -> Int? { methodNames.firstIndex { $0 == name } }

  func propertyIndex(_ name: String) -> Int? { propertyNames.firstIndex { $0 == name } }

  /// Writes the properties of an object, with their values, as the entries of a dictionary `a{sv}`.
  public func appendProperties(of target: Target, to writer: inout MessageWriter) {
    for property in properties {
      writer.appendEntry(property.description.name) { property.write(of: target, to: &$0) }
    }
  }

  private static func areDistinct(_ names: [String]) -> Bool {
    for (index, name) in names.enumerated() {
      for other in names[..<index] where other == name { return false }
    }
    return true
  }
}
