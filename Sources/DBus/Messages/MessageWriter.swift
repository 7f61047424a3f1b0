// SPDX-License-Identifier: MIT
internal import CDBus

/// Writes the body of a message: values one after another, and the signature they add up to.
///
/// This is a marshaller of our own, since libdbus's append iterators are its slow part; libdbus then
/// validates the whole message. What cannot be sent (a text with a NUL in it, a value that its
/// container does not take, a body too large or nested too deep) makes the writer fail: it ignores
/// what follows, and sending throws its ``failure``. Nothing traps.
///
/// Source: D-Bus specification, "Marshaling (Wire Format)".
public struct MessageWriter: ~Copyable {
  /// The largest body, in bytes.
  ///
  /// It is what a bus without a session configuration takes, less a header. The bus does not refuse a
  /// larger message but closes the connection.
  public static let maximumBodyLength = (32 << 20) - (1 << 16)
  /// Containers may be nested this deep.
  static let maximumDepth = 64

  private var body = ByteBuffer()
  /// The signature so far; above it, while variants are open, the types they must hold.
  private var types = ByteBuffer(capacity: 320)
  /// The whole message, once it is made.
  private var message = ByteBuffer(capacity: 512)
  private var scope = Scope()
  /// How many containers are open.
  private var depth = 0
  /// The largest ``depth`` so far.
  private var deepest = 0
  /// The length of the body so far, in bytes.
  var bodyLength: Int { body.count }
  /// Why the body cannot be sent; nil while it can.
  public private(set) var failure: BusError?
  private var hasFailed = false

  /// The part of ``types`` that says which values may be written next.
  private struct Scope {
    /// True at the top level and in its structures, where what is written becomes the signature.
    var isRecording = true
    /// Whether the types come again and again, as in an array.
    var repeats = false
    /// Whether the types are those of an entry of `a{sv}`, which has a fast path.
    var isNamedValues = false
    var start = 0
    var cursor = 0
    var end = 0
  }

  /// An empty body.
  public init() {}

  /// Empties the body for another message.
  mutating func reset() {
    body.removeAll()
    types.truncate(to: 0)
    message.removeAll()
    scope = Scope()
    depth = 0
    deepest = 0
    hasFailed = false
    failure = nil
  }

  /// The signature of what was written so far; empty once the writer has failed.
  public var signature: Signature {
    guard !hasFailed else { return .empty }
    return Signature(String(decoding: types.array(), as: UTF8.self)) ?? .empty
  }

  /// Makes a message of a header and what was written.
  ///
  /// - Returns: The message, and its length in bytes.
  /// - Throws: The ``failure``, or what libdbus does not like.
  mutating func makeMessage(
    _ header: MessageHeader
  ) throws(BusError) -> (message: Message, byteCount: Int) {
    finish()
    if let failure { throw failure }
    message.truncate(to: 0)
    header.marshal(body: body, signature: types, into: &message)
    let made = unsafe try message.withUnsafeBytes { bytes throws(BusError) in
      unsafe try Message.demarshal(bytes)
    }
    return (made, message.count)
  }

  /// Checks, at the end, what cannot be known before.
  mutating func finish() {
    // A container's closure may have put another writer in place of this one.
    if depth != 0 { fail(.invalidArguments("a container was not closed")) }
    // A signature of 32 bytes cannot nest deeper than 32.
    if !hasFailed, types.count > Signature.maximumNesting, signature == .empty {
      fail(.limitsExceeded("a signature of more than 255 bytes, or nested too deep"))
    }
  }

  private mutating func fail(_ error: BusError) {
    guard !hasFailed else { return }
    hasFailed = true
    failure = error
  }

  // MARK: What may be written

  /// Whether a value of this type may be written now; moves past its code.
  @inline(__always)
  private mutating func accept(_ code: UInt8) -> Bool {
    guard !hasFailed else { return false }
    guard scope.isRecording else { return acceptExpected(code) }
    types.append(code)
    return true
  }

