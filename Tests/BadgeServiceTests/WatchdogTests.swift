// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import BadgeService

@Suite struct WatchdogTests {
  /// A socket as the service manager has one.
  private final class NotifySocket {
    let directory: TemporaryDirectory
    let descriptor: CInt
    let path: String

    init(isAbstract: Bool = false) throws {
      directory = try TemporaryDirectory()
      path = isAbstract ? "@badged-\(getpid())-\(directory.path)" : directory.appending("notify")
      descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var bytes = Array(path.utf8)
      if isAbstract { bytes[0] = 0 }
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let status = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, length)
        }
      }
      guard status == 0 else { throw TestFailure("bind: \(errno)") }
    }

    deinit { _ = close(descriptor) }

    func next() -> String? {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
      return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  @Test(arguments: [false, true])
  func theManagerIsToldTwiceAnIntervalThatTheLoopTurns(_ isAbstract: Bool) throws {
    let socket = try NotifySocket(isAbstract: isAbstract)
    let loop = try EventLoop()
    let environment = [
      "NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "20000", "WATCHDOG_PID": "\(getpid())",
    ]
    let watchdog = try #require(Watchdog(loop: loop, environment: { environment[$0] }))
    watchdog.start(status: "Serving")
    #expect(socket.next() == "STATUS=Serving\nWATCHDOG=1")
    let begin = Instant.now()
    for _ in 1...3 {
      var message: String?
      #expect(
        try loop.run {
          message = socket.next()
          return message != nil
        }
      )
      #expect(message == "WATCHDOG=1")
    }
    #expect(Instant.now() - begin >= .milliseconds(29))
    watchdog.stop()
    #expect(socket.next() == "STOPPING=1")
    try loop.runOnce(timeout: .milliseconds(30))
    #expect(socket.next() == nil)
  }

  @Test func thereIsNoneWhereNoneIsAskedFor() throws {
    let loop = try EventLoop()
    for environment in [
      [:], ["NOTIFY_SOCKET": "/run/x"], ["WATCHDOG_USEC": "1000"],
      ["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "0"],
      ["NOTIFY_SOCKET": "relative", "WATCHDOG_USEC": "1000"],
      ["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"],
    ] {
      #expect(Watchdog(loop: loop, environment: { environment[$0] }) == nil)
    }
  }
}
