// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// A system call that failed: its name and its `errno`.
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

  /// The call and the system's message, such as `epoll_wait: Interrupted system call`.
  public var description: String {
    guard let text = unsafe strerror(number) else { return "\(operation): error \(number)" }
    return unsafe "\(operation): \(String(cString: text))"
  }
}

/// Makes a system call that returns a negative number on failure, again if a signal interrupts it.
///
/// - Parameters:
///   - operation: The name of the call, for the error.
///   - body: Makes the call and returns its result.
/// - Returns: The result, not negative.
/// - Throws: ``SystemError`` with the `errno` of the call.
@discardableResult
public func systemCall<Result: SignedInteger>(
  _ operation: String,
  _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw SystemError(operation: operation, number: number) }
  }
}

/// A file descriptor with exactly one owner, closed when its owner goes away.
public struct OwnedDescriptor: ~Copyable {
  /// The number of the descriptor, for calls that only borrow it.
  public let rawValue: CInt

  /// Takes over `descriptor`; nobody else may close it from now on.
  public init(adopting descriptor: CInt) {
    rawValue = descriptor
  }

  deinit {
    _ = close(rawValue)
  }
}

/// The descriptors 0, 1 and 2, which may be closed when a program starts.
public enum StandardDescriptors {
  /// Opens `/dev/null` for those that are closed, so that no socket or file of the program takes
  /// their place and is written to as if it were standard output.
  ///
  /// Reading from them ends at once, and writing fails, as it would have on the closed descriptor.
  public static func reserve() {
    var descriptor: CInt
    repeat {
      descriptor = unsafe open("/dev/null", O_RDONLY)  // inherited: it is descriptor 0, 1 or 2
    } while (0...2).contains(descriptor)
    if descriptor > 2 { _ = close(descriptor) }
  }
}

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

  /// The peer has closed its end (`EPOLLHUP`); reported whether asked for or not.
  public static let hangUp = Readiness(EPOLLHUP)

  /// The descriptor has an error (`EPOLLERR`); reported whether asked for or not.
  public static let error = Readiness(EPOLLERR)

  /// Report a change once, not for as long as it lasts (`EPOLLET`).
  static let edgeTriggered = Readiness(EPOLLET)
}

/// An epoll instance and the buffer its events arrive in.
///
/// Each registration has an identifier that the kernel hands back, so that an event fetched for a
/// registration that has ended is not taken for one of its successor on the same descriptor number.
@safe struct EpollSet: ~Copyable {
  private let descriptor: OwnedDescriptor
  private var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)

  var fileDescriptor: CInt { descriptor.rawValue }

  init() throws(SystemError) {
    let raw = try systemCall("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
    descriptor = OwnedDescriptor(adopting: raw)
  }

  func add(_ descriptor: CInt, identifier: UInt64, interest: Readiness) throws(SystemError) {
    try control(EPOLL_CTL_ADD, descriptor, identifier, interest)
  }

  func modify(_ descriptor: CInt, identifier: UInt64, interest: Readiness) throws(SystemError) {
    try control(EPOLL_CTL_MOD, descriptor, identifier, interest)
  }

  func remove(_ descriptor: CInt) throws(SystemError) {
    try control(EPOLL_CTL_DEL, descriptor, 0, [])
  }

  /// Waits for events (-1: without a limit) and returns how many came; 0 after an interruption.
  mutating func wait(milliseconds: CInt) throws(SystemError) -> Int {
    let count = unsafe epoll_wait(descriptor.rawValue, &events, CInt(events.count), milliseconds)
    if count >= 0 { return Int(count) }
    guard errno == EINTR else { throw .last("epoll_wait") }
    return 0
  }

  /// An event the last wait fetched.
  func event(at index: Int) -> (identifier: UInt64, readiness: Readiness) {
    let event = unsafe events[index]
    return unsafe (event.data.u64, Readiness(rawValue: event.events))
  }

  private func control(
    _ operation: CInt,
    _ descriptor: CInt,
    _ identifier: UInt64,
    _ interest: Readiness
  ) throws(SystemError) {
    var event = unsafe epoll_event()
    unsafe event.events = interest.rawValue
    unsafe event.data.u64 = identifier
    try systemCall("epoll_ctl") {
      unsafe epoll_ctl(self.descriptor.rawValue, operation, descriptor, &event)
    }
  }
}
