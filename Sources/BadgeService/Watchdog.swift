// SPDX-License-Identifier: MIT
internal import CLinux
public import EventLoop
internal import Glibc

/// Tells the service manager that the loop still turns (`sd_notify(3)`, `WatchdogSec=`).
///
/// The protocol is a datagram to `$NOTIFY_SOCKET`. Exists only where a watchdog is asked for, so that
/// nothing wakes the daemon otherwise.
public final class Watchdog {
  private let loop: EventLoop
  private let socketPath: String
  private let interval: Duration
  private let descriptor: OwnedDescriptor
  private var timer: Timer?

  /// A watchdog as `$WATCHDOG_USEC`, `$WATCHDOG_PID` and `$NOTIFY_SOCKET` ask for; nil where they
  /// ask this process for none.
  public init?(loop: EventLoop, environment: (String) -> String?) {
    guard
      let microseconds = environment("WATCHDOG_USEC").flatMap({ Int64($0) }), microseconds > 0,
      let path = environment("NOTIFY_SOCKET"), path.first == "/" || path.first == "@"
    else { return nil }
    if let process = environment("WATCHDOG_PID"), process != "\(getpid())" { return nil }
    let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let raw = socket(AF_UNIX, type | CInt(SOCK_NONBLOCK.rawValue), 0)
    guard raw >= 0 else { return nil }
    descriptor = OwnedDescriptor(adopting: raw)
    self.loop = loop
    socketPath = path
    interval = .microseconds(max(microseconds / 2, 1))
  }

  /// Says that the service is up, and from now on that it lives, twice an interval.
  public func start(status: String) {
    notify("STATUS=\(status)\nWATCHDOG=1")
    scheduleNext()
  }

  /// Says that the service is about to end.
  public func stop() {
    timer?.cancel()
    notify("STOPPING=1")
  }

  private func scheduleNext() {
    timer = loop.schedule(after: interval) { [weak self] in
      self?.notify("WATCHDOG=1")
      self?.scheduleNext()
    }
  }

  private func notify(_ message: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socketPath.utf8)
    // An abstract name, which begins with a zero byte.
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.count < capacity else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // The length tells an abstract name's end; a path may be followed by its zero byte.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    var message = message
    message.withUTF8 { bytes in
      _ = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe sendto(
            descriptor.rawValue,
            bytes.baseAddress,
            bytes.count,
            CInt(MSG_NOSIGNAL),
            address,
            length
          )
        }
      }
    }
  }
}
