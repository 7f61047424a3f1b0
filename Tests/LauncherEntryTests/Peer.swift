// SPDX-License-Identifier: MIT
import DBus
import EventLoop
import TestSupport

/// A connection of a test's own: an app that speaks, or a dock that listens.
final class Peer {
  /// One `Update` that was heard.
  struct Heard {
    let sender: String
    let path: String
    let uri: String
    let keys: [String: Value]
    let time: Instant

    var count: Value? { keys["count"] }
    var isVisible: Bool { keys["count-visible"] == .boolean(true) }
  }

  static let interface = InterfaceName(constant: "com.canonical.Unity.LauncherEntry")
  static let unity = BusName(constant: "com.canonical.Unity")

  let connection: BusConnection
  private(set) var heard: [Heard] = []

  init(on loop: EventLoop, address: String = PrivateBus.current.address) throws {
    connection = try BusConnection(address: address)
    try connection.attach(to: loop)
  }

  var name: String { connection.uniqueName?.rawValue ?? "" }

  /// Says an `Update`, as it is written: any keys, any types.
  func say(
    _ uri: String,
    _ keys: [(String, Value)],
    path: ObjectPath = ObjectPath(constant: "/com/canonical/unity/launcherentry")
  ) throws {
    try connection.send(signal: MemberName(constant: "Update"), of: Self.interface, from: path) {
      $0.append(uri)
      $0.appendDictionary { entries in
        for (key, value) in keys { entries.appendEntry(key, variant: value) }
      }
    }
    connection.flush()
  }

  /// Says a number.
  func say(_ uri: String, count: Int64) throws {
    try say(uri, [("count", .int64(count)), ("count-visible", .boolean(true))])
  }

  /// Begins to listen to everybody's updates.
  func listen() throws {
    _ = try connection.subscribe(
      .signal(MemberName(constant: "Update"), of: Self.interface)
    ) { [weak self] in self?.hear($0) }
    // The rule has reached the bus when it answers what was asked after it.
    _ = try connection.busID
  }

  /// Asks for `com.canonical.Unity` as docks do.
  func own(_ flags: RequestNameFlags = .allowReplacement) throws -> RequestNameReply {
    try connection.requestName(Self.unity, flags: flags)
  }

  /// Whether this is the owner of `com.canonical.Unity`.
  var isOwner: Bool {
    get throws { try connection.queuedOwners(of: Self.unity).first == connection.uniqueName }
  }

  /// The last update of an app that was heard.
  func last(_ uri: String) -> Heard? { heard.last { $0.uri == uri } }

  func forgetHeard() {
    heard = []
  }

  private func hear(_ message: Message) {
    var reader = message.makeReader()
    var keys: [String: Value] = [:]
    guard let uri = try? reader.readString() else { return }
    try? reader.readDictionary { key, value throws(BusError) in
      keys[key] = try value.readVariant()
    }
    heard.append(
      Heard(
        sender: message.sender?.rawValue ?? "",
        path: message.path?.rawValue ?? "",
        uri: uri,
        keys: keys,
        time: .now()
      )
    )
  }
}
