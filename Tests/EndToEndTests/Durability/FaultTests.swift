// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import DBus
import EventLoop
import Glibc
import Testing
import TestSupport

/// The daemon with full, read-only or damaged storage.
@Suite(.privateBus) struct FaultTests {
  private let bus = PrivateBus.current

  private var database: String { bus.statePath + "/badges.db" }

  private func done(_ words: String...) throws {
    let run = try bus.run(productPath("badgectl"), words)
    guard run.status == .success else { throw TestFailure("\(words): \(run.errorOutput)") }
  }

  private func list() throws -> String {
    try bus.badgectl("list", "--all", "--json").output
  }

  /// The number of log lines that contain a text.
  private func lines(of daemon: SpawnedProcess, containing text: String) -> Int {
    daemon.errorOutput.split(separator: "\n").count { $0.contains(text) }
  }

  @Test("A disk that fills and empties: Durable says so, and then everything is written")
  func fullDisk() throws {
    let disk = try SmallDisk(at: bus.statePath, kilobytes: 600)
    let daemon = try bus.startDaemon()
    let client = try BadgeClient(address: bus.address)
    let follower = try DurabilityFollower(on: bus)
    try client.set("before", to: 1)
    try disk.fill()
    for number in 0..<200 {
      try client.update(
        "n\(number)",
        [(.count, .integer(5)), (.description, .string(String(repeating: "x", count: 250)))]
      )
    }
    #expect(try follower.waits(for: false))
    #expect(try !follower.read())
    try client.set("before", to: 2)
    #expect(try client.get("before").count == 2)
    #expect(lines(of: daemon, containing: "kept in memory only") == 1)

    disk.empty()
    #expect(try follower.waits(for: true))
    #expect(follower.signalled == [false, true])
    #expect(lines(of: daemon, containing: "kept in memory only") == 1)
    #expect(lines(of: daemon, containing: "reach the disk again") == 1)
    let listed = try list()
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    let next = try bus.startDaemon()
    #expect(try list() == listed)
    #expect(next.terminate() == .success)
  }

  @Test("On a disk that can only be read the badges are served, and written once they can be")
  func readOnlyDisk() throws {
    let disk = try SmallDisk(at: bus.statePath, kilobytes: 600)
    var daemon = try bus.startDaemon()
    try done("set", "mail", "3", "--background", "#112233")
    #expect(daemon.terminate() == .success)
    try disk.setReadOnly(true)
    daemon = try bus.startDaemon()
    let follower = try DurabilityFollower(on: bus)
    #expect(try !follower.read())
    #expect(lines(of: daemon, containing: "kept in memory only") == 1)
    #expect(daemon.errorOutput.contains("can only be read"))
    #expect(try bus.badgectl("get", "mail").output == "3\n")
    #expect(try bus.badgectl("status").output.contains("no, changes are not reaching the disk"))
    try done("set", "mail", "4")
    try done("set", "news", "1")
    try disk.setReadOnly(false)
    #expect(try follower.waits(for: true))
    let listed = try list()
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    daemon = try bus.startDaemon()
    #expect(try list() == listed)
    #expect(listed.contains("#112233"))
    #expect(daemon.terminate() == .success)
  }

