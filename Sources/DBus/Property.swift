// SPDX-License-Identifier: MIT

/// A property of an ``Interface``: what it is called and of which type, and how it is read and set.
public struct Property<Target>: Sendable {
  /// Writes the bare value, of the property's type.
  public typealias Getter = @Sendable (Target, inout MessageWriter) -> Void
  /// Sets the value, or throws and changes nothing; the type is the setter's to check.
  public typealias Setter = @Sendable (Target, Value) throws(BusError) -> Void

  /// What introspection tells.
  public let description: InterfaceDescription.Property
  let get: Getter
  let set: Setter?

  /// A property of the program's own.
  ///
  /// - Parameters:
  ///   - name: The name, of the same grammar as a method's.
  ///   - signature: The type, one complete one.
  ///   - emits: Whether `PropertiesChanged` tells of changes.
  ///   - annotations: Remarks.
  ///   - get: Writes the bare value.
  ///   - set: Sets the value; without it the property is read-only.
  /// - Precondition: Name and signature are valid.
  public init(
    _ name: StaticString,
    _ signature: StaticString,
    emits: EmitsChange = .true,
    annotations: [Annotation] = [],
    get: @escaping Getter,
    set: Setter? = nil
  ) {
    self.init(
      MemberName(constant: name),
      Signature(constant: signature),
      emits: emits,
      annotations: annotations,
      get: get,
      set: set
    )
  }

  /// A property whose name comes from another table of the program's own.
  ///
  /// - Parameters:
  ///   - name: The name, of the same grammar as a method's.
  ///   - signature: The type, one complete one.
  ///   - emits: Whether `PropertiesChanged` tells of changes.
  ///   - annotations: Remarks.
  ///   - get: Writes the bare value.
  ///   - set: Sets the value; without it the property is read-only.
  /// - Precondition: The signature is one complete type.
  public init(
    _ name: MemberName,
    _ signature: Signature,
    emits: EmitsChange = .true,
    annotations: [Annotation] = [],
    get: @escaping Getter,
    set: Setter? = nil
  ) {
    description = InterfaceDescription.Property(
      name: name.rawValue,
      signature: signature,
      isWritable: set != nil,
      emits: emits,
      annotations: annotations
    )
    precondition(signature.isSingleCompleteType, "not one complete type")
    self.get = get
    self.set = set
  }

  func write(of target: Target, to writer: inout MessageWriter) {
    writer.appendVariant(of: description.signature) { get(target, &$0) }
  }
}
