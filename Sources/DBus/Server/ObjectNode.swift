// SPDX-License-Identifier: MIT

/// A node in the tree of objects with the interfaces served there; an ancestor node has none.
final class ObjectNode {
  let path: ObjectPath
  var interfaces: [BoundInterface]

  init(path: ObjectPath, interfaces: [BoundInterface] = []) {
    self.path = path
    self.interfaces = interfaces
  }

  /// The interfaces whose properties a name selects; an empty one selects all.
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
    let text = "no such property of \(owner): \(quoted(name))\(Self.list(known))"
    throw BusError(name: .unknownProperty, message: text)
  }

  func unknownInterface(_ name: String) -> BusError {
    let known = interfaces.map(\.description.name.rawValue)
    let text = "no such interface on \(place): \(quoted(name))\(Self.list(known))"
    return BusError(name: .unknownInterface, message: text)
  }

  func unknownMethod(_ name: String, of interface: InterfaceDescription?) -> BusError {
    let owner = interface?.name.rawValue ?? place
    let known = (interface.map { [$0] } ?? interfaces.map(\.description)).flatMap(\.methods)
    return .unknownMethod(
      "no such method of \(owner): '\(name)'\(Self.list(known.map(\.name.rawValue)))"
    )
  }

  /// The path, shortened and quoted where a peer made it long.
  private var place: String {
    path.rawValue.utf8.count > ConnectionLimits.quotedCharacters
      ? quoted(path.rawValue) : path.rawValue
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "" : "; there is \(names.joined(separator: ", "))"
  }
}

/// Objects right below a path that are looked up when they are called, since there may be thousands.
final class Subtree {
  let base: ObjectPath
  /// The object whose path ends with an element, if any.
  let resolve: (String) -> BoundInterface?
  /// The last elements of all objects' paths.
  let children: () -> [String]

  init(
    base: ObjectPath,
    resolve: @escaping (String) -> BoundInterface?,
    children: @escaping () -> [String]
  ) {
    self.base = base
    self.resolve = resolve
    self.children = children
  }

  func node(at path: ObjectPath) -> ObjectNode? {
    guard path.parent == base, let element = path.lastElement, let interface = resolve(element)
    else { return nil }
    return ObjectNode(path: path, interfaces: [interface])
  }
}

/// An interface with the object it is served for; erases the object's type.
class BoundInterface {
  let description: InterfaceDescription

  init(description: InterfaceDescription) {
    self.description = description
  }

  func methodIndex(_ name: String) -> Int? { nil }

  func inputSignature(ofMethod index: Int) -> Signature { .empty }

  func isLongRead(method index: Int) -> Bool { false }

  func call(
    method index: Int,
    _ context: inout MethodCallContext,
    _ writer: inout MessageWriter
  ) throws(BusError) {}

  func propertyIndex(_ name: String) -> Int? { nil }

  /// Writes the value in a variant.
  func append(property index: Int, to writer: inout MessageWriter) {}

  func appendProperties(to writer: inout MessageWriter) {}

  func set(property index: Int, to value: Value) throws(BusError) {}
}

/// The only subclass of ``BoundInterface``.
final class TargetInterface<Target>: BoundInterface {
  private let interface: Interface<Target>
  private let target: Target

  init(_ interface: Interface<Target>, target: Target) {
    self.interface = interface
    self.target = target
    super.init(description: interface.description)
  }

  override func methodIndex(_ name: String) -> Int? { interface.methodIndex(name) }

  override func inputSignature(ofMethod index: Int) -> Signature {
    interface.methods[index].inputSignature
  }

  override func isLongRead(method index: Int) -> Bool { interface.methods[index].isLongRead }

  override func call(
    method index: Int,
    _ context: inout MethodCallContext,
    _ writer: inout MessageWriter
  ) throws(BusError) {
    try interface.methods[index].handler(target, &context, &writer)
    assert(
      writer.failure != nil || writer.signature == interface.methods[index].outputSignature,
      "\(description.methods[index].name) returned other types than it says"
    )
  }

  override func propertyIndex(_ name: String) -> Int? { interface.propertyIndex(name) }

  override func append(property index: Int, to writer: inout MessageWriter) {
    interface.properties[index].write(of: target, to: &writer)
  }

  override func appendProperties(to writer: inout MessageWriter) {
    interface.appendProperties(of: target, to: &writer)
  }

  override func set(property index: Int, to value: Value) throws(BusError) {
    let property = interface.properties[index]
    guard let set = property.set else {
      let text = "\(property.description.name) of \(description.name) can't be set"
      throw BusError(name: .propertyReadOnly, message: text)
    }
    try set(target, value)
  }
}
