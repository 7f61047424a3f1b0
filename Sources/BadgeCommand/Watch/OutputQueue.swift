// SPDX-License-Identifier: MIT
import EventLoop
import Glibc

/// Writes to a reader that may be slow or leave, and never blocks.
///
/// Each text is one write(2), or several if it is longer than PIPE_BUF. While a reader is slow, a newer
/// text replaces an older one with the same subject.
final class OutputQueue {
  /// Called once when the output fails, with `errno`; 0 if the reader left.
  var onEnd: (CInt) -> Void = { _ in }

  private static let patience = 16
  private let descriptor: CInt
  private var watch: Watch?
  private var texts: [WatchOutput] = []
  private var written = 0
  private var isGone = false

  init(descriptor: CInt, loop: EventLoop) {
    self.descriptor = descriptor
    // A regular file cannot be watched, but never blocks.
    watch = try? loop.watch(descriptor, for: []) { [weak self] in self?.becameReady($0) }
  }

  func append(_ output: [WatchOutput]) {
    guard !isGone else { return }
    for entry in output {
      if texts.count >= Self.patience {
        let waiting = texts.indices.dropFirst(written > 0 ? 1 : 0)
        if let index = waiting.first(where: { texts[$0].subject == entry.subject }) {
          texts.remove(at: index)
        }
      }
      texts.append(entry)
    }
    flush()
  }

  private func becameReady(_ readiness: Readiness) {
    if !readiness.isDisjoint(with: [.error, .hangUp]) { return end(0) }
    flush()
  }

  private func flush() {
    while !isGone, let first = texts.first, watch == nil || isWritable {
      let count = write(first.text)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { break }
        return end(errno == EPIPE ? 0 : errno)
      }
      written += count
      guard written == first.text.utf8.count else { continue }
      written = 0
      texts.removeFirst()
    }
    watch?.interest = texts.isEmpty ? [] : .writable
  }

  /// Writes the rest of a text, at most what a writable pipe accepts without blocking.
  private func write(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let length = min(bytes.count - written, Int(PIPE_BUF))
      let part = unsafe UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(bytes)[written..<(written + length)]
      )
      return unsafe Glibc.write(descriptor, part.baseAddress, part.count)
    }
  }

  private var isWritable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
  }

  private func end(_ number: CInt) {
    guard !isGone else { return }
    isGone = true
    texts = []
    watch?.cancel()
    onEnd(number)
  }
}
