// SPDX-License-Identifier: MIT

extension MessageWriter {
  /// The start of a variant that holds one basic value.
  @inline(__always)
  private mutating func beginVariant(_ code: TypeCode) -> Bool {
    guard accept(TypeCode.variant.rawValue), open(), hasRoom(for: 24) else { return false }
    close()
    body.append(1, code.rawValue, 0)
    return true
  }

  /// Writes a variant that holds a value of type `s`.
  public mutating func appendVariant(_ value: String) {
    if beginVariant(.string) { write(text: value) }
  }

  /// Writes a variant that holds a value of type `b`.
  public mutating func appendVariant(_ value: Bool) {
    if beginVariant(.boolean) { body.append(aligned: value ? 1 as UInt32 : 0) }
  }

  /// Writes a variant that holds a value of type `y`.
  public mutating func appendVariant(_ value: UInt8) {
    if beginVariant(.byte) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `n`.
  public mutating func appendVariant(_ value: Int16) {
    if beginVariant(.int16) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `q`.
  public mutating func appendVariant(_ value: UInt16) {
    if beginVariant(.uint16) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `i`.
  public mutating func appendVariant(_ value: Int32) {
    if beginVariant(.int32) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `u`.
  public mutating func appendVariant(_ value: UInt32) {
    if beginVariant(.uint32) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `x`.
  public mutating func appendVariant(_ value: Int64) {
    if beginVariant(.int64) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `t`.
  public mutating func appendVariant(_ value: UInt64) {
    if beginVariant(.uint64) { body.append(aligned: value) }
  }

  /// Writes a variant that holds a value of type `d`.
  public mutating func appendVariant(_ value: Double) {
    if beginVariant(.double) { body.append(aligned: value.bitPattern) }
  }

  /// Writes a variant that holds a value of type `o`.
  public mutating func appendVariant(_ value: ObjectPath) {
    if beginVariant(.objectPath) { write(text: value.rawValue) }
  }

  /// Writes a variant that holds a value of type `g`.
  public mutating func appendVariant(_ value: Signature) {
    if beginVariant(.signature) { write(signature: value) }
  }

  /// Writes a variant that holds any value.
  public mutating func appendVariant(_ value: Value) {
    guard depth < Self.maximumDepth, let signature = value.signature else {
      fail(.invalidArguments("a value that has no signature, or is nested too deep"))
      return
    }
    appendVariant(of: signature) { $0.append(value) }
  }

  /// Writes a variant that holds what `body` writes: one value of the signature.
  public mutating func appendVariant(
    of signature: Signature,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.variant.rawValue) else { return }
    guard signature.isSingleCompleteType else {
      fail(.invalidArguments("a variant of other than one complete type: '\(signature)'"))
      return
    }
    guard open() else { return }
    write(signature: signature)
    let outer = scope
    let start = types.count
    types.append(text: signature.rawValue.utf8)
    scope = Scope(
      isRecording: false,
      repeats: false,
      start: start,
      cursor: start,
      end: types.count
    )
    body(&self)
    if !hasFailed && scope.cursor != scope.end {
      fail(.invalidArguments("a variant without the value it announces: '\(signature)'"))
    }
    scope = outer
    types.truncate(to: start)
    close()
  }
}
