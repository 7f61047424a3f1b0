// SPDX-License-Identifier: MIT

extension MessageWriter {
  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: String) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Bool) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt8) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Int16) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt16) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Int32) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt32) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Int64) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: UInt64) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Double) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: ObjectPath) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Signature) {
    guard beginEntry() else { return }
    append(key)
    appendVariant(value)
    endEntry()
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
