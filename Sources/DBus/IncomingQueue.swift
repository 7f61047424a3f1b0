// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The bytes that came in and are not yet messages.
struct IncomingQueue: ~Copyable {
  /// What came of reading.
  enum Outcome {
    /// As much as was asked for: the socket may hold more.
    case full
    /// All that the socket held.
    case some
    /// The socket holds nothing now.
    case nothing
    /// The stream is at its end.
    case ended
  }

  private var buffer = ByteBuffer(capacity: ConnectionLimits.bytesPerRead)
  /// Where the first byte lies that is not yet part of a message.
  private var start = 0
  /// How many bytes the message at `start` is known to lack.
  private var missing = 0
  /// What came along with bytes, and belongs to messages that are still to be taken.
  private var descriptors: [UnixDescriptor] = []
  /// Messages that start before this place may have lost their descriptors.
  private var lossEnd = 0

  /// Whether so much was read ahead that the rest has to wait.
  var isFull: Bool {
    missing == 0
      && (buffer.count - start >= ConnectionLimits.receivedBytes
        || descriptors.count >= ConnectionLimits.receivedDescriptors)
  }

  /// Whether there are bytes, of which ``next()`` may make a message.
  var isEmpty: Bool { buffer.count == start }

  /// Reads once, as much as is asked of the socket at a time or the message at hand lacks.
  mutating func read(from socket: CInt) -> Outcome {
    makeRoom()
    let wanted = max(ConnectionLimits.bytesPerRead, min(missing, 1 << 20))
    var reception = Reception()
    buffer.append(upTo: wanted) { room in
      unsafe reception.receive(from: socket, into: room)
      return reception.bytes
    }
    if reception.lostDescriptors {
      // Which of them were lost can't be told.
      descriptors = []
      lossEnd = buffer.count
    }
    descriptors += reception.descriptors
    guard reception.bytes > 0 else { return reception.isPending ? .nothing : .ended }
    missing = max(missing - reception.bytes, 0)
    // The kernel stops where descriptors are.
    return reception.bytes == wanted || reception.cameWithDescriptors ? .full : .some
  }

  /// Takes the next message, if all of it is there.
  ///
  /// - Throws: ``BusError`` `InconsistentMessage` where the bytes are none: nothing that follows can
  ///   be read either.
  mutating func next() throws(BusError) -> Message? {
    while true {
      let first = start
      let available = buffer.count - first
      guard available >= MessageHeader.fixedLength else { return nil }
      let length = buffer.withSpan { MessageHeader.messageLength($0, at: first) }
      guard let length else { throw .inconsistentMessage("not the header of a message") }
      guard available >= length else {
        missing = length - available
        return nil
      }
      let kind = buffer[first + 1]
      let bytes = buffer.array(from: first, upTo: first + length)
      start += length
      // A later version of the specification may have more kinds, which are to be passed over.
      guard MessageKind(rawValue: kind) != nil else { continue }
      let message = try Message(bytes: bytes)
      if message.fields.descriptorCount > 0 { claimDescriptors(for: message, at: first) }
      // Else the room of a long message would wait for the next one.
      if isEmpty { makeRoom() }
      return message
    }
  }

  /// Forgets everything.
  mutating func removeAll() {
    buffer.removeAll(keepingAtMost: 0)
    descriptors = []
    (start, missing, lossEnd) = (0, 0, 0)
  }

  private mutating func claimDescriptors(for message: Message, at position: Int) {
    guard position >= lossEnd else { return }
    let count = min(Int(message.fields.descriptorCount), descriptors.count)
    message.descriptors = Array(descriptors.prefix(count))
    descriptors.removeFirst(count)
  }

  /// Lets go of what was taken, once that is all or the larger part.
  private mutating func makeRoom() {
    if start == buffer.count {
      buffer.removeAll()
      // What no message claimed has no owner.
      descriptors = []
      (start, lossEnd) = (0, 0)
    } else if start > buffer.count / 2 {
      buffer.removeFirst(start)
      lossEnd = max(lossEnd - start, 0)
      start = 0
    }
  }
}

/// One call of recvmsg(2).
private struct Reception {
  /// How many bytes there were; 0 at the end of the stream, negative where there are none.
  var bytes = 0
  var descriptors: [UnixDescriptor] = []
  var lostDescriptors = false
  /// Whether there may be bytes later.
  var isPending = false

  var cameWithDescriptors: Bool { !descriptors.isEmpty || lostDescriptors }

  mutating func receive(from socket: CInt, into room: UnsafeMutableRawBufferPointer) {
    let limit = Int(LINUX_DESCRIPTORS_AT_ONCE)
    unsafe withUnsafeTemporaryAllocation(of: CInt.self, capacity: limit) { numbers in
      var count: CInt = 0
      repeat {
        bytes = unsafe linux_receive(
          socket,
          room.baseAddress,
          room.count,
          numbers.baseAddress,
          &count
        )
      } while bytes < 0 && errno == EINTR
      isPending = bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
      lostDescriptors = count < 0
      for index in 0..<max(Int(count), 0) {
        descriptors.append(unsafe UnixDescriptor(adopting: numbers[index]))
      }
    }
  }
}
