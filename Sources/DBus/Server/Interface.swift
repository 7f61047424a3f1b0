// SPDX-License-Identifier: MIT

/// The table of an interface: dispatch, signature checks, `org.freedesktop.DBus.Properties` and the
/// introspection data all come from it.
///
/// The table names no object; handlers get theirs as the first argument.
public struct Interface<Target>: Sendable {
  /// What introspection tells.
  public let description: InterfaceDescription
  let methods: [Method<Target>]
  let properties: [Property<Target>]
  // There are a few dozen at most: comparing them all is quicker than hashing one.
  private let methodNames: [String]
  private let propertyNames: [String]

  /// An interface of the program's own.
  ///
  /// - Precondition: The name is valid, and names of methods and of properties are unique.
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

  /// The name of the interface.
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
    for (index, name) in names.enumerated() where names[..<index].contains(name) { return false }
    return true
  }
}

/// A method of an ``Interface``, with its handler.
public struct Method<Target>: Sendable {
  /// Does what the method is for.
  ///
  /// It reads the arguments, whose types have been checked, and writes what the method returns; an
  /// error that it throws becomes the reply.
  public typealias Handler =
    @Sendable (Target, inout MethodCallContext, inout MessageWriter) throws(BusError) -> Void

  /// What introspection tells.
  public let description: InterfaceDescription.Method
  let inputSignature: Signature
  let outputSignature: Signature
  let isLongRead: Bool
  let handler: Handler

  /// A method of the program's own.
  ///
  /// One that only reads and may have a long reply (`isLongRead`) can wait for a turn with capacity,
  /// behind later calls, and is skipped where no reply is wanted.
  ///
  /// - Precondition: The name is valid.
  public init(
    _ name: StaticString,
    inputs: [Argument] = [],
    outputs: [Argument] = [],
    annotations: [Annotation] = [],
    isLongRead: Bool = false,
    handler: @escaping Handler
  ) {
    description = InterfaceDescription.Method(
      name: MemberName(constant: name),
      inputs: inputs,
      outputs: outputs,
      annotations: annotations
    )
    inputSignature = inputs.signature
    outputSignature = outputs.signature
    self.isLongRead = isLongRead
    self.handler = handler
  }
}

/// A call while its handler runs.
public struct MethodCallContext {
  /// The call.
  public let message: Message
  /// A reader at the first argument that has not been read.
  public var reader: MessageReader

  init(_ message: Message) {
    self.message = message
    reader = message.makeReader()
  }
}

/// A property of an ``Interface``, with its getter and setter.
public struct Property<Target>: Sendable {
  /// Writes the bare value, of the property's type.
  public typealias Getter = @Sendable (Target, inout MessageWriter) -> Void
  /// Sets the value, or throws and changes nothing; the setter checks the value's type.
  public typealias Setter = @Sendable (Target, Value) throws(BusError) -> Void

  /// What introspection tells.
  public let description: InterfaceDescription.Property
  let get: Getter
  let set: Setter?

  /// A property of the program's own.
  ///
  /// - Parameters:
  ///   - name: The name, of the same grammar as a method's.
  ///   - signature: The type, one complete type.
  ///   - emits: Whether `PropertiesChanged` tells of changes.
  ///   - annotations: Further annotations.
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
  /// - Precondition: The signature is one complete type.
  public init(
    _ name: MemberName,
    _ signature: Signature,
    emits: EmitsChange = .true,
    annotations: [Annotation] = [],
    get: @escaping Getter,
    set: Setter? = nil
  ) {
    precondition(signature.isSingleCompleteType, "not one complete type")
    description = InterfaceDescription.Property(
      name: name.rawValue,
      signature: signature,
      isWritable: set != nil,
      emits: emits,
      annotations: annotations
    )
    self.get = get
    self.set = set
  }

  func write(of target: Target, to writer: inout MessageWriter) {
    writer.appendVariant(of: description.signature) { get(target, &$0) }
  }
}

/// A signal of an interface.
public struct Signal: Hashable, Sendable {
  /// The name of the signal.
  public let name: MemberName
  /// The values it carries.
  public let arguments: [Argument]
  /// Annotations for programs that read the introspection data.
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

/// A value that a method takes or returns, or a signal carries.
public struct Argument: Hashable, Sendable {
  /// The name, for people who read the introspection data.
  public let name: String
  /// The type, one complete type.
  public let signature: Signature

  /// An argument of the program's own.
  ///
  /// - Precondition: The signature is one complete type.
  public init(_ name: StaticString, _ signature: StaticString) {
    self.name = String(describing: name)
    self.signature = Signature(constant: signature)
    precondition(self.signature.isSingleCompleteType, "not one complete type")
  }
}

extension [Argument] {
  /// The arguments' types one after another.
  ///
  /// - Precondition: Together they are no longer than a signature may be.
  fileprivate var signature: Signature {
    let signature = Signature(map(\.signature.rawValue).joined())
    precondition(signature != nil, "more arguments than a signature holds")
    return signature ?? .empty
  }
}

/// An annotation, for programs that read the introspection data.
///
/// Source: D-Bus specification, "Introspection Data Format".
public struct Annotation: Hashable, Sendable {
  /// The name, such as `org.freedesktop.DBus.Deprecated`.
  public let name: String
  /// The value, such as `true`.
  public let value: String

  /// An annotation with any name and value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// `org.freedesktop.DBus.Deprecated`: not to be used any more.
  public static let deprecated = Annotation("org.freedesktop.DBus.Deprecated", "true")
}

/// Whether `PropertiesChanged` tells of a property's changes.
///
/// Source: D-Bus specification, the annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`.
public enum EmitsChange: String, Hashable, Sendable {
  /// The signal carries the new value.
  case `true`
  /// The signal names the property without its value.
  case invalidates
  /// The value never changes.
  case const
  /// No signal is sent.
  case `false`
}

/// An interface without its handlers: all that introspection tells.
public struct InterfaceDescription: Hashable, Sendable {
  /// A method, without its handler.
  public struct Method: Hashable, Sendable {
    /// The name of the method.
    public let name: MemberName
    /// The values it takes.
    public let inputs: [Argument]
    /// The values it returns.
    public let outputs: [Argument]
    /// Annotations for programs that read the introspection data.
    public let annotations: [Annotation]
  }

  /// A property, without its getter and setter.
  public struct Property: Hashable, Sendable {
    /// The name of the property.
    public let name: String
    /// The type, one complete type.
    public let signature: Signature
    /// Whether it can be set.
    public let isWritable: Bool
    /// Whether `PropertiesChanged` tells of it.
    public let emits: EmitsChange
    /// Annotations, except `EmitsChangedSignal`, which ``emits`` says.
    public let annotations: [Annotation]
  }

  /// The name of the interface.
  public let name: InterfaceName
  /// The methods, in the order of the introspection data.
  public let methods: [Method]
  /// The properties, in the order of the introspection data.
  public let properties: [Property]
  /// The signals, in the order of the introspection data.
  public let signals: [Signal]
  /// Annotations for programs that read the introspection data.
  public let annotations: [Annotation]
}
