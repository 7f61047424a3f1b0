// SPDX-License-Identifier: MIT
public import DBus
public import EventLoop

/// A bus connection that speaks LauncherEntry: an app that sends any announcement it is given, or a
/// dock that records what it receives.
public final class LauncherPeer {
  /// A received `Update` signal.
  public struct Update {
    /// The sender's unique name.
    public let sender: String
    /// The object path it was emitted from.
    public let path: String
    /// The app's URI, the first argument.
    public let uri: String
    /// The properties, the second argument, without their variants.
    public let keys: [String: Value]
    /// When it was received.
    public let time: Instant

    /// The property `count`, of whatever type.
    public var count: Value? { keys["count"] }
    /// Whether `count-visible` is true.
    public var isVisible: Bool { keys["count-visible"] == .boolean(true) }
  }

  /// The interface of the `Update` signal.
  public static let interface = InterfaceName(constant: "com.canonical.Unity.LauncherEntry")
  /// The well-known name that docks own.
  public static let unity = BusName(constant: "com.canonical.Unity")

  /// The underlying connection, attached to the loop.
  public let connection: Connection
  /// All updates received since ``listen()`` or ``forgetReceived()``, in order.
  public private(set) var received: [Update] = []

  /// Connects to the bus at `address`.
  public init(on loop: EventLoop, address: String = PrivateBus.current.address) throws {
    connection = try Connection(address: address)
    try connection.attach(to: loop)
  }

  /// Its unique name, or an empty string when disconnected.
  public var name: String { connection.uniqueName?.rawValue ?? "" }

  /// Emits an `Update` with any keys of any types.
  public func announce(
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

  /// Emits an `Update` with a visible count.
  public func announce(_ uri: String, count: Int64) throws {
    try announce(uri, [("count", .int64(count)), ("count-visible", .boolean(true))])
  }

  /// Subscribes to everybody's updates.
  public func listen() throws {
    _ = try connection.subscribe(
      .signal(MemberName(constant: "Update"), of: Self.interface)
    ) { [weak self] in self?.receive($0) }
    // A later call is answered only after the match rule has been added.
    _ = try connection.busID
  }

  /// Requests `com.canonical.Unity`, as docks do.
  @discardableResult
  public func own(_ flags: RequestNameFlags = .allowReplacement) throws -> RequestNameReply {
    try connection.requestName(Self.unity, flags: flags)
  }

  /// Whether this connection owns `com.canonical.Unity`.
  public var isOwner: Bool {
    get throws { try connection.queuedOwners(of: Self.unity).first == connection.uniqueName }
  }

  /// The last update received for an app.
  public func last(_ uri: String) -> Update? { received.last { $0.uri == uri } }

  /// Empties ``received``.
  public func forgetReceived() {
    received = []
  }

  private func receive(_ message: Message) {
    var reader = message.makeReader()
    var keys: [String: Value] = [:]
    guard let uri = try? reader.readString() else { return }
    try? reader.readDictionary { key, value throws(BusError) in
      keys[key] = try value.readVariant()
    }
    received.append(
      Update(
        sender: message.sender?.rawValue ?? "",
        path: message.path?.rawValue ?? "",
        uri: uri,
        keys: keys,
        time: .now()
      )
    )
  }
}
