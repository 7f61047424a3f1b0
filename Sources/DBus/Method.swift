// SPDX-License-Identifier: MIT

/// A method of an ``Interface``: what it is called, takes and returns, and what it does.
public struct Method<Target>: Sendable {
  /// Does what the method is for.
  ///
  /// It reads the arguments, whose types have been checked, and writes what the method returns; what
  /// it throws becomes the reply instead.
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
  /// One that only reads and may reply at length (`isLongRead`) can wait for a turn that has room,
  /// behind what was called later, and is left out where no reply is wanted.
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
