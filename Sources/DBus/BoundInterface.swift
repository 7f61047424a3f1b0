// SPDX-License-Identifier: MIT

/// An interface and the object it is served for, whatever the type of that.
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

/// The one kind of ``BoundInterface``.
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
      throw .propertyReadOnly(
        "\(property.description.name) of \(description.name) can't be set"
      )
    }
    try set(target, value)
  }
}
