// SPDX-License-Identifier: MIT

/// How to ask for a name, section "org.freedesktop.DBus.RequestName" of the specification.
public struct RequestNameFlags: OptionSet, Hashable, Sendable {
  /// The bits as they travel.
  public let rawValue: UInt32

  /// The bits as they travel.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Another that asks to replace the owner may do so.
  public static let allowReplacement = RequestNameFlags(rawValue: 1)
  /// Replace the owner, if that allows it.
  public static let replaceExisting = RequestNameFlags(rawValue: 2)
  /// Do not wait in the queue for the name.
  public static let doNotQueue = RequestNameFlags(rawValue: 4)
}

/// What came of asking for a name.
public enum RequestNameReply: UInt32, Hashable, Sendable {
  /// The name is this connection's now.
  case primaryOwner = 1
  /// Another has the name, and this connection waits for it.
  case inQueue = 2
  /// Another has the name.
  case exists = 3
  /// The name was this connection's already.
  case alreadyOwner = 4
}

/// What came of giving up a name.
public enum ReleaseNameReply: UInt32, Hashable, Sendable {
  /// The name is given up.
  case released = 1
  /// Nobody has the name.
  case nonExistent = 2
  /// Another has the name.
  case notOwner = 3
}

/// What the bus itself is asked; each of these waits for its answer.
extension BusConnection {
  /// Asks for a well-known name.
  ///
  /// - Throws: ``BusError``, such as `AccessDenied`.
  public func requestName(
    _ name: BusName,
    flags: RequestNameFlags = []
  ) throws(BusError) -> RequestNameReply {
    let reply = try callAndWait(.bus(BusDriver.requestName)) { writer in
      writer.append(name.rawValue)
      writer.append(flags.rawValue)
    }
    var reader = reply.makeReader()
    let code = try reader.readUInt32()
    guard let answer = RequestNameReply(rawValue: code) else { throw unexpected(code) }
    return answer
  }

  /// Gives up a well-known name.
  ///
  /// - Throws: ``BusError`` where the bus cannot be asked.
  @discardableResult
  public func releaseName(_ name: BusName) throws(BusError) -> ReleaseNameReply {
    var reader = try ask(BusDriver.releaseName, about: name)
    let code = try reader.readUInt32()
    guard let answer = ReleaseNameReply(rawValue: code) else { throw unexpected(code) }
    return answer
  }

  /// The unique name of the connection that has a name.
  ///
  /// - Throws: ``BusError`` `NameHasNoOwner`.
  public func nameOwner(of name: BusName) throws(BusError) -> BusName {
    var reader = try ask(BusDriver.nameOwner, about: name)
    guard let owner = BusName(try reader.readString()) else {
      throw .inconsistentMessage("the owner of '\(name)' is not a bus name")
    }
    return owner
  }

  /// Whether somebody has a name.
  ///
  /// - Throws: ``BusError`` where the bus cannot be asked.
  public func hasOwner(_ name: BusName) throws(BusError) -> Bool {
    var reader = try ask(BusDriver.nameHasOwner, about: name)
    return try reader.readBoolean()
  }

  /// The owner of a name, and the connections that wait for it, in order.
  ///
  /// - Throws: ``BusError`` `NameHasNoOwner`.
  public func queuedOwners(of name: BusName) throws(BusError) -> [BusName] {
    var reader = try ask(BusDriver.queuedOwners, about: name)
    var owners: [BusName] = []
    try reader.readArray { element throws(BusError) in
      if let owner = BusName(try element.readString()) { owners.append(owner) }
    }
    return owners
  }

  /// The process of the connection that has a name.
  ///
  /// - Throws: ``BusError`` `NameHasNoOwner`.
  public func processID(of name: BusName) throws(BusError) -> UInt32 {
    var reader = try ask(BusDriver.processID, about: name)
    return try reader.readUInt32()
  }

  /// The bus's own identity: 32 hexadecimal digits, another for each start of a bus.
  public var busID: String {
    get throws(BusError) {
      var reader = try callAndWait(.bus(BusDriver.identity)).makeReader()
      return try reader.readString()
    }
  }

  /// The identity of the server that this connection found, told with the authentication: 32
  /// hexadecimal digits, others for each start of a bus; empty once the connection is closed.
  ///
  /// The corresponding C function is `dbus_connection_get_server_id`.
  public var serverID: String { library.serverID ?? "" }

  private func ask(
    _ member: MemberName,
    about name: BusName
  ) throws(BusError) -> MessageReader {
    try callAndWait(.bus(member)) { $0.append(name.rawValue) }.makeReader()
  }

  private func unexpected(_ code: UInt32) -> BusError {
    .inconsistentMessage("the bus answered with an unknown code: '\(code)'")
  }
}
