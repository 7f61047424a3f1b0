// SPDX-License-Identifier: MIT
import CLinux

/// Writes the body of a message: values one after another, and the signature they add up to.
///
/// Alignment and lengths are the writer's business. What cannot be sent (a text with a NUL in it,
/// a value that its container does not take, a body too large or nested too deep) makes the writer
/// fail: it ignores what follows, and sending throws its ``failure``. Nothing traps.
///
/// Source: D-Bus specification, "Marshaling (Wire Format)".
public struct MessageWriter: ~Copyable {
  /// The largest body, in bytes.
  ///
  /// It is what a bus takes that has no session configuration, less a header. A larger message
  /// would not be refused by the bus but end the connection.
  public static let maximumBodyLength = (32 << 20) - (1 << 16)
  /// Containers may be nested this deep.
  static let maximumDepth = 64

  /// The body.
  var body = ByteBuffer()
  /// The signature so far; above it, while variants are open, what these must hold.
  var types = ByteBuffer(capacity: 320)
  /// What the next value must be.
  var scope = Scope()
  /// How many containers are open.
  var depth = 0
  /// The largest ``depth`` there was.
  var deepest = 0
  /// The descriptors that go with the message.
  private(set) var descriptors: [UnixDescriptor] = []
  /// Why the body cannot be sent; nil while all is well.
  public private(set) var failure: BusError?
  private(set) var hasFailed = false

  /// The part of ``types`` that says what may be written, or that nothing does.
  struct Scope {
    /// True at the top level and in its structures, where what is written becomes the signature.
    var isRecording = true
    /// Whether the types come again and again, as in an array.
    var repeats = false
    /// Whether the types are those of an entry of `a{sv}`, which have a short cut.
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
    scope = Scope()
    depth = 0
    deepest = 0
    hasFailed = false
    failure = nil
    if !descriptors.isEmpty { descriptors = [] }
  }

  /// The signature of what was written so far; empty once the writer has failed.
  public var signature: Signature {
    guard !hasFailed else { return .empty }
    let text = types.array(from: 0, upTo: types.count)
    return Signature(String(decoding: text, as: UTF8.self)) ?? .empty
  }

  /// Makes the writer fail, unless it has failed before.
  mutating func fail(_ error: BusError) {
    guard !hasFailed else { return }
    hasFailed = true
    failure = error
  }

  /// Whether a value of this type may be written now; moves past its code.
  @inline(__always)
  mutating func accept(_ code: UInt8) -> Bool {
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

  /// Whether so many more bytes fit.
  @inline(__always)
  mutating func hasRoom(for length: Int) -> Bool {
    guard length <= Self.maximumBodyLength - body.count else {
      failTooLarge()
      return false
    }
    return true
  }

  @inline(never)
  private mutating func failTooLarge() {
    fail(.limitsExceeded("a message of more than \(Self.maximumBodyLength) bytes"))
  }

  /// Notes that a container opens; false where that is one too many.
  mutating func open() -> Bool {
    depth += 1
    if depth > deepest { deepest = depth }
    guard depth <= Self.maximumDepth else {
      fail(.limitsExceeded("containers nested more than \(Self.maximumDepth) deep"))
      return false
    }
    return true
  }

  mutating func close() {
    depth -= 1
  }

  /// Takes a descriptor along and returns its index.
  mutating func attach(_ descriptor: UnixDescriptor) -> UInt32 {
    if let index = descriptors.firstIndex(of: descriptor) { return UInt32(index) }
    guard descriptors.count < Int(LINUX_DESCRIPTORS_MAX) else {
      fail(.limitsExceeded("more than \(LINUX_DESCRIPTORS_MAX) descriptors in a message"))
      return 0
    }
    descriptors.append(descriptor)
    return UInt32(descriptors.count - 1)
  }

  /// Checks, at the end, what cannot be known before.
  mutating func finish() {
    // A container's closure may have put another writer in place of this one.
    if depth != 0 { fail(.invalidArguments("a container was not closed")) }
    // No signature of 32 bytes can nest deeper than 32.
    guard !hasFailed, types.count > SignatureGrammar.maximumNesting else { return }
    if types.withSpan({ SignatureGrammar.completeTypeCount($0) }) == nil {
      fail(.limitsExceeded("a signature of more than 255 bytes, or nested too deep"))
    }
  }
}
