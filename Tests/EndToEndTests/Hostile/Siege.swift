// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// A daemon under attack, and measurements of its resources.
///
/// `HOSTILE_SCALE` multiplies the length of attacks, `HOSTILE_PROGRAMS` is the directory of the daemon to
/// use, and results are appended to the file `HOSTILE_FIGURES`; see `make test-hostile`.
final class Siege {
  static let scale = variable("HOSTILE_SCALE").flatMap { Int($0) } ?? 1

  let bus: PrivateBus
  let daemon: SpawnedProcess
  let client: BusClient
  /// The resources before the attack.
  let before: Figures

  /// The resources of a process; memory in KiB.
  struct Figures {
    var memory = 0
    var peak = 0
    var descriptors = 0
    var rules = 0
  }

  /// Starts the daemon, optionally under a program such as valgrind.
  init(under wrapper: [String] = [], on bus: PrivateBus = .current) throws {
    self.bus = bus
    let program = Self.variable("HOSTILE_PROGRAMS").map { $0 + "/badged" }
    let words = wrapper + [try program ?? productPath("badged"), "--state", bus.statePath]
    daemon = try bus.spawn(words[0], Array(words.dropFirst()))
    try daemon.waitForLine(containing: "badged: serving", from: .error)
    client = try BusClient(bus, subscribes: false)
    try client.call("Set", .string("mail"), .int64(3))
    _ = try client.list()
    before = try Self.figures(of: daemon.processID, client)
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Starts an attack; see Tests/Tools/attacker.
  func start(_ mode: String, _ options: KeyValuePairs<String, Int> = [:]) throws -> SpawnedProcess {
    let words = options.map { "\($0.key)=\($0.value)" }
    return try bus.spawn(Project.path("Tests/Tools/attacker"), [mode] + words, input: .pipe)
  }

  /// Runs an attack until it ends.
  @discardableResult
  func attack(
    _ mode: String,
    _ options: KeyValuePairs<String, Int> = [:],
    within patience: Duration = .seconds(60 * (scale + 1))
  ) throws -> [String: Double] {
    try finish(try start(mode, options), mode, within: patience)
  }

  /// Waits for the end of an attack, and returns the figures it printed.
  @discardableResult
  func finish(
    _ attacker: SpawnedProcess,
    _ mode: String,
    within patience: Duration = .seconds(60 * (scale + 1))
  ) throws -> [String: Double] {
    attacker.closeInput()
    let status = try attacker.wait(within: patience)
    #expect(status == .success, "\(mode): \(attacker.errorOutput)")
    var report: [String: Double] = [:]
    for line in attacker.output.split(separator: "\n") {
      let parts = line.split(separator: "=")
      if parts.count == 2 { report[String(parts[0])] = Double(parts[1]) }
    }
    record("\(mode): \(attacker.output.split(separator: "\n").joined(separator: " "))")
    return report
  }

  /// The longest time another client waits for a reply during an attack.
  func longestWait(during attacker: SpawnedProcess) throws -> Duration {
    var longest = Duration.zero
    while attacker.isRunning {
      let start = Instant.now()
      try client.call("Get", .string("mail"))
      longest = max(longest, .now() - start)
    }
    return longest
  }

  /// Checks that the daemon still runs, answers correctly, and uses no more resources than before.
  ///
  /// Its memory may have grown by `growth` MiB.
  func check(_ mode: String, growth: Int = 16) throws {
    #expect(daemon.isRunning, "\(mode): \(daemon.status.map { "\($0)" } ?? "")")
    // A random message may have changed this badge or given it sources.
    try client.call("RemoveAll")
    try client.call("Update", .string("mail"), .namedValues([("count", .int64(7))]))
    try client.call("Increment", .string("mail"), .int64(1))
    #expect(try client.count("mail") == 8)
    #expect(try client.call("RemoveAll").count == 1)
    #expect(
      try client.list().badges.values.allSatisfy { $0["origin"] == .string("launcher-entry") }
    )
    try client.call("Set", .string("mail"), .int64(3))
    let after = try checkDescriptors(mode)
    let isSmall = after.memory <= before.memory + growth << 10
    #expect(isSmall || Sanitizer.isPresent, "\(mode): \(after) after \(before)")
    record("\(mode): \(after.memory >> 10) MiB, at most \(after.peak >> 10) MiB")
    #expect(daemon.errorOutput.utf8.count < 64 << 10, "\(mode): it logs without end")
  }

  /// Checks that the daemon has no more open descriptors and match rules than before.
  @discardableResult
  func checkDescriptors(_ mode: String) throws -> Figures {
    // The daemon learns of closed connections from the bus.
    var after = Figures()
    let isBack = try eventually {
      after = try figures()
      return after.descriptors <= before.descriptors + 4
    }
    #expect(isBack, "\(mode): \(after) after \(before)")
    #expect(after.rules <= before.rules, "\(mode): \(after) after \(before)")
    record(
      "\(mode): \(before.descriptors) open files and \(before.rules) match rules before, "
        + "\(after.descriptors) and \(after.rules) after"
    )
    return after
  }

  /// The daemon's resources now.
  func figures() throws -> Figures { try Self.figures(of: daemon.processID, client) }

  /// Appends a line to the results.
  func record(_ line: String) {
    guard let path = Self.variable("HOSTILE_FIGURES") else { return }
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    defer { _ = close(file) }
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(file, bytes, bytes.count)
  }

  /// The memory, open descriptors and match rules of a process.
  static func figures(of process: CInt, _ client: BusClient) throws -> Figures {
    var figures = Figures()
    let status = contents(ofFile: "/proc/\(process)/status") ?? ""
    for line in status.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
      guard words.count > 1, let number = Int(words[1]) else { continue }
      if words[0] == "VmRSS:" { figures.memory = number }
      if words[0] == "VmHWM:" { figures.peak = number }
    }
    figures.descriptors = count(ofFilesIn: "/proc/\(process)/fd")
    figures.rules = try rules(of: process, client)
    return figures
  }

  private static func count(ofFilesIn folder: String) -> Int {
    guard let stream = unsafe opendir(folder) else { return 0 }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    return count
  }

  /// The number of match rules of all connections of a process.
  private static func rules(of process: CInt, _ client: BusClient) throws -> Int {
    var call = MethodCall.bus(MemberName(constant: "GetAllMatchRules"))
    call.interface = InterfaceName(constant: "org.freedesktop.DBus.Debug.Stats")
    let reply = try client.connection.callAndWait(call).values().first
    guard case .dictionary(_, _, let entries)? = reply else {
      throw TestFailure("GetAllMatchRules returned \(String(describing: reply))")
    }
    var count = 0
    for entry in entries {
      guard case .string(let text) = entry.key, let name = BusName(text),
        case .array(_, let rules) = entry.value
      else { throw TestFailure("GetAllMatchRules returned an entry \(entry)") }
      // A connection closed meanwhile has no process.
      guard (try? client.connection.processID(of: name)) == UInt32(process) else { continue }
      count += rules.count
    }
    return count
  }
}
