// SPDX-License-Identifier: MIT
public import EventLoop

extension BusConnection {
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
    try attach(to: loop)
    let serial = try library.sendHello()
    let deadline = Instant.now() + Self.defaultTimeout
    _ = expectReply(to: serial, label: "Hello", deadline: deadline) { [weak self] result in
      ready(result.flatMap { self?.finishOpening($0) ?? .failure(.disconnected("closed")) })
    }
  }

  private func finishOpening(_ reply: Message) -> Result<BusName, BusError> {
    var reader = reply.makeReader()
    guard let text = try? reader.readString(), let name = BusName(text), state == .opening else {
      return .failure(.inconsistentMessage("the bus gave no name in answer to Hello"))
    }
    library.uniqueName = name
    uniqueName = name
    state = .ready
    return .success(name)
  }
}
