// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The messages that wait to go out, one after another as bytes.
struct OutgoingQueue: ~Copyable {
  /// What came of writing.
  enum Outcome {
    /// Everything is out.
    case drained
    /// The socket takes no more for now.
    case blocked
    /// The socket is dead.
    case failed
  }

  /// A message with descriptors: they go with its first byte, and no other message's bytes may
  /// go in the same call.
  private struct Parcel {
    var start: Int
    var end: Int
    let descriptors: [UnixDescriptor]
  }

  var buffer = ByteBuffer(capacity: 4096)
  private var sent = 0
  private var parcels: [Parcel] = []

  /// The number of bytes that wait.
  var count: Int { buffer.count - sent }

  /// Whether nothing waits.
  var isEmpty: Bool { count == 0 }

  /// Adds a message: a header and the writer's body.
  mutating func append(_ header: OutgoingHeader, _ writer: borrowing MessageWriter) {
    let start = buffer.count
    header.compose(writer, into: &buffer)
    assert(isMessage(from: start), "libdbus does not take what was marshalled")
    guard !writer.descriptors.isEmpty else { return }
    parcels.append(Parcel(start: start, end: buffer.count, descriptors: writer.descriptors))
  }

  /// The bytes from a place in the queue on.
  func bytes(from start: Int) -> [UInt8] { buffer.array(from: start, upTo: buffer.count) }

  /// Forgets everything.
  mutating func removeAll() {
    buffer.removeAll()
    sent = 0
    parcels = []
  }

  /// Writes as much as the socket takes, without waiting.
  mutating func write(to socket: CInt) -> Outcome {
    while sent < buffer.count {
      let written = writeOnce(to: socket)
      if written >= 0 {
        sent += written
        continue
      }
      if errno == EINTR { continue }
      guard errno == EAGAIN || errno == EWOULDBLOCK else {
        removeAll()
        return .failed
      }
      compact()
      return .blocked
    }
    removeAll()
    return .drained
  }

  private mutating func writeOnce(to socket: CInt) -> Int {
    guard let parcel = parcels.first else { return send(upTo: buffer.count, to: socket) }
    guard parcel.start == sent else { return send(upTo: parcel.start, to: socket) }
    let descriptors = parcel.descriptors.map { $0.rawValue }
    let written = buffer.withUnsafeBytes(from: sent, upTo: parcel.end) { bytes in
      unsafe linux_send_descriptors(
        socket,
        bytes.baseAddress,
        bytes.count,
        descriptors,
        CUnsignedInt(descriptors.count)
      )
    }
    if written > 0 { parcels.removeFirst() }
    return written
  }

  private func send(upTo end: Int, to socket: CInt) -> Int {
    buffer.withUnsafeBytes(from: sent, upTo: end) { bytes in
      let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
      return unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
    }
  }

  /// Lets go of what is out, once that is the larger part.
  private mutating func compact() {
    guard sent > 1 << 16, sent > buffer.count / 2 else { return }
    buffer.removeFirst(sent)
    for index in parcels.indices {
      parcels[index].start -= sent
      parcels[index].end -= sent
    }
    sent = 0
  }
}