  private mutating func acceptExpected(_ code: UInt8) -> Bool {
    if scope.cursor == scope.end && scope.repeats { scope.cursor = scope.start }
    guard scope.cursor < scope.end, types[scope.cursor] == code else {
      failExpecting(code)
      return false
    }
    scope.cursor += 1
    return true
  }

  @inline(never)
  private mutating func failExpecting(_ code: UInt8) {
    let found = String(UnicodeScalar(code))
    guard scope.cursor < scope.end else {
      fail(.invalidArguments("one value too many, of type: '\(found)'"))
      return
    }
    let expected = String(UnicodeScalar(types[scope.cursor]))
    fail(.invalidArguments("a value of type '\(found)' where '\(expected)' belongs"))
  }

  /// Moves past codes that belong to a container's type.
  private mutating func acceptAll(_ codes: String) {
    for code in codes.utf8 { _ = accept(code) }
  }

  /// Whether so many more bytes fit.
  @inline(__always)
  private mutating func fits(_ length: Int) -> Bool {
    guard length <= Self.maximumBodyLength - body.count else {
      fail(.limitsExceeded("a message of more than \(Self.maximumBodyLength) bytes"))
      return false
    }
    return true
  }

  /// Opens so many containers, one in another; false where that is too deep.
  private mutating func open(_ count: Int = 1) -> Bool {
    depth += count
    deepest = max(deepest, depth)
    guard depth <= Self.maximumDepth else {
      fail(.limitsExceeded("containers nested more than \(Self.maximumDepth) deep"))
      return false
    }
    return true
  }

  private mutating func close(_ count: Int = 1) {
    depth -= count
  }

  // MARK: Values

  /// Writes a value of a basic type; a text with a NUL in it makes the writer fail.
  public mutating func append(_ value: some BasicValue) {
    append(value.basicValue)
  }

  /// Writes any value; one that does not agree with its own signature makes the writer fail.
  public mutating func append(_ value: Value) {
    switch value {
    case .variant(let value): appendVariant(value)
    case .array(let element, let values):
      appendArray(of: element) { writer in
        for value in values { writer.append(value) }
      }
    case .dictionary(let key, let value, let entries):
      appendDictionary(key: key, value: value) { writer in
        for entry in entries {
          writer.appendEntry { writer in
            writer.append(entry.key)
            writer.append(entry.value)
          }
        }
      }
    case .structure(let members):
      appendStructure { writer in
        for member in members { writer.append(member) }
      }
    default:
      if accept(value.typeCode.rawValue) { write(basic: value) }
    }
  }

  /// The bytes of a basic value, whose type has been accepted.
  private mutating func write(basic value: Value) {
    guard fits(16) else { return }
    switch value {
    case .byte(let value): body.append(value)
    case .boolean(let value): body.append(aligned: value ? 1 as UInt32 : 0)
    case .int16(let value): body.append(aligned: value)
    case .uint16(let value): body.append(aligned: value)
    case .int32(let value): body.append(aligned: value)
    case .uint32(let value): body.append(aligned: value)
    case .int64(let value): body.append(aligned: value)
    case .uint64(let value): body.append(aligned: value)
    case .double(let value): body.append(aligned: value.bitPattern)
    case .string(let value): write(text: value)
    case .objectPath(let value): write(text: value.rawValue)
    case .signature(let value): write(signature: value)
    case .unixDescriptor:
      fail(BusError(name: .notSupported, message: "file descriptors cannot be sent"))
    case .array, .dictionary, .structure, .variant:
      fail(.invalidArguments("a container where a basic value belongs"))
    }
  }

  private mutating func write(text: String) {
    let length = text.utf8.count
    guard fits(length + 16) else { return }
    body.append(aligned: UInt32(length))
    if !body.append(terminated: text.utf8) {
      fail(.invalidArguments("a text with a NUL character in it"))
    }
  }

