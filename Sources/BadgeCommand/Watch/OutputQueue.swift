// SPDX-License-Identifier: MIT
import EventLoop
import Glibc

/// Writes to a reader that may be slow or go away, without ever waiting for it.
///
/// Each text leaves by one write(2), or by several where it is longer than a pipe takes at once. For
/// a reader that lags, a newer text takes the place of an older one of the same subject.
final class OutputQueue {
  /// Called once when the output takes no more, with the error's number; 0 where the reader left.
  var onEnd: (CInt) -> Void = { _ in }

  private static let patience = 16
  private let descriptor: CInt
  private var watch: Watch?
  private var texts: [WatchOutput] = []
  private var written = 0
  private var isGone = false

  init(descriptor: CInt, loop: EventLoop) {
    self.descriptor = descriptor
    // A plain file cannot be watched, and takes all at once.
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

  /// Writes what is left of a text, no more than a pipe that is writable takes without waiting.
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