  @Test("A disk that is full at the start holds nobody up")
  func fullDiskAtTheStart() throws {
    let disk = try SmallDisk(at: bus.statePath, kilobytes: 600)
    try disk.fill()
    var daemon = try bus.startDaemon()
    let follower = try DurabilityFollower(on: bus)
    #expect(try !follower.read())
    try done("set", "mail", "3")
    disk.empty()
    #expect(try follower.waits(for: true))
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    daemon = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "3\n")
    #expect(daemon.terminate() == .success)
  }

  @Test(
    "A damaged file is kept aside under a dated name, and the daemon serves from empty",
    arguments: [
      "truncate -s 1500 \"$1\"", "truncate -s 7 \"$1\"", "echo not a database at all >\"$1\"",
      "printf '\\377' | dd of=\"$1\" bs=1 seek=3 conv=notrunc",
      "dd if=/dev/urandom of=\"$1\" bs=512 seek=2 count=8 conv=notrunc",
    ]
  )
  func damaged(command: String) throws {
    var daemon = try bus.startDaemon()
    let client = try BadgeClient(address: bus.address)
    for number in 0..<50 { try client.set("n\(number)", to: 1) }
    #expect(daemon.terminate() == .success)
    let run = try SpawnedProcess.run(
      "sh",
      ["-c", command, "sh", database],
      environment: bus.environment
    )
    #expect(run.status == .success)
    let damaged = try SpawnedProcess.run("sha256sum", [database], environment: bus.environment)
      .output.prefix(64)

    daemon = try bus.startDaemon()
    #expect(lines(of: daemon, containing: "a new one begins") == 1)
    #expect(try list() == "[]\n")
    #expect(try bus.badgectl("status").output.contains("durable     yes"))
    let kept = try SpawnedProcess.run(
      "sh",
      ["-c", "cd \"$1\" && sha256sum badges.db.damaged-????????T??????Z", "sh", bus.statePath],
      environment: bus.environment
    )
    #expect(kept.output.prefix(64) == damaged, "\(kept)")
    #expect(daemon.errorOutput.contains("badges.db.damaged-20"))

    try done("set", "mail", "3")
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    daemon = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "3\n")
    #expect(daemon.terminate() == .success)
  }

  @Test("A file that somebody removes is written anew")
  func removed() throws {
    var daemon = try bus.startDaemon()
    try done("set", "mail", "3")
    for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(database + suffix) }
    try done("set", "news", "4")
    // The sync notices within a second; the file is rewritten two seconds later.
    #expect(eventually { contents(ofFile: database) != nil })
    let client = try BadgeClient(address: bus.address)
    #expect(try eventually { try client.status().isDurable })
    let listed = try list()
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    daemon = try bus.startDaemon()
    #expect(try list() == listed)
    #expect(daemon.terminate() == .success)
  }

  @Test("A file of a newer version is refused and left as it is")
  func newerVersion() throws {
    var daemon = try bus.startDaemon()
    try done("set", "mail", "3")
    #expect(daemon.terminate() == .success)
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as file:
        version = file.execute("PRAGMA user_version").fetchone()[0]
        file.execute(f"PRAGMA user_version = {version + int(sys.argv[2])}")
      """
    func shift(by number: Int) throws {
      let run = try bus.run("/usr/bin/python3", ["-c", script, database, "\(number)"])
      guard run.status == .success else { throw TestFailure(run.errorOutput) }
    }
    try shift(by: 1)
    func sum() throws -> String { try bus.run("sha256sum", [database]).output }
    let before = try sum()
    daemon = try bus.spawnDaemon()
    #expect(try daemon.wait() == .exited(1))
    #expect(daemon.errorOutput.contains("was written by a newer version of badged"))
    #expect(daemon.errorOutput.split(separator: "\n").count == 1)
    #expect(try sum() == before)
    #expect(try bus.badgectl("get", "mail").status == .exited(4))
    try shift(by: -1)
    daemon = try bus.startDaemon()
    #expect(try bus.badgectl("get", "mail").output == "3\n")
    #expect(daemon.terminate() == .success)
  }

  @Test("Folder and files are closed to others")
  func permissions() throws {
    let daemon = try bus.startDaemon()
    try done("set", "mail", "3")
    let run = try bus.run(
      "sh",
      ["-c", "stat -c %a \(bus.statePath); stat -c %a \(bus.statePath)/*"]
    )
    #expect(run.output.split(separator: "\n").first == "700")
    #expect(Set(run.output.split(separator: "\n").dropFirst()) == ["600"])
    #expect(daemon.terminate() == .success)
  }
}

/// A small tmpfs for one test, which can be filled, emptied and made read-only.
///
/// Mounting it needs root or sudo.
final class SmallDisk {
  /// The mount point.
  let path: String

  /// Creates the directory `path` and mounts a file system of this size there.
  init(at path: String, kilobytes: Int) throws {
    self.path = path
    guard unsafe mkdir(path, 0o700) == 0 else { throw TestFailure("mkdir \(path): \(errno)") }
    let options = "size=\(kilobytes)k,mode=700,uid=\(getuid()),gid=\(getgid())"
    try Self.asRoot("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
  }

  deinit {
    try? Self.asRoot("umount", "--lazy", path)
    unsafe rmdir(path)
  }

  /// Uses up all free space.
  func fill() throws {
    let file = unsafe open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestFailure("filler: error \(errno)") }
    defer { close(file) }
    let block = [UInt8](repeating: 1, count: 512)
    while unsafe write(file, block, block.count) > 0 {}
  }

  /// Frees the space that ``fill()`` took.
  func empty() { unsafe unlink(path + "/filler") }

  /// Mounts it read-only or read-write.
  func setReadOnly(_ isReadOnly: Bool) throws {
    try Self.asRoot("mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", path)
  }

  private static func asRoot(_ words: String...) throws {
    let command = getuid() == 0 ? words : ["sudo", "-n"] + words
    let run = try SpawnedProcess.run(
      command[0],
      Array(command.dropFirst()),
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    )
    guard run.status == .success else {
      throw TestFailure("\(command): \(run.status)\n\(run.errorOutput)")
    }
  }
}

/// Follows the daemon's property `Durable` through PropertiesChanged.
final class DurabilityFollower {
  private static let properties = InterfaceName(constant: "org.freedesktop.DBus.Properties")

  let loop: EventLoop
  private let connection: Connection
  /// The values received in signals, in order.
  private(set) var signalled: [Bool] = []

  /// Subscribes; the daemon must be running.
  init(on bus: PrivateBus) throws {
    loop = try EventLoop()
    connection = try Connection(address: bus.address)
    try connection.attach(to: loop)
    var rule = MatchRule(type: .signal, sender: BusName(constant: "org.badged.Badges1"))
    rule.path = ObjectPath(constant: "/org/badged/Badges1")
    rule.interface = Self.properties
    try connection.subscribe(rule) { [weak self] message in self?.take(message) }
    // The daemon sends signals only after the property has been read once.
    _ = try read()
  }

  private func take(_ message: Message) {
    guard let values = try? message.values(), values.count == 3,
      case .dictionary(_, _, let entries) = values[1]
    else { return }
    for entry in entries where entry.key == .string("Durable") {
      signalled.append(entry.value == .variant(.boolean(true)))
    }
  }

  /// Reads the property.
  func read() throws -> Bool {
    let call = MethodCall(
      destination: BusName(constant: "org.badged.Badges1"),
      path: ObjectPath(constant: "/org/badged/Badges1"),
      interface: Self.properties,
      member: MemberName(constant: "Get")
    )
    let reply = try connection.callAndWait(call) { body in
      body.append("org.badged.Badges1")
      body.append("Durable")
    }
    return try reply.values() == [.variant(.boolean(true))]
  }

  /// Waits until the last signal carried `value`.
  func waits(for value: Bool) throws -> Bool {
    try loop.run { signalled.last == value }
  }
}
