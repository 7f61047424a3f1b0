// SPDX-License-Identifier: MIT
internal import Glibc

/// Contiguous bytes that grow at the end and keep their memory when emptied.
///
/// All of the marshaller's pointers are in here.
@safe
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes.
  private(set) var count = 0

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

  /// Forgets the bytes from `count` on.
  mutating func truncate(to count: Int) {
    self.count = min(max(count, 0), self.count)
  }

  /// Empties the buffer, and gives memory back that only an unusually large message needed.
  mutating func removeAll() {
    count = 0
    guard capacity > 1 << 18 else { return }
    unsafe base.deallocate()
    capacity = 256
    unsafe base = .allocate(byteCount: capacity, alignment: 8)
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
    count += (0 &- count) & (boundary - 1)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    append(first)
    append(second)
    append(third)
  }

  /// Appends a number in the machine's byte order, on its own boundary.
  @inline(__always)
  mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(aligned number: Number) {
    let size = MemoryLayout<Number>.size
    align(to: size)
    reserve(size)
    unsafe base.storeBytes(of: number, toByteOffset: count, as: Number.self)
    count += size
  }

  /// Overwrites a number written before; does nothing where there is none.
  mutating func replace(at position: Int, with number: UInt32) {
    guard position >= 0 && position + 4 <= count else { return }
    unsafe base.storeBytes(of: number, toByteOffset: position, as: UInt32.self)
  }

  /// Appends bytes as they are.
  mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  /// Appends another buffer's bytes as they are.
  mutating func append(contentsOf other: borrowing ByteBuffer) {
    unsafe append(UnsafeRawBufferPointer(start: other.base, count: other.count))
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    unsafe (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends a text's bytes and a NUL; appends nothing and returns false where the text has a NUL
  /// itself.
  mutating func append(terminated text: String.UTF8View) -> Bool {
    let length = text.count
    reserve(length + 1)
    let target = unsafe base + count
    let isCopied: Void? = unsafe text.withContiguousStorageIfAvailable { source in
      guard let start = source.baseAddress else { return }
      unsafe target.copyMemory(from: start, byteCount: source.count)
    }
    if isCopied == nil {
      for (offset, byte) in text.enumerated() {
        unsafe target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      }
    }
    guard unsafe memchr(target, 0, length) == nil else { return false }
    unsafe target.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    count += length + 1
    return true
  }

  /// Copies the bytes from `start` on.
  func array(from start: Int = 0) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: base, count: count).dropFirst(start))
  }

  /// Lends the bytes to a C function.
  func withUnsafeBytes<Result: ~Copyable>(
    _ body: (UnsafeRawBufferPointer) throws(BusError) -> Result
  ) throws(BusError) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }
}
