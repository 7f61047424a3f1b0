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
  private let methodIndices: [String: Int]
  private let propertyIndices: [String: Int]

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
    methodIndices = Self.indices(of: methods.map { $0.description.name.rawValue })
    propertyIndices = Self.indices(of: properties.map { $0.description.name })
  }

  /// The name.
  public var name: InterfaceName { description.name }

  func methodIndex(_ name: String) -> Int? { methodIndices[name] }

  func propertyIndex(_ name: String) -> Int? { propertyIndices[name] }

  /// Writes the properties of an object, with their values, as the entries of a dictionary `a{sv}`.
  public func appendProperties(of target: Target, to writer: inout MessageWriter) {
    for property in properties {
      writer.appendEntry(property.description.name) { property.write(of: target, to: &$0) }
    }
  }

  private static func indices(of names: [String]) -> [String: Int] {
    var indices: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      precondition(indices.updateValue(index, forKey: name) == nil, "two members of one name")
    }
    return indices
  }
}
