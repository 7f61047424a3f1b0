// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// An epoll instance and the buffer its events arrive in.
///
/// The kernel hands back the identifier a descriptor was added with, so that an event fetched for a
/// registration that has ended is told from one for its successor on the same number.
@safe struct EpollSet: ~Copyable {
  private let descriptor: OwnedDescriptor
  var fileDescriptor: CInt { descriptor.rawValue }
  private var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)

  init() throws(SystemError) {
    let raw = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw .last("epoll_create1") }
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

  /// Waits for events (-1: for ever) and says how many came; none after an interruption.
  mutating func wait(milliseconds: CInt) throws(SystemError) -> Int {
    let count = unsafe epoll_wait(
      descriptor.rawValue,
      &events,
      CInt(events.count),
      milliseconds
    )
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
    guard unsafe epoll_ctl(self.descriptor.rawValue, operation, descriptor, &event) == 0 else {
      throw .last("epoll_ctl")
    }
  }
}
