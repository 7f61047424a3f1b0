// SPDX-License-Identifier: MIT
internal import CLinux
package import EventLoop
internal import Glibc

/// Tells the service manager that the event loop still runs (`sd_notify(3)`, `WatchdogSec=`).
///
/// The protocol is a datagram to `$NOTIFY_SOCKET`. Without a request for a watchdog there is none, so
/// that nothing wakes an idle daemon.
package final class Watchdog {
  private let loop: EventLoop
  private let socketPath: String
  private let interval: Duration
  private let descriptor: OwnedDescriptor
  private var timer: Timer?

  /// A watchdog as requested by `$WATCHDOG_USEC`, `$WATCHDOG_PID` and `$NOTIFY_SOCKET`; nil if they
  /// request none of this process.
  package init?(loop: EventLoop, environment: (String) -> String?) {
    guard
      let microseconds = environment("WATCHDOG_USEC").flatMap({ Int64($0) }), microseconds > 0,
      let path = environment("NOTIFY_SOCKET"), path.first == "/" || path.first == "@"
    else { return nil }
    if let process = environment("WATCHDOG_PID"), process != "\(getpid())" { return nil }
    let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let raw = socket(AF_UNIX, type | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { return nil }
    descriptor = OwnedDescriptor(adopting: raw)
    self.loop = loop
    socketPath = path
    interval = .microseconds(max(microseconds / 2, 1))
  }

  /// Reports that the service is up, and from now on that it is alive, twice an interval.
  package func start(status: String) {
    notify("STATUS=\(status)\nWATCHDOG=1")
    scheduleNext()
  }

  /// Reports that the service is stopping.
  package func stop() {
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
    // '@' stands for the zero byte that begins an abstract name.
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.count < capacity else { return }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // An abstract name ends where the length says; a path may be followed by a zero byte.
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
