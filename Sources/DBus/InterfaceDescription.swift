// SPDX-License-Identifier: MIT

/// What an interface has, without what it does: all that introspection tells.
public struct InterfaceDescription: Hashable, Sendable {
  /// A method: what it takes and returns.
  public struct Method: Hashable, Sendable {
    /// The name.
    public let name: MemberName
    /// What it takes.
    public let inputs: [Argument]
    /// What it returns.
    public let outputs: [Argument]
    /// Remarks.
    public let annotations: [Annotation]
  }

  /// A property: its type, and whether it can be set and tells of changes.
  public struct Property: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The type: one complete one.
    public let signature: Signature
    /// Whether `Set` is for it.
    public let isWritable: Bool
    /// Whether `PropertiesChanged` tells of it.
    public let emits: EmitsChange
    /// Remarks, that on `PropertiesChanged` not among them.
    public let annotations: [Annotation]

    /// The access as introspection data has it.
    public var access: String { isWritable ? "readwrite" : "read" }
  }

  /// The name.
  public let name: InterfaceName
  /// The methods, in the order they are told.
  public let methods: [Method]
  /// The properties, in the order they are told.
  public let properties: [Property]
  /// The signals, in the order they are told.
  public let signals: [Signal]
  /// Remarks.
  public let annotations: [Annotation]
}

/// A signal of an interface: what it carries.
public struct Signal: Hashable, Sendable {
  /// The name.
  public let name: MemberName
  /// What it carries.
  public let arguments: [Argument]
  /// Remarks.
  public let annotations: [Annotation]

  /// A signal of the program's own.
  ///
  /// - Precondition: The name is valid.
  public init(
    _ name: StaticString,
    _ arguments: [Argument] = [],
    annotations: [Annotation] = []
  ) {
    self.name = MemberName(constant: name)
    self.arguments = arguments
    self.annotations = annotations
    _ = arguments.signature
  }
}