  private mutating func write(signature: Signature) {
    guard fits(258) else { return }
    body.append(UInt8(truncatingIfNeeded: signature.rawValue.utf8.count))
    _ = body.append(terminated: signature.rawValue.utf8)
  }

  // MARK: Variants

  /// Writes a variant that holds a value of a basic type.
  public mutating func appendVariant(_ value: some BasicValue) {
    appendVariant(value.basicValue)
  }

  /// Writes a variant that holds any value.
  public mutating func appendVariant(_ value: Value) {
    let code = value.typeCode
    guard code.isBasic else {
      guard depth < Self.maximumDepth, let signature = value.signature else {
        fail(.invalidArguments("a value that has no signature, or is nested too deep"))
        return
      }
      return appendVariant(of: signature) { $0.append(value) }
    }
    guard accept(TypeCode.variant.rawValue), open() else { return }
    close()
    body.append(1, code.rawValue, 0)
    write(basic: value)
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
    for code in signature.rawValue.utf8 { types.append(code) }
    scope = Scope(isRecording: false, start: start, cursor: start, end: types.count)
    body(&self)
    if !hasFailed && scope.cursor != scope.end {
      fail(.invalidArguments("a variant without the value it announces: '\(signature)'"))
    }
    scope = outer
    types.truncate(to: start)
    close()
  }

  // MARK: Arrays and structures

