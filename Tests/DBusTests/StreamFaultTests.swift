// SPDX-License-Identifier: MIT
import EventLoop
import Glibc
import Testing

@testable import DBus

/// A bus that authenticates, and then says whatever the test wants.
private final class FakeBus {
  let address: String
  private let path: String
  private let loop: EventLoop
  private let listener: UnixDescriptor
  private var peer: UnixDescriptor?
  private var heard: [UInt8] = []
  private var isThrough = false
  private let words: [UInt8]

  init(on loop: EventLoop, saying words: [UInt8]) throws {
    self.loop = loop
    self.words = words
    path = "/tmp/badged-fake.\(getpid()).\(UInt32.random(in: 0 ... .max))"
    address = "unix:path=\(path)"
    let raw = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    try #require(raw >= 0)
    listener = UnixDescriptor(adopting: raw)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: Array(path.utf8))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(raw, $0, size) == 0
      }
    }
    try #require(isBound && listen(raw, 1) == 0)
    try loop.watch(raw, for: .readable) { [weak self] _ in self?.accept() }
  }

  deinit {
    _ = unsafe unlink(path)
  }

  private func accept() {
    let raw = Glibc.accept(listener.rawValue, nil, nil)
    guard raw >= 0 else { return }
    peer = UnixDescriptor(adopting: raw)
    _ = try? loop.watch(raw, for: .readable) { [weak self] _ in self?.hear(raw) }
  }

  private func hear(_ socket: CInt) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe recv(socket, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    guard count > 0, !isThrough else { return }
    heard += bytes.prefix(count)
    let lines = String(decoding: heard, as: UTF8.self)
    if lines.contains("BEGIN\r\n") {
      isThrough = true
      say(words, on: socket)
    } else if lines.hasSuffix("NEGOTIATE_UNIX_FD\r\n") {
      say(Array("AGREE_UNIX_FD\r\n".utf8), on: socket)
    } else if lines.hasSuffix("\r\n") {
      say(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8), on: socket)
    }
  }

  private func say(_ bytes: [UInt8], on socket: CInt) {
    _ = unsafe send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }
}

struct StreamFaultTests {
  @Test func `bytes that are no message end the connection, which says why`() throws {
    let loop = try EventLoop()
    let bus = try FakeBus(on: loop, saying: [UInt8](repeating: 0x78, count: 64))
    var results: [Result<BusName, BusError>] = []
    var ends = 0
    let connection = try BusConnection(opening: bus.address, on: loop) { results.append($0) }
    connection.onDisconnected = { ends += 1 }
    let deadline = Instant.now() + .seconds(20)
    while ends == 0, Instant.now() < deadline { try loop.runOnce(timeout: .milliseconds(100)) }
    #expect(ends == 1)
    #expect(results.count == 1 && results.first?.isSuccess == false)
    #expect(connection.streamFault == .inconsistentMessage("not the header of a message"))
    #expect(!connection.isConnected)
    while try loop.runOnce(timeout: .zero) {}
    #expect(ends == 1)
  }
}
