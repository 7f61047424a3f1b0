// SPDX-License-Identifier: MIT

extension MessageWriter {
  @inline(__always)
  private mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(
    _ number: Number,
    as code: TypeCode
  ) {
    guard accept(code.rawValue), hasRoom(for: 16) else { return }
    body.append(aligned: number)
  }

  @inline(__always)
  private mutating func append(text: String, as code: TypeCode) {
    guard accept(code.rawValue) else { return }
    write(text: text)
  }

  /// The bytes of a text without its type.
  mutating func write(text: String) {
    let length = text.utf8.count
    guard hasRoom(for: length + 16) else { return }
    body.append(aligned: UInt32(length))
    if !body.append(terminated: text.utf8) {
      failForNUL()
    }
  }

  @inline(never)
  mutating func failForNUL() {
    fail(.invalidArguments("a text with a NUL character in it"))
  }

  /// The bytes of a signature without its type.
  mutating func write(signature: Signature) {
    guard hasRoom(for: 258) else { return }
    body.append(UInt8(truncatingIfNeeded: signature.rawValue.utf8.count))
    _ = body.append(terminated: signature.rawValue.utf8)
  }

  /// Writes a text, type `s`; one with a NUL in it makes the writer fail.
  public mutating func append(_ value: String) { append(text: value, as: .string) }

  /// Writes a truth value, type `b`.
  public mutating func append(_ value: Bool) { append(value ? 1 as UInt32 : 0, as: .boolean) }

  /// Writes a number, type `y`.
  public mutating func append(_ value: UInt8) { append(value, as: .byte) }

  /// Writes a number, type `n`.
  public mutating func append(_ value: Int16) { append(value, as: .int16) }

  /// Writes a number, type `q`.
  public mutating func append(_ value: UInt16) { append(value, as: .uint16) }

  /// Writes a number, type `i`.
  public mutating func append(_ value: Int32) { append(value, as: .int32) }

  /// Writes a number, type `u`.
  public mutating func append(_ value: UInt32) { append(value, as: .uint32) }

  /// Writes a number, type `x`.
  public mutating func append(_ value: Int64) { append(value, as: .int64) }

  /// Writes a number, type `t`.
  public mutating func append(_ value: UInt64) { append(value, as: .uint64) }

  /// Writes a number, type `d`.
  public mutating func append(_ value: Double) { append(value.bitPattern, as: .double) }

  /// Writes a path, type `o`.
  public mutating func append(_ value: ObjectPath) { append(text: value.rawValue, as: .objectPath) }

  /// Writes a signature, type `g`.
  public mutating func append(_ value: Signature) {
    guard accept(TypeCode.signature.rawValue) else { return }
    write(signature: value)
  }

  /// Writes a descriptor, type `h`, that travels along; the receiver gets one of its own.
  public mutating func append(_ value: UnixDescriptor) {
    guard accept(TypeCode.unixDescriptor.rawValue), hasRoom(for: 16) else { return }
    body.append(aligned: attach(value))
  }

  /// Writes an array of bytes, type `ay`.
  public mutating func append(bytes: [UInt8]) {
    appendArray(of: Signature(.byte)) { writer in
      guard writer.accept(TypeCode.byte.rawValue), writer.hasRoom(for: bytes.count) else { return }
      writer.body.append(bytes)
    }
  }
}
