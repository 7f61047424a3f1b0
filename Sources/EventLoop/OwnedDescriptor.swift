// SPDX-License-Identifier: MIT
internal import Glibc

/// A file descriptor with exactly one owner, closed when the owner lets go of it.
public struct OwnedDescriptor: ~Copyable {
  /// The number of the descriptor, for calls that only borrow it.
  public let rawValue: CInt

  /// Takes over `descriptor`; nobody else may close it from now on.
  public init(adopting descriptor: CInt) {
    rawValue = descriptor
  }

  /// Gives the descriptor away: the caller has to close it.
  public consuming func release() -> CInt {
    let descriptor = rawValue
    discard self
    return descriptor
  }

  deinit {
    _ = close(rawValue)
  }
}
