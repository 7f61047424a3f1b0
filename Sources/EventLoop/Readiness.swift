// SPDX-License-Identifier: MIT
internal import CLinux

/// What a descriptor can be ready for; the bits are those of `epoll_ctl(2)`.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// The bits as epoll has them.
  public let rawValue: UInt32

  /// A set with the given bits of epoll.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ event: EPOLL_EVENTS) {
    rawValue = event.rawValue
  }

  /// There is something to read, or the end of it (`EPOLLIN`).
  public static let readable = Readiness(EPOLLIN)

  /// A write would not block (`EPOLLOUT`).
  public static let writable = Readiness(EPOLLOUT)

  /// There is something exceptional to read (`EPOLLPRI`).
  public static let urgent = Readiness(EPOLLPRI)

  /// The other side is gone (`EPOLLHUP`); reported whether asked for or not.
  public static let hangUp = Readiness(EPOLLHUP)

  /// The descriptor has an error (`EPOLLERR`); reported whether asked for or not.
  public static let error = Readiness(EPOLLERR)

  /// Report a change once, not for as long as it lasts (`EPOLLET`).
  static let edgeTriggered = Readiness(EPOLLET)
}
