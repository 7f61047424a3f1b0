// SPDX-License-Identifier: MIT
public import DBus
public import EventLoop

/// A connection of a test's own that speaks LauncherEntry: an app that announces badges as they are
/// written, or a dock that listens.
public final class LauncherPeer {
  /// One `Update` that was heard.
  public struct Heard {
    /// The unique name of who said it.
    public let sender: String
    /// The object it came from.
    public let path: String
    /// The app.
    public let uri: String
    /// What was said of it.
    public let keys: [String: Value]
    /// When it was heard.
    public let time: Instant

    /// The number.
    public var count: Value? { keys["count"] }
    /// Whether the number is said to be visible.
    public var isVisible: Bool { keys["count-visible"] == .boolean(true) }
  }

  /// The interface of `Update`.
  public static let interface = InterfaceName(constant: "com.canonical.Unity.LauncherEntry")
  /// The name that docks own.
  public static let unity = BusName(constant: "com.canonical.Unity")

  /// The connection, attached to the loop.
  public let connection: Connection
  /// All updates that were heard, in order.
  public private(set) var heard: [Heard] = []

  /// A connection to the test's bus.
  public init(on loop: EventLoop, address: String = PrivateBus.current.address) throws {
    connection = try Connection(address: address)
    try connection.attach(to: loop)
  }

  /// Its unique name.
  public var name: String { connection.uniqueName?.rawValue ?? "" }

  /// Says an `Update`, as it is written: any keys, any types.
  public func say(
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
  public func say(_ uri: String, count: Int64) throws {
    try say(uri, [("count", .int64(count)), ("count-visible", .boolean(true))])
  }

  /// Begins to listen to everybody's updates.
  public func listen() throws {
    _ = try connection.subscribe(
      .signal(MemberName(constant: "Update"), of: Self.interface)
    ) { [weak self] in self?.hear($0) }
    // The rule has reached the bus when it answers what was asked after it.
    _ = try connection.busID
  }

  /// Asks for `com.canonical.Unity` as docks do.
  @discardableResult
  public func own(_ flags: RequestNameFlags = .allowReplacement) throws -> RequestNameReply {
    try connection.requestName(Self.unity, flags: flags)
  }

  /// Whether this is the owner of `com.canonical.Unity`.
  public var isOwner: Bool {
    get throws { try connection.queuedOwners(of: Self.unity).first == connection.uniqueName }
  }

  /// The last update of an app that was heard.
  public func last(_ uri: String) -> Heard? { heard.last { $0.uri == uri } }

  /// Forgets what was heard.
  public func forgetHeard() {
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
