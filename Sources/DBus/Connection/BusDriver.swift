// SPDX-License-Identifier: MIT

/// The names of the bus itself, section "Message Bus Messages" of the D-Bus specification.
public enum BusDriver {
  /// `org.freedesktop.DBus`, the name of the bus.
  public static let name = BusName(constant: "org.freedesktop.DBus")
  /// `/org/freedesktop/DBus`.
  public static let path = ObjectPath(constant: "/org/freedesktop/DBus")
  /// `org.freedesktop.DBus`, the interface of the bus.
  public static let interface = InterfaceName(constant: "org.freedesktop.DBus")
  /// The signal to everybody that a name has another owner; see ``NameOwner`` and
  /// ``NameOwnerChange``.
  public static let nameOwnerChanged = MemberName(constant: "NameOwnerChanged")
  /// The signal to a connection that it owns a name.
  public static let nameAcquired = MemberName(constant: "NameAcquired")
  /// The signal to a connection that it has lost a name.
  public static let nameLost = MemberName(constant: "NameLost")

  static let hello = MemberName(constant: "Hello")
  static let requestName = MemberName(constant: "RequestName")
  static let releaseName = MemberName(constant: "ReleaseName")
  static let getNameOwner = MemberName(constant: "GetNameOwner")
  static let nameHasOwner = MemberName(constant: "NameHasOwner")
  static let listNames = MemberName(constant: "ListNames")
  static let listQueuedOwners = MemberName(constant: "ListQueuedOwners")
  static let getProcessID = MemberName(constant: "GetConnectionUnixProcessID")
  static let getID = MemberName(constant: "GetId")
  static let addMatch = MemberName(constant: "AddMatch")
  static let removeMatch = MemberName(constant: "RemoveMatch")
  static let peerInterface = InterfaceName(constant: "org.freedesktop.DBus.Peer")
  static let ping = MemberName(constant: "Ping")
}

/// How to ask for a name, section "org.freedesktop.DBus.RequestName" of the specification.
public struct RequestNameFlags: OptionSet, Hashable, Sendable {
  /// The bits as the bus takes them.
  public let rawValue: UInt32

  /// Flags by their bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Another connection that asks to replace the owner may do so.
  public static let allowReplacement = RequestNameFlags(rawValue: 1)
  /// Replace the owner, if that allows it.
  public static let replaceExisting = RequestNameFlags(rawValue: 2)
  /// Do not wait in the queue for the name.
  public static let doNotQueue = RequestNameFlags(rawValue: 4)
}

/// The outcome of asking for a name.
public enum RequestNameReply: UInt32, Hashable, Sendable {
  /// This connection owns the name now.
  case primaryOwner = 1
  /// Another owns the name, and this connection is in the queue for it.
  case inQueue = 2
  /// Another owns the name.
  case exists = 3
  /// This connection owned the name already.
  case alreadyOwner = 4
}

/// The outcome of releasing a name.
public enum ReleaseNameReply: UInt32, Hashable, Sendable {
  /// The name is released.
  case released = 1
  /// Nobody owns the name.
  case nonExistent = 2
  /// Another owns the name.
  case notOwner = 3
}

/// A method of the bus, with its arguments and how its reply is read.
private struct BusCall<Answer> {
  let member: MemberName
  var name: BusName?
  var flags: RequestNameFlags?
  let read: (inout MessageReader) throws(BusError) -> Answer

  func write(to writer: inout MessageWriter) {
    if let name { writer.append(name.rawValue) }
    if let flags { writer.append(flags.rawValue) }
  }

  func answer(in reply: Message) throws(BusError) -> Answer {
    var reader = reply.makeReader()
    return try read(&reader)
  }
}

extension BusCall where Answer == RequestNameReply {
  static func requestName(_ name: BusName, _ flags: RequestNameFlags) -> BusCall {
    BusCall(member: BusDriver.requestName, name: name, flags: flags) {
      (reader) throws(BusError) in try readCode(&reader)
    }
  }
}

extension BusCall where Answer == ReleaseNameReply {
  static func releaseName(_ name: BusName) -> BusCall {
    BusCall(member: BusDriver.releaseName, name: name) {
      (reader) throws(BusError) in try readCode(&reader)
    }
  }
}

extension BusCall where Answer == BusName {
  static func owner(of name: BusName) -> BusCall {
    BusCall(member: BusDriver.getNameOwner, name: name) { (reader) throws(BusError) in
      guard let owner = BusName(try reader.readString()) else {
        throw .inconsistentMessage("the owner of '\(name)' is not a bus name")
      }
      return owner
    }
  }
}

