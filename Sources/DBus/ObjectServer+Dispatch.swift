// SPDX-License-Identifier: MIT

extension ObjectServer {
  func handle(_ message: Message) {
    do throws(BusError) {
      try dispatch(message, mayWait: true)
    } catch {
      connection.reply(to: message, error: error)
    }
  }

  /// Handles what waited for a turn with room, as far as there is some.
  func handleWaiting() {
    while connection.hasRoomForLongReplies, let message = waiting.next() {
      do throws(BusError) {
        try dispatch(message, mayWait: false)
      } catch {
        connection.reply(to: message, error: error)
      }
    }
    // A full socket that takes more wakes the loop by itself.
    if !waiting.isEmpty, !connection.isBlocked { connection.noteMessagesWaiting() }
  }

  private func dispatch(_ message: Message, mayWait: Bool) throws(BusError) {
    guard let node = node(for: message) else {
      throw .unknownObject("no such object: \(quoted(message.path?.rawValue ?? ""))")
    }
    let (interface, method) = try method(of: node, for: message)
    let expected = interface.inputSignature(ofMethod: method)
    guard message.hasSignature(expected) else {
      let description = interface.description
      throw .invalidArguments(
        "\(description.methods[method].name) of \(description.name) takes (\(expected)), "
          + "not (\(message.signature))"
      )
    }
    if interface.isLongRead(method: method) {
      guard message.expectsReply else { return }
      if mayWait && !(waiting.isEmpty && connection.hasRoomForLongReplies) {
        return try wait(message)
      }
    }
    var context = MethodCallContext(message)
    guard message.expectsReply else {
      return try discardingReply { writer throws(BusError) in
        try interface.call(method: method, &context, &writer)
      }
    }
    try connection.reply(to: message) { writer throws(BusError) in
      try interface.call(method: method, &context, &writer)
    }
  }

  private func wait(_ message: Message) throws(BusError) {
    guard waiting.append(message) else {
      throw .limitsExceeded(
        "\(ConnectionLimits.waitingCallsPerCaller) such calls of one caller, or "
          + "\(ConnectionLimits.waitingCalls) in all, wait for their replies already"
      )
    }
    connection.noteMessagesWaiting()
  }

  /// Runs a method whose caller wants no reply.
  private func discardingReply(
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var writer = discarded.take() ?? MessageWriter()
    var failure: BusError?
    do throws(BusError) { try body(&writer) } catch { failure = error }
    writer.reset()
    discarded = consume writer
    if let failure { throw failure }
  }

  /// The object that is called, or the node on the way to one.
  private func node(for message: Message) -> ObjectNode? {
    if let latest, message.hasPath(latest.path) { return latest }
    guard let path = message.path else { return nil }
    if let node = nodes.first(where: { $0.path == path }) {
      latest = node
      return node
    }
    for subtree in subtrees {
      if let node = subtree.node(at: path) { return node }
    }
    if isOnTheWay(path) || message.hasInterface(StandardInterface.peer.name) {
      return ObjectNode(path: path)
    }
    return nil
  }

  /// Finds the method that is called; without an interface, the first that has one of that name.
  private func method(
    of node: ObjectNode,
    for message: Message
  ) throws(BusError) -> (interface: BoundInterface, index: Int) {
    let member = message.member?.rawValue ?? ""
    let wanted = message.fields.interface.isEmpty ? nil : message
    for interface in node.interfaces where wanted?.hasInterface(interface.description.name) ?? true
    {
      if let index = interface.methodIndex(member) { return (interface, index) }
      if wanted != nil { throw node.unknownMethod(member, of: interface.description) }
    }
    for standard in StandardInterface.interfaces(of: node)
    where wanted?.hasInterface(standard.name) ?? true {
      if let index = standard.methodIndex(member) {
        let target = StandardInterface.Target(node: node, server: self)
        return (TargetInterface(standard, target: target), index)
      }
      if wanted != nil { throw node.unknownMethod(member, of: standard.description) }
    }
    guard wanted != nil else { throw node.unknownMethod(member, of: nil) }
    throw node.unknownInterface(message.interface?.rawValue ?? "")
  }
}
