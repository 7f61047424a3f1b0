// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// A file descriptor that travels in a message; closed when the last reference goes.
public final class UnixDescriptor: Sendable {
  /// The number, valid as long as this object lives.
  public let rawValue: CInt

  /// Takes over a descriptor: from now on this object closes it.
  public init(adopting descriptor: CInt) {
    self.rawValue = descriptor
  }

  deinit {
    close(rawValue)
  }

  /// Makes a second descriptor of the same open file; the caller keeps the first.
  ///
  /// - Throws: ``BusError`` where the process has no descriptor left or the number is none.
  public convenience init(duplicating descriptor: CInt) throws(BusError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .failed("cannot duplicate descriptor: '\(descriptor)'") }
    self.init(adopting: copy)
  }
}

extension UnixDescriptor: Hashable {
  /// Whether both are the same object, not merely the same open file.
  public static func == (left: UnixDescriptor, right: UnixDescriptor) -> Bool { left === right }

  /// Feeds the object's identity to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