extension BusCall where Answer == [BusName] {
  static func names(_ member: MemberName, of name: BusName? = nil) -> BusCall {
    BusCall(member: member, name: name) { (reader) throws(BusError) in
      var names: [BusName] = []
      try reader.readArray { element throws(BusError) in
        if let name = BusName(try element.readString()) { names.append(name) }
      }
      return names
    }
  }
}

private func readCode<Code: RawRepresentable<UInt32>>(
  _ reader: inout MessageReader
) throws(BusError) -> Code {
  let number = try reader.readUInt32()
  guard let code = Code(rawValue: number) else {
    throw .inconsistentMessage("the bus answered with an unknown code: '\(number)'")
  }
  return code
}

/// Methods of the bus that wait for the reply.
///
/// All of them throw ``BusError`` where the bus cannot be asked.
extension Connection {
  /// Asks for a well-known name.
  ///
  /// - Throws: ``BusError``, such as `AccessDenied`.
  public func requestName(
    _ name: BusName,
    flags: RequestNameFlags = []
  ) throws(BusError) -> RequestNameReply {
    try ask(.requestName(name, flags))
  }

  /// Releases a well-known name.
  @discardableResult
  public func releaseName(_ name: BusName) throws(BusError) -> ReleaseNameReply {
    try ask(.releaseName(name))
  }

  /// The unique name of the connection that owns a name.
  ///
  /// - Throws: ``BusError`` `NameHasNoOwner`.
  public func nameOwner(of name: BusName) throws(BusError) -> BusName {
    try ask(.owner(of: name))
  }

  /// Whether some connection owns a name.
  public func hasOwner(_ name: BusName) throws(BusError) -> Bool {
    try ask(
      BusCall(member: BusDriver.nameHasOwner, name: name) { (reader) throws(BusError) in
        try reader.readBoolean()
      }
    )
  }

  /// All names on the bus, well known and unique.
  public func names() throws(BusError) -> [BusName] {
    try ask(.names(BusDriver.listNames))
  }

  /// The owner of a name and the connections in the queue for it, in order.
  ///
  /// - Throws: ``BusError`` `NameHasNoOwner`.
  public func queuedOwners(of name: BusName) throws(BusError) -> [BusName] {
    try ask(.names(BusDriver.listQueuedOwners, of: name))
  }

  /// The process of the connection that owns a name.
  ///
  /// - Throws: ``BusError`` `NameHasNoOwner`.
  public func processID(of name: BusName) throws(BusError) -> UInt32 {
    try ask(
      BusCall(member: BusDriver.getProcessID, name: name) { (reader) throws(BusError) in
        try reader.readUInt32()
      }
    )
  }

  /// The bus's own identity: 32 hexadecimal digits, different for each start of a bus.
  public var busID: String {
    get throws(BusError) {
      try ask(
        BusCall(member: BusDriver.getID) { (reader) throws(BusError) in try reader.readString() }
      )
    }
  }

  private func ask<Answer>(_ request: BusCall<Answer>) throws(BusError) -> Answer {
    try request.answer(in: try callAndWait(.bus(request.member)) { request.write(to: &$0) })
  }
}

/// Methods of the bus whose reply comes later, by the loop.
///
/// The completion is always called: with the answer, with the error of the bus, or with why it cannot
/// be asked, which may be before the method returns.
extension Connection {
  /// Asks for a well-known name.
  public func requestName(
    _ name: BusName,
    flags: RequestNameFlags = [],
    completion: @escaping (Result<RequestNameReply, BusError>) -> Void
  ) {
    ask(.requestName(name, flags), completion: completion)
  }

  /// Releases a well-known name.
  public func releaseName(
    _ name: BusName,
    timeout: Duration = defaultTimeout,
    completion: @escaping (Result<ReleaseNameReply, BusError>) -> Void
  ) {
    ask(.releaseName(name), timeout: timeout, completion: completion)
  }

  /// The owner of a name and the connections in the queue for it, in order.
  public func queuedOwners(
    of name: BusName,
    completion: @escaping (Result<[BusName], BusError>) -> Void
  ) {
    ask(.names(BusDriver.listQueuedOwners, of: name), completion: completion)
  }

  private func ask<Answer>(
    _ request: BusCall<Answer>,
    timeout: Duration = defaultTimeout,
    completion: @escaping (Result<Answer, BusError>) -> Void
  ) {
    do throws(BusError) {
      try call(.bus(request.member), timeout: timeout) {
        request.write(to: &$0)
      } completion: { reply in
        completion(Result { () throws(BusError) in try request.answer(in: try reply.get()) })
      }
    } catch {
      completion(.failure(error))
    }
  }
}
