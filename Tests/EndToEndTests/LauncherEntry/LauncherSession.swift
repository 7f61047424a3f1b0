// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import Glibc
import TestSupport

/// A bus with badged, directories for desktop files and state, and a client that follows the badges.
final class LauncherSession {
  /// A Changed or Removed.
  enum Event: Equatable {
    case changed(String, origin: String?)
    case removed(String, reason: String)

    var id: String {
      switch self {
      case .changed(let id, _), .removed(let id, _): id
      }
    }
  }

  static let service = BusName(constant: "org.badged.Badges1")
  private static let path = ObjectPath(constant: "/org/badged/Badges1")
  private static let interface = InterfaceName(constant: "org.badged.Badges1")

  let loop: EventLoop
  let bus: PrivateBus
  let folder: TemporaryDirectory
  let client: Connection
  private(set) var daemon: SpawnedProcess
  private(set) var events: [Event] = []
  private let arguments: [String]

  /// Starts badged with desktop files for the ids in `installed`.
  init(
    installed: [String] = ["org.example.mail", "org.example.chat"],
    arguments: [String] = []
  ) throws {
    loop = try EventLoop()
    bus = PrivateBus.current
    folder = try TemporaryDirectory()
    self.arguments = arguments
    try folder.makeDirectory("share/applications")
    client = try Connection(address: bus.address)
    try client.attach(to: loop)
    // Before the daemon starts, so that it knows the apps from its first announcement on.
    for id in installed { try Self.install(id, in: folder) }
    daemon = try Self.start(bus, folder, arguments)
    try client.subscribe(.signal(of: Self.interface, sender: Self.service)) { [weak self] in
      self?.receive($0)
    }
    try waitForDaemon()
  }

  deinit {
    daemon.terminate()
  }

  private static func start(
    _ bus: PrivateBus,
    _ folder: TemporaryDirectory,
    _ arguments: [String]
  ) throws -> SpawnedProcess {
    var environment = bus.environment
    environment["XDG_DATA_HOME"] = folder.appending("home")
    environment["XDG_DATA_DIRS"] = folder.appending("share")
    environment["XDG_STATE_HOME"] = folder.appending("state")
    return try SpawnedProcess(productPath("badged"), arguments, environment: environment)
  }

  private func waitForDaemon() throws {
    guard try eventually({ try client.hasOwner(Self.service) }) else {
      throw TestFailure("badged did not start")
    }
  }

  /// The data directory in `XDG_DATA_DIRS` that desktop files are installed in.
  var data: String { folder.appending("share") }

  /// Installs a desktop file.
  func install(_ id: String) throws { try Self.install(id, in: folder) }

  private static func install(_ id: String, in folder: TemporaryDirectory) throws {
    try folder.write("[Desktop Entry]\nType=Application\n", to: "share/applications/\(id).desktop")
  }

  /// Removes a desktop file.
  func uninstall(_ id: String) {
    _ = unsafe unlink(folder.appending("share/applications/\(id).desktop"))
  }

  /// Kills the daemon and starts it again.
  func restartDaemon() throws {
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    guard try eventually({ try !client.hasOwner(Self.service) }) else {
      throw TestFailure("badged still has its name")
    }
    daemon = try Self.start(bus, folder, arguments)
    try waitForDaemon()
  }

  /// A new connection, which can announce or listen.
  func peer() throws -> LauncherPeer { try LauncherPeer(on: loop, address: bus.address) }

  /// A new connection that receives all announcements from now on.
  func dock() throws -> LauncherPeer {
    let dock = try peer()
    try dock.listen()
    return dock
  }

  /// Runs the loop until `condition` holds or the time is up.
  func run(until condition: () throws -> Bool) throws -> Bool {
    try loop.run(until: condition)
  }

  /// Polls `condition`, and handles signals meanwhile, until it holds or the time is up.
  func settles(_ condition: () throws -> Bool) throws -> Bool {
    try eventually {
      try loop.runOnce(timeout: .zero)
      return try condition()
    }
  }

  /// Calls a method of the daemon.
  @discardableResult
  func call(_ member: String, _ arguments: Value...) throws -> Message {
    guard let member = MemberName(member) else { throw TestFailure("no member: \(member)") }
    let call = MethodCall(
      destination: Self.service,
      path: Self.path,
      interface: Self.interface,
      member: member
    )
    return try client.callAndWait(call) { body in
      for argument in arguments { body.append(argument) }
    }
  }

  /// Sets keys of a badge.
  func update(_ id: String, _ keys: [String: Value]) throws {
    let entries = keys.sorted { $0.key < $1.key }.map {
      DictionaryEntry(key: .string($0.key), value: .variant($0.value))
    }
    try call(
      "Update",
      .string(id),
      .dictionary(key: .string, value: Signature(constant: "v"), entries)
    )
  }

  /// Turns do-not-disturb on or off.
  func setQuiet(_ quiet: Bool) throws {
    let call = MethodCall(
      destination: Self.service,
      path: Self.path,
      interface: InterfaceName(constant: "org.freedesktop.DBus.Properties"),
      member: MemberName(constant: "Set")
    )
    _ = try client.callAndWait(call) { body in
      body.append(Self.interface.rawValue)
      body.append("Quiet")
      body.appendVariant(quiet)
    }
  }

  /// The keys of a badge, or nil if it is absent.
  func badge(_ id: String) throws -> [String: Value]? {
    do {
      var reader = try call("Get", .string(id)).makeReader()
      var keys: [String: Value] = [:]
      try reader.readDictionary { key, value throws(BusError) in
        keys[key] = try value.readVariant()
      }
      return keys
    } catch let error as BusError where error.name.rawValue.hasSuffix(".NoSuchBadge") {
      return nil
    }
  }

  /// The number of badges, hidden ones included.
  func badgeCount() throws -> Int {
    var reader = try call("List").makeReader()
    var count = 0
    _ = try reader.readUInt64()
    try reader.readDictionary { _, _ throws(BusError) in count += 1 }
    return count
  }

  /// The count of a visible badge, or nil if it is hidden or absent.
  func shown(_ id: String) throws -> Int64? {
    guard let badge = try badge(id), badge["visible"] == .boolean(true),
      case .int64(let count)? = badge["count"]
    else { return nil }
    return count
  }

  private func receive(_ message: Message) {
    guard let values = try? message.values(), case .string(let id)? = values.first else { return }
    switch message.member?.rawValue {
    case "Changed":
      var origin: String?
      if case .dictionary(_, _, let entries)? = values.dropFirst().first {
        for entry in entries where entry.key == .string("origin") {
          if case .variant(.string(let text)) = entry.value { origin = text }
        }
      }
      events.append(.changed(id, origin: origin))
    case "Removed":
      if case .string(let reason)? = values.dropFirst().first {
        events.append(.removed(id, reason: reason))
      }
    default: break
    }
  }
}
