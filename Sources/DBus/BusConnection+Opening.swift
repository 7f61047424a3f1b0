// SPDX-License-Identifier: MIT
public import EventLoop

extension BusConnection {
  /// Connects and says Hello, waiting for both.
  ///
  /// - Parameter address: Of the kind `unix:path=/run/user/1000/bus`; see
  ///   ``sessionAddress(environment:)``.
  /// - Throws: ``BusError`` with libdbus's name for what is wrong: `BadAddress`, `NoServer`,
  ///   `FileNotFound`, `LimitsExceeded`…
  public convenience init(address: String) throws(BusError) {
    try self.init(connecting: address)
    state = .ready
    try finishOpening(try callAndWait(.bus(BusDriver.hello)))
  }

  /// Connects without waiting, on a loop: for a further connection of a program that is at work.
  ///
  /// Messages may be queued at once; they go out after Hello. Keep the connection, or it closes.
  ///
  /// - Parameters:
  ///   - address: As for ``init(address:)``.
  ///   - loop: The loop to attach to.
  ///   - ready: Called once, with the connection's name or with why there is none.
  /// - Throws: ``BusError`` where nothing listens at the address; then `ready` is not called.
  public convenience init(
    opening address: String,
    on loop: EventLoop,
    ready: @escaping (Result<BusName, BusError>) -> Void
  ) throws(BusError) {
    try self.init(connecting: address)
    let serial = try enqueue(.bus(BusDriver.hello), flags: []) { _ in }
    try attach(to: loop)
    let deadline = Instant.now() + Self.defaultTimeout
    _ = expectReply(to: serial, of: .bus, label: "Hello", deadline: deadline) {
      [weak self] result in
      ready(
        Result { () throws(BusError) in
          guard let self else { throw .disconnected("closed") }
          return try self.finishOpening(try result.get())
        }
      )
    }
  }

  /// Connects, and says Hello together with the first call: for a program that has one question.
  ///
  /// The name is known once the first call was answered. A bus that refuses the connection is told
  /// by the first call, under the error's own name, and there is no name then.
  ///
  /// - Parameter address: As for ``init(address:)``.
  /// - Throws: ``BusError`` where nothing listens at the address.
  public convenience init(greetingLater address: String) throws(BusError) {
    try self.init(connecting: address)
    // What is sent from here on goes out after Hello, which the bus answers first.
    greeting = try enqueue(.bus(BusDriver.hello), flags: []) { _ in }
    state = .ready
  }

  /// Handles the answer to a Hello that went out with the first call, before any other message.
  ///
  /// - Returns: Whether the message is that answer.
  /// - Throws: The error by which the bus refuses the connection.
  func takeGreeting(_ message: Message) throws(BusError) -> Bool {
    guard let serial = greeting, message.replySerial == serial, message.isReply(of: .bus) else {
      return false
    }
    greeting = nil
    if let error = message.error { throw error }
    try finishOpening(message)
    return true
  }

  @discardableResult
  private func finishOpening(_ reply: Message) throws(BusError) -> BusName {
    var reader = reply.makeReader()
    guard let text = try? reader.readString(),
      let name = BusName(text),
      state == .opening || state == .ready
    else {
      throw .inconsistentMessage("the bus gave no name in answer to Hello")
    }
    uniqueName = name
    state = .ready
    return name
  }
}