  /// Writes an array of what `body` writes: any number of values of the element's signature.
  public mutating func appendArray(
    of element: Signature,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.array.rawValue) else { return }
    guard element.isSingleCompleteType, let code = element.rawValue.utf8.first else {
      fail(.invalidArguments("an array of other than one complete type: '\(element)'"))
      return
    }
    let start = scope.isRecording ? types.count : scope.cursor
    acceptAll(element.rawValue)
    let alignment = TypeCode(rawValue: code)?.alignment ?? 1
    appendElements(types: start, alignment: alignment, body)
  }

  /// Writes a structure of what `body` writes, at least one value.
  public mutating func appendStructure(
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.structure.rawValue), open(), fits(8) else { return }
    self.body.align(to: 8)
    let typesBefore = types.count
    body(&self)
    if scope.isRecording && types.count == typesBefore {
      fail(.invalidArguments("a structure without members"))
    }
    _ = accept(UInt8(ascii: ")"))
    close()
  }

  /// The length, the padding and the elements of an array whose element's type is in ``types`` from
  /// `types` up to where the scope now stands.
  private mutating func appendElements(
    types start: Int,
    alignment: Int,
    isNamedValues: Bool = false,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard !hasFailed, open(), fits(16) else { return }
    let outer = scope
    let end = scope.isRecording ? types.count : scope.cursor
    self.body.append(aligned: 0 as UInt32)
    let lengthPosition = self.body.count - 4
    self.body.align(to: alignment)
    let contentStart = self.body.count
    scope = Scope(
      isRecording: false,
      repeats: true,
      isNamedValues: isNamedValues,
      start: start,
      cursor: start,
      end: end
    )
    body(&self)
    if scope.cursor != scope.start && scope.cursor != scope.end {
      fail(.invalidArguments("an array's last element is not complete"))
    }
    let length = self.body.count - contentStart
    self.body.replace(at: lengthPosition, with: UInt32(truncatingIfNeeded: length))
    scope = outer
    close()
  }

  // MARK: Dictionaries

  /// Writes a dictionary of named values, `a{sv}`; `body` writes its entries.
  public mutating func appendDictionary(
    _ body: (inout MessageWriter) -> Void
  ) {
    appendDictionary(key: .string, value: .variant, body)
  }

  /// Writes a dictionary; `body` writes its entries.
  public mutating func appendDictionary(
    key: TypeCode,
    value: Signature,
    _ body: (inout MessageWriter) -> Void
  ) {
    guard accept(TypeCode.array.rawValue) else { return }
    guard key.isBasic, value.isSingleCompleteType else {
      fail(.invalidArguments("not the types of a dictionary: '\(key)' and '\(value)'"))
      return
    }
    let start = scope.isRecording ? types.count : scope.cursor
    _ = accept(TypeCode.dictionaryEntry.rawValue)
    _ = accept(key.rawValue)
    acceptAll(value.rawValue)
    _ = accept(UInt8(ascii: "}"))
    let isNamedValues = key == .string && value.rawValue == "v"
    appendElements(types: start, alignment: 8, isNamedValues: isNamedValues, body)
  }

  /// Writes an entry of a dictionary whose keys are texts; `body` writes the value.
  public mutating func appendEntry(
    _ key: String,
    _ body: (inout MessageWriter) -> Void
  ) {
    appendEntry { writer in
      writer.append(key)
      body(&writer)
    }
  }

  /// Writes an entry of a dictionary; `body` writes the key and then the value.
  public mutating func appendEntry(
    _ body: (inout MessageWriter) -> Void
  ) {
    guard acceptInDictionary(TypeCode.dictionaryEntry.rawValue), open(), fits(8) else { return }
    self.body.align(to: 8)
    body(&self)
    _ = accept(UInt8(ascii: "}"))
    close()
  }

  /// Writes an entry of a dictionary of named values, `{sv}`, with a value of a basic type.
  public mutating func appendEntry(_ key: String, variant value: some BasicValue) {
    appendEntry(key, variant: value.basicValue)
  }

  /// Writes an entry of a dictionary of named values, `{sv}`.
  public mutating func appendEntry(_ key: String, variant value: Value) {
    let code = value.typeCode
    guard code.isBasic, scope.isNamedValues, !hasFailed,
      scope.cursor == scope.start || scope.cursor == scope.end
    else { return appendEntry(key) { $0.appendVariant(value) } }
    // The fast path: all its types are known, so they need not be accepted one by one.
    guard open(2) else { return }
    close(2)
    scope.cursor = scope.end
    body.align(to: 8)
    write(text: key)
    body.append(1, code.rawValue, 0)
    write(basic: value)
  }

  private mutating func acceptInDictionary(_ code: UInt8) -> Bool {
    guard !scope.isRecording || hasFailed else {
      fail(.invalidArguments("an entry outside a dictionary"))
      return false
    }
    return accept(code)
  }

  /// Writes entries of a dictionary of named values that were encoded before.
  public mutating func append(_ entries: EncodedEntries) {
    if let failure = entries.failure { fail(failure) }
    guard !hasFailed, !entries.isEmpty else { return }
    for code in "{sv}".utf8 where !acceptInDictionary(code) { return }
    guard open(entries.depth), fits(entries.bytes.count + 8) else { return }
    close(entries.depth)
    body.align(to: 8)
    body.append(entries.bytes)
  }

  /// Encodes entries of a dictionary of named values, `{sv}`, once for many messages.
  public static func encodeEntries(_ body: (inout MessageWriter) -> Void) -> EncodedEntries {
    var writer = MessageWriter()
    writer.appendDictionary { writer in
      let depth = writer.depth
      body(&writer)
      if writer.depth != depth { writer.fail(.failed("unbalanced containers")) }
    }
    return EncodedEntries(
      bytes: writer.hasFailed ? [] : writer.body.array(from: 8),
      depth: writer.deepest - 1,
      failure: writer.failure
    )
  }
}

/// Entries of a dictionary of named values, already marshalled, for what is sent over and over.
///
/// An entry starts on a boundary of 8 bytes, so its bytes are the same in every message.
public struct EncodedEntries: Hashable, Sendable {
  /// The bytes, the first on a boundary of 8.
  fileprivate let bytes: [UInt8]
  /// How many containers are nested in the entries, the entry itself among them.
  fileprivate let depth: Int
  /// Why the entries cannot be sent; nil where they can.
  public let failure: BusError?

  /// Whether there is no entry.
  public var isEmpty: Bool { bytes.isEmpty }
}
