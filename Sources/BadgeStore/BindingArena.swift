// SPDX-License-Identifier: MIT

/// Bytes that a statement's bindings point to until its reset, so that SQLite need not copy them.
///
/// A block in use never moves: what does not fit goes to a further block, and the next ``clear()``
/// leaves the largest.
@safe struct BindingArena: ~Copyable {
  private var block: UnsafeMutableBufferPointer<CChar>
  private var used = 0
  private var full: [UnsafeMutableBufferPointer<CChar>] = unsafe []

  init(capacity: Int = 512) {
    unsafe block = .allocate(capacity: capacity)
  }

  deinit {
    unsafe block.deallocate()
    unsafe full.forEach { unsafe $0.deallocate() }
  }

  /// Copies text here; the bytes stay where they are until ``clear()``.
  @unsafe mutating func hold(_ text: String) -> UnsafeBufferPointer<CChar> {
    let held = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hold($0) }
    return unsafe held ?? hold(Array(text.utf8))
  }

  /// Copies bytes here; they stay where they are until ``clear()``.
  @unsafe mutating func hold(_ bytes: [UInt8]) -> UnsafeBufferPointer<CChar> {
    unsafe bytes.withUnsafeBufferPointer { unsafe hold($0) }
  }

  private mutating func hold(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<CChar> {
    if unsafe block.count - used < bytes.count {
      unsafe full.append(block)
      unsafe block = .allocate(capacity: max(2 * block.count, bytes.count))
      used = 0
    }
    let target = unsafe UnsafeMutableBufferPointer(rebasing: block[used..<used + bytes.count])
    unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: UnsafeRawBufferPointer(bytes))
    used += bytes.count
    // SQLite takes a null pointer for NULL, and an empty text is none.
    return unsafe UnsafeBufferPointer(
      start: block.baseAddress.map { unsafe $0 + used - bytes.count },
      count: bytes.count
    )
  }

  /// Forgets all bytes.
  mutating func clear() {
    used = 0
    guard unsafe !full.isEmpty else { return }
    unsafe full.forEach { unsafe $0.deallocate() }
    unsafe full.removeAll()
  }
}
