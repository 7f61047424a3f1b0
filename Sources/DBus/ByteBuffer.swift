// SPDX-License-Identifier: MIT
import Glibc

/// Contiguous bytes that grow at the end and keep their memory when emptied.
///
/// All of the marshaller's pointers live in here.
@safe
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes.
  private(set) var count = 0
  /// Alignment counts from here: the start of the message that is being written.
  var origin = 0

  init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    unsafe self.base = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// A byte; 0 beyond the end.
  subscript(index: Int) -> UInt8 {
    guard index >= 0 && index < count else { return 0 }
    return unsafe base.load(fromByteOffset: index, as: UInt8.self)
  }

  /// Lends the bytes for reading.
  func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let typed = unsafe base.assumingMemoryBound(to: UInt8.self)
    return body(unsafe UnsafeBufferPointer(start: typed, count: count).span)
  }

  /// Forgets the bytes from `count` on.
  mutating func truncate(to count: Int) {
    self.count = min(max(count, 0), self.count)
  }

  /// Empties the buffer; memory that only an unusual message needed goes back.
  mutating func removeAll(keepingAtMost limit: Int = 1 << 18) {
    count = 0
    origin = 0
    guard capacity > limit else { return }
    unsafe base.deallocate()
    capacity = 256
    unsafe base = .allocate(byteCount: capacity, alignment: 8)
  }

  /// Drops bytes at the front.
  mutating func removeFirst(_ dropped: Int) {
    precondition(dropped >= 0 && dropped <= count)
    unsafe base.copyMemory(from: base + dropped, byteCount: count - dropped)
    count -= dropped
    origin = max(0, origin - dropped)
  }

  @inline(__always)
  private mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(by: extra) }
  }

  @inline(never)
  private mutating func grow(by extra: Int) {
    let newCapacity = max(capacity * 2, count + extra)
    let newBase = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
    unsafe newBase.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = newBase
    capacity = newCapacity
  }

  /// Appends zeros up to a boundary of at most 8 bytes.
  @inline(__always)
  mutating func align(to boundary: Int) {
    reserve(8)
    unsafe base.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
    count += (origin &- count) & (boundary - 1)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    reserve(3)
    unsafe base.storeBytes(of: first, toByteOffset: count, as: UInt8.self)
    unsafe base.storeBytes(of: second, toByteOffset: count + 1, as: UInt8.self)
    unsafe base.storeBytes(of: third, toByteOffset: count + 2, as: UInt8.self)
    count += 3
  }

  /// Appends a number in the machine's byte order, on its own boundary.
  @inline(__always)
  mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(aligned number: Number) {
    let size = MemoryLayout<Number>.size
    reserve(16)
    unsafe base.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
    count += (origin &- count) & (size - 1)
    unsafe base.storeBytes(of: number, toByteOffset: count, as: Number.self)
    count += size
  }

  /// Overwrites a number written before; does nothing where there is none.
  @inline(__always)
  mutating func replace(at position: Int, with number: UInt32) {
    guard position >= 0 && position + 4 <= count else { return }
    unsafe base.storeBytes(of: number, toByteOffset: position, as: UInt32.self)
  }

  /// Makes room for `count` bytes at the end, and appends as many as `body` says that it wrote there.
  @safe
  mutating func append(upTo count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
    reserve(count)
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + self.count, count: count)
    self.count += min(max(unsafe body(room), 0), count)
  }

  /// Appends bytes as they are.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    unsafe (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends bytes as they are.
  mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  /// Appends another buffer's bytes as they are.
  mutating func append(contentsOf other: borrowing ByteBuffer) {
    unsafe append(UnsafeRawBufferPointer(start: other.base, count: other.count))
  }

  /// Appends a text's bytes and a NUL; false where the text has a NUL itself, and then appends
  /// nothing.
  mutating func append(terminated text: String.UTF8View) -> Bool {
    let length = text.count
    reserve(length + 1)
    let target = unsafe base + count
    let isCopied: Void? = unsafe text.withContiguousStorageIfAvailable { source in
      guard let start = source.baseAddress else { return }
      unsafe target.copyMemory(from: start, byteCount: source.count)
    }
    if isCopied == nil {
      var offset = 0
      for byte in text {
        unsafe target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        offset += 1
      }
    }
    guard unsafe memchr(target, 0, length) == nil else { return false }
    unsafe target.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    count += length + 1
    return true
  }

  /// Appends a short text's bytes.
  mutating func append(text: String.UTF8View) {
    for byte in text { append(byte) }
  }

  /// The bytes from `start` up to `end`.
  func array(from start: Int, upTo end: Int) -> [UInt8] {
    withUnsafeBytes(from: start, upTo: end) { unsafe [UInt8]($0) }
  }

  /// Hands the bytes from `start` on to a C function.
  @safe
  func withUnsafeBytes<Result>(
    from start: Int,
    upTo end: Int,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    precondition(start >= 0 && start <= end && end <= count)
    return unsafe body(UnsafeRawBufferPointer(start: base + start, count: end - start))
  }
}
