// SPDX-License-Identifier: MIT

extension MessageWriter {
  /// Writes an entry of `a{sv}` up to the basic value in it, in one go: these are most of what is
  /// ever written.
  @inline(__always)
  private mutating func beginEntry(_ key: String, _ code: TypeCode) -> Bool {
    guard scope.isNamedValues, scope.cursor == scope.start || scope.cursor == scope.end,
      !hasFailed, depth + 2 <= Self.maximumDepth, hasRoom(for: key.utf8.count + 64)
    else {
      refuseEntry(key)
      return false
    }
    scope.cursor = scope.end
    deepest = max(deepest, depth + 2)
    body.align(to: 8)
    body.append(aligned: UInt32(truncatingIfNeeded: key.utf8.count))
    if !body.append(terminated: key.utf8) { failForNUL() }
    body.append(1, code.rawValue, 0)
    return true
  }

  /// Finds out, step by step, why an entry cannot be written here.
  @inline(never)
  private mutating func refuseEntry(_ key: String) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(of: .variant) { $0.appendVariant(true) }
    endEntry()
    fail(.invalidArguments("an entry outside a dictionary of named values"))
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: String) {
    if beginEntry(key, .string) { write(text: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Bool) {
    if beginEntry(key, .boolean) { body.append(aligned: value ? 1 as UInt32 : 0) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt8) {
    if beginEntry(key, .byte) { body.append(value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Int16) {
    if beginEntry(key, .int16) { body.append(aligned: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt16) {
    if beginEntry(key, .uint16) { body.append(aligned: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Int32) {
    if beginEntry(key, .int32) { body.append(aligned: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt32) {
    if beginEntry(key, .uint32) { body.append(aligned: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Int64) {
    if beginEntry(key, .int64) { body.append(aligned: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt64) {
    if beginEntry(key, .uint64) { body.append(aligned: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Double) {
    if beginEntry(key, .double) { body.append(aligned: value.bitPattern) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: ObjectPath) {
    if beginEntry(key, .objectPath) { write(text: value.rawValue) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Signature) {
    if beginEntry(key, .signature) { write(signature: value) }
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Value) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes entries of a dictionary of named values that were encoded before.
  public mutating func append(_ entries: EncodedEntries) {
    guard !hasFailed else { return }
    if let failure = entries.failure {
      fail(failure)
      return
    }
    guard !entries.bytes.isEmpty else { return }
    for code in "{sv}".utf8 where !acceptInDictionary(code) { return }
    guard depth + entries.depth <= Self.maximumDepth else {
      fail(.limitsExceeded("containers nested more than \(Self.maximumDepth) deep"))
      return
    }
    deepest = max(deepest, depth + entries.depth)
    guard hasRoom(for: entries.bytes.count + 8) else { return }
    body.align(to: 8)
    body.append(entries.bytes)
  }

  private mutating func acceptInDictionary(_ code: UInt8) -> Bool {
    guard !scope.isRecording else {
      fail(.invalidArguments("an entry outside a dictionary"))
      return false
    }
    return accept(code)
  }

  /// Encodes entries of a dictionary of named values, `{sv}`, once for many messages.
  public static func encodeEntries(_ body: (inout MessageWriter) -> Void) -> EncodedEntries {
    var writer = MessageWriter()
    writer.appendDictionary { writer in
      let depth = writer.depth
      body(&writer)
      if writer.depth != depth { writer.fail(.failed("unbalanced containers")) }
    }
    if !writer.descriptors.isEmpty {
      // Their indices count within one message.
      writer.fail(.invalidArguments("descriptors in encoded entries"))
    }
    let bytes = writer.body.array(from: min(8, writer.body.count), upTo: writer.body.count)
    return EncodedEntries(
      bytes: writer.hasFailed ? [] : bytes,
      depth: writer.deepest - 1,
      failure: writer.failure
    )
  }
}
