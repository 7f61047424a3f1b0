// SPDX-License-Identifier: MIT

/// A path in the tree of objects, and the interfaces served there: none where it is only on the way
/// to an object.
final class ObjectNode {
  let path: ObjectPath
  var interfaces: [BoundInterface]

  init(path: ObjectPath, interfaces: [BoundInterface] = []) {
    self.path = path
    self.interfaces = interfaces
  }

  /// The interfaces whose properties are meant by a name; an empty one stands for all there are.
  ///
  /// - Throws: ``BusError`` `UnknownInterface`.
  func interfaces(named name: String) throws(BusError) -> [BoundInterface] {
    if name.isEmpty { return interfaces }
    for interface in interfaces where interface.description.name.rawValue == name {
      return [interface]
    }
    // These have no properties.
    if StandardInterface.all.contains(where: { $0.name.rawValue == name }) { return [] }
    throw unknownInterface(name)
  }

  /// Finds a property.
  ///
  /// - Throws: ``BusError`` `UnknownInterface`, `UnknownProperty`.
  func property(
    _ name: String,
    of interfaceName: String
  ) throws(BusError) -> (interface: BoundInterface, index: Int) {
    let candidates = try interfaces(named: interfaceName)
    for interface in candidates {
      if let index = interface.propertyIndex(name) { return (interface, index) }
    }
    let owner = interfaceName.isEmpty ? place : interfaceName
    let known = candidates.flatMap { $0.description.properties.map(\.name) }
    throw .unknownProperty("no such property of \(owner): \(quoted(name))\(Self.list(known))")
  }

  func unknownInterface(_ name: String) -> BusError {
    let known = interfaces.map(\.description.name.rawValue)
    return .unknownInterface("no such interface on \(place): \(quoted(name))\(Self.list(known))")
  }

  func unknownMethod(_ name: String, of interface: InterfaceDescription?) -> BusError {
    let owner = interface?.name.rawValue ?? place
    let known = (interface.map { [$0] } ?? interfaces.map(\.description)).flatMap(\.methods)
    return .unknownMethod(
      "no such method of \(owner): '\(name)'\(Self.list(known.map(\.name.rawValue)))"
    )
  }

  /// The path; one that is only on the way to an object, or asked for Peer, may be of any length.
  private var place: String {
    path.rawValue.utf8.count > ConnectionLimits.quotedCharacters
      ? quoted(path.rawValue) : path.rawValue
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "" : "; there is \(names.joined(separator: ", "))"
  }
}
