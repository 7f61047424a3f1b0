// SPDX-License-Identifier: MIT
internal import Glibc

/// A system call that failed: which one, and its `errno`.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the call, such as `epoll_wait`.
  public let operation: String

  /// The value of `errno` after the call.
  public let number: CInt

  /// Describes a failure of `operation` with the error number `number`.
  public init(operation: String, number: CInt) {
    self.operation = operation
    self.number = number
  }

  /// The failure of the call made last, from `errno`.
  public static func last(_ operation: String) -> SystemError {
    SystemError(operation: operation, number: errno)
  }

  /// The call and the system's own words, such as `epoll_wait: Interrupted system call`.
  public var description: String {
    guard let text = unsafe strerror(number) else { return "\(operation): error \(number)" }
    return unsafe "\(operation): \(String(cString: text))"
  }
}
