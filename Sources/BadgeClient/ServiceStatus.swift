// SPDX-License-Identifier: MIT
import DBus

/// How the daemon is.
public struct ServiceStatus: Hashable, Sendable {
  /// The daemon's version.
  public var version = ""
  /// Its process.
  public var processID: UInt32 = 0
  /// When it started, in seconds since the epoch.
  public var started: UInt64 = 0
  /// The folder its state lies in.
  public var statePath = ""
  /// Whether changes are reaching the disk.
  public var isDurable = false
  /// The visible numbers added up.
  public var total: Int64 = 0
  /// How many badges show.
  public var visible: UInt32 = 0
  /// The revision of the last signal.
  public var revision: UInt64 = 0
  /// Whether the person wants animations.
  public var animations = false
  /// Whether animations are played: wanted, and the desktop does not ask for reduced motion.
  public var isAnimating = false
  /// Whether badges are hidden so as not to disturb.
  public var isQuiet = false
  /// When that ends, in seconds since the epoch; 0 is when it is turned off.
  public var quietUntil: UInt64 = 0

  /// A status of which nothing is known.
  public init() {}

  private mutating func set(_ property: String, to value: Value) {
    switch (property, value) {
    case ("Version", .string(let text)): version = text
    case ("Started", .uint64(let number)): started = number
    case ("StatePath", .string(let text)): statePath = text
    case ("Durable", .boolean(let flag)): isDurable = flag
    case ("Total", .int64(let number)): total = number
    case ("Visible", .uint32(let number)): visible = number
    case ("Revision", .uint64(let number)): revision = number
    case ("Animations", .boolean(let flag)): animations = flag
    case ("Animating", .boolean(let flag)): isAnimating = flag
    case ("Quiet", .boolean(let flag)): isQuiet = flag
    case ("QuietUntil", .uint64(let number)): quietUntil = number
    default: break
    }
  }

  /// Reads the reply to `GetAll`.
  init(_ reader: inout MessageReader) throws(BusError) {
    try reader.readDictionary { name, value throws(BusError) in
      // The catalogue is long, and no part of how the daemon is.
      guard name != "Catalogue" else { return }
      set(name, to: try value.readVariant())
    }
  }
}

extension BadgeClient {
  /// Asks how the daemon is.
  public func status() throws(ClientError) -> ServiceStatus {
    let reply = try call("GetAll", of: BadgeNames.properties) {
      $0.append(BadgeNames.interface.rawValue)
    }
    var status = try read(reply) { reader throws(BusError) in try ServiceStatus(&reader) }
    do {
      status.processID = try connection.processID(of: BadgeNames.service)
    } catch {
      throw ClientError(error)
    }
    return status
  }

  /// Says whether the person wants animations.
  public func setAnimations(_ isOn: Bool) throws(ClientError) {
    try setProperty("Animations", to: .boolean(isOn))
  }

  /// Hides all badges, or shows them again; counts go on.
  public func setQuiet(_ isOn: Bool) throws(ClientError) {
    try setProperty("Quiet", to: .boolean(isOn))
  }

  /// Hides all badges until a time to come, in seconds since the epoch.
  public func setQuiet(until time: UInt64) throws(ClientError) {
    try setProperty("QuietUntil", to: .uint64(time))
  }

  private func setProperty(_ name: String, to value: Value) throws(ClientError) {
    _ = try call("Set", of: BadgeNames.properties) { body in
      body.append(BadgeNames.interface.rawValue)
      body.append(name)
      body.appendVariant(value)
    }
  }
}
