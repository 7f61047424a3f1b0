// SPDX-License-Identifier: MIT
import BadgeBus
import DBus

private typealias Property = BadgeNames.Property

/// The daemon's state and settings.
public struct ServiceStatus: Hashable, Sendable {
  /// The daemon's version.
  public var version = ""
  /// The daemon's process id.
  public var processID: UInt32 = 0
  /// When the daemon started, in seconds since the epoch.
  public var started: UInt64 = 0
  /// The directory that holds the database.
  public var statePath = ""
  /// Whether changes reach the disk.
  public var isDurable = false
  /// The sum of all visible numbers.
  public var total: Int64 = 0
  /// How many badges are visible.
  public var visible: UInt32 = 0
  /// The revision of the last signal.
  public var revision: UInt64 = 0
  /// Whether the user wants animations.
  public var animations = false
  /// Whether animations play: they are on, and the desktop does not ask for reduced motion.
  public var isAnimating = false
  /// Whether do-not-disturb hides all badges.
  public var isQuiet = false
  /// When do-not-disturb ends, in seconds since the epoch; 0 means when it is turned off.
  public var quietUntil: UInt64 = 0

  /// An empty status.
  public init() {}

  private mutating func set(_ property: String, to value: Value) {
    switch (property, value) {
    case (Property.version, .string(let text)): version = text
    case (Property.started, .uint64(let number)): started = number
    case (Property.statePath, .string(let text)): statePath = text
    case (Property.durable, .boolean(let flag)): isDurable = flag
    case (Property.total, .int64(let number)): total = number
    case (Property.visible, .uint32(let number)): visible = number
    case (Property.revision, .uint64(let number)): revision = number
    case (Property.animations, .boolean(let flag)): animations = flag
    case (Property.animating, .boolean(let flag)): isAnimating = flag
    case (Property.quiet, .boolean(let flag)): isQuiet = flag
    case (Property.quietUntil, .uint64(let number)): quietUntil = number
    default: break
    }
  }

  /// Reads the reply to `GetAll`.
  init(_ reader: inout MessageReader) throws(BusError) {
    try reader.readDictionary { name, value throws(BusError) in
      // The catalogue is long and describes the interface, not the daemon's state.
      guard name != Property.catalogue else { return }
      set(name, to: try value.readVariant())
    }
  }
}

extension BadgeClient {
  /// Reads the daemon's state and settings.
  public func status() throws(ClientError) -> ServiceStatus {
    let reply = try call("GetAll", of: .properties, .string(BadgeNames.interface.rawValue))
    var status = try read(reply) { reader throws(BusError) in try ServiceStatus(&reader) }
    do {
      status.processID = try connection.processID(of: BadgeNames.service)
    } catch {
      throw ClientError(error)
    }
    return status
  }

  /// Turns animations on or off.
  public func setAnimations(_ isOn: Bool) throws(ClientError) {
    try setProperty(Property.animations, to: .boolean(isOn))
  }

  /// Hides all badges, or shows them again; their values keep changing meanwhile.
  public func setQuiet(_ isOn: Bool) throws(ClientError) {
    try setProperty(Property.quiet, to: .boolean(isOn))
  }

  /// Hides all badges until a time in the future, in seconds since the epoch.
  public func setQuiet(until time: UInt64) throws(ClientError) {
    try setProperty(Property.quietUntil, to: .uint64(time))
  }

  private func setProperty(_ name: String, to value: Value) throws(ClientError) {
    let interface = Value.string(BadgeNames.interface.rawValue)
    _ = try call("Set", of: .properties, interface, .string(name), .variant(value))
  }
}

extension InterfaceName {
  fileprivate static var properties: InterfaceName {
    InterfaceName(constant: "org.freedesktop.DBus.Properties")
  }
}
