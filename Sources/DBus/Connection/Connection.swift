// SPDX-License-Identifier: MIT
public import EventLoop

/// A private connection to a message bus.
///
/// Attached to a loop, a connection handles what arrives in turns. What a turn queues is sent at its
/// end, after ``willFlush``: that is where a service commits, so that no reply leaves before what it
/// promises is on disk. Without a loop, ``callAndWait(_:timeout:_:)`` and ``flushAndWait(timeout:)``
/// send and wait.
///
/// For one thread. Handlers may do anything: send, call, subscribe, cancel, close.
public final class Connection {
  private enum State {
    /// Hello is on its way.
    case opening
    case ready
    /// The bus closed the connection.
    case disconnected
    /// ``close()`` was called.
    case closed
  }

  /// When messages that are left over are handled.
  private enum Redispatch {
    case none
    case nextTurn
    case thisTurn
  }

  /// One turn handles at most this many messages before their replies are sent.
  public static let messagesPerTurn = ConnectionLimits.messagesPerTurn
  /// A turn ends early once so many bytes are queued to be sent.
  ///
  /// While the bus takes none of them nothing more is handled, so that back-pressure reaches whoever
  /// asks for too much.
  public static let outgoingBytesPerTurn = ConnectionLimits.bytesPerTurn
  /// How long a reply may take unless the caller says otherwise.
  public static let defaultTimeout = Duration.seconds(25)

  /// Called for each method call; nil answers `UnknownMethod`, except to `Peer.Ping`.
  public var onMethodCall: ((Message) -> Void)?
  /// Called once when the bus has closed the connection, after all pending calls have failed; not for
  /// ``close()``.
  public var onDisconnected: (() -> Void)?
  /// Called at the end of each turn of the loop, before what was queued in it is sent.
  public var willFlush: (() -> Void)?
  /// Called when the socket has taken everything after it had been full.
  public var onDrained: (() -> Void)?
  /// Called with a match rule that the bus refuses, as text, and the error: its subscriptions get
  /// nothing.
  public var onSubscriptionFailure: ((String, BusError) -> Void)?
  /// Called at the end of each turn of the loop in which more may be queued.
  var onCapacity: (() -> Void)?

  /// The name the bus gave this connection; nil until it has.
  public private(set) var uniqueName: BusName?

  private let transport: Transport
  private var state = State.opening
  /// Whether nothing can be sent any more, although what was received has not all been handled.
  private var isBroken = false
  /// The serial of a Hello that went out with the first call, until the reply comes.
  private var helloSerial: UInt32?
  private(set) var lastSerial: UInt32 = 0

  /// Messages that libdbus has not been given yet.
  private var outgoing = MessageQueue()
  /// How many of them, at the front, may be sent: those queued before the last turn's end.
  private var releasedCount = 0
  /// Whether the socket was full when last written to.
  private var isBlocked = false
  /// nil while a body is being written.
  private var writer: MessageWriter? = MessageWriter()

  private(set) var pendingCalls = PendingCalls()
  private(set) var subscriptions = Subscriptions()
  /// Messages received while a call was waited for; they are handled later, in order.
  private(set) var deferred = MessageQueue()
  private var redispatch = Redispatch.none
  private var isHandling = false

  private var loop: EventLoop?
  private var turnHook: TurnHook?

  // MARK: Opening and closing

  private init(connectingTo address: String) throws(BusError) {
    transport = try Transport(opening: address)
  }

  /// Connects and says Hello, waiting for both.
  ///
  /// - Parameter address: Such as `unix:path=/run/user/1000/bus`; see
  ///   ``sessionAddress(environment:)``.
  /// - Throws: ``BusError`` with libdbus's name for what is wrong: `BadAddress`, `NoServer`,
  ///   `FileNotFound`, `LimitsExceeded`…
  public convenience init(address: String) throws(BusError) {
    try self.init(connectingTo: address)
    state = .ready
    try finishOpening(try callAndWait(.bus(BusDriver.hello)))
  }

  /// Connects without waiting, on a loop: for a further connection of a program that is running.
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
    try self.init(connectingTo: address)
    try attach(to: loop)
    try call(.bus(BusDriver.hello)) { [weak self] result in
      ready(
        Result { () throws(BusError) in
          guard let self else { throw .disconnected("closed") }
          return try self.finishOpening(try result.get())
        }
      )
    }
  }

  /// Connects, and sends Hello together with the first call, which saves a program with a single
  /// question a round trip.
  ///
  /// The name is known once the first call was answered. Where the bus refuses the connection, the
  /// first call throws its error.
  ///
  /// - Parameter address: As for ``init(address:)``.
  /// - Throws: ``BusError`` where nothing listens at the address.
  public convenience init(deferringHello address: String) throws(BusError) {
    try self.init(connectingTo: address)
    helloSerial = try enqueue(.bus(BusDriver.hello), flags: []) { _ in }
    state = .ready
  }

  /// Handles the reply to a deferred Hello, which comes before any other.
  ///
  /// - Returns: Whether the message is that reply.
  /// - Throws: The error with which the bus refuses the connection.
  private func takeHelloReply(_ message: Message) throws(BusError) -> Bool {
    guard let helloSerial, message.replySerial == helloSerial, message.isReply(of: .bus) else {
      return false
    }
    self.helloSerial = nil
    if let error = message.error { throw error }
    try finishOpening(message)
    return true
  }

  @discardableResult
  private func finishOpening(_ reply: Message) throws(BusError) -> BusName {
    var reader = reply.makeReader()
    guard let text = try? reader.readString(), let name = BusName(text),
      state == .opening || state == .ready
    else { throw .inconsistentMessage("the bus gave no name in reply to Hello") }
    uniqueName = name
    state = .ready
    return name
  }

  deinit {
    close()
  }

  /// Whether messages can be sent.
  public var isConnected: Bool { (state == .ready || state == .opening) && !isBroken }

  /// Whether ``close()`` was called.
  var isClosed: Bool { state == .closed }

  /// The identity of the server, told with the authentication: 32 hexadecimal digits, different for
  /// each start of a bus; empty once the connection is closed.
  ///
  /// The corresponding C function is `dbus_connection_get_server_id`.
  public var serverID: String { transport.serverID ?? "" }

  /// Sends what the socket still takes, and closes.
  ///
  /// Pending calls fail with `Disconnected` before this returns. Further calls do nothing.
  public func close() {
    guard state != .closed else { return }
    flush()
    state = .closed
    turnHook?.cancel()
    turnHook = nil
    loop = nil
    transport.close()
    outgoing.removeAll()
    deferred.removeAll()
    pendingCalls.removeAll()(.disconnected("the connection was closed"))
    subscriptions.end()
    onMethodCall = nil
    onCapacity = nil
    onSubscriptionFailure = nil
    onDisconnected = nil
    willFlush = nil
    onDrained = nil
  }

  /// Takes out the messages that were received while a call was waited for.
  func takeDeferred() -> [Message] {
    var messages: [Message] = []
    while let message = deferred.popFirst() { messages.append(message) }
    return messages
  }

  /// Handles the end of the connection, once.
  private func noteDisconnect() {
    guard state == .ready || state == .opening else { return }
    state = .disconnected
    outgoing.removeAll()
    isBlocked = false
    pendingCalls.removeAll()(.disconnected("the bus closed the connection"))
    onDisconnected?()
  }

  // MARK: The loop

  /// Lets the loop read, handle and write for this connection until it is closed.
  ///
  /// A turn handles up to ``messagesPerTurn`` messages; then ``willFlush`` is called, and everything
  /// queued is sent.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or `Failed` where the connection has a loop already or
  ///   its descriptor cannot be watched.
  public func attach(to loop: EventLoop) throws(BusError) {
    guard isConnected else { throw .disconnected("not connected to a bus") }
    guard self.loop == nil else { throw .failed("the connection has a loop already") }
    try transport.attach(to: loop) { [weak self] in self?.handleEvent($0) }
    self.loop = loop
    turnHook = loop.onTurnEnd { [weak self] in self?.endTurn() }
    pendingCalls.startTimers(on: loop, of: self)
    redispatch = .none
    requestRedispatch()
  }

  private func handleEvent(_ readiness: Readiness) {
    // Once the peer is gone there is no back-pressure to wait for.
    if isHeld, readiness.contains(.hangUp) { isBroken = true }
    write()
    handleMessages()
    updateInterest()
  }

  private func endTurn() {
    if redispatch == .thisTurn { handleMessages() }
    if let onCapacity, !isHeld { onCapacity() }
    willFlush?()
    flush()
    guard redispatch == .nextTurn else { return }
    redispatch = .thisTurn
    loop?.requestTurn()
  }

  /// Has the next turn handle what is left over.
  func requestRedispatch() {
    guard redispatch == .none else { return }
    redispatch = .nextTurn
    loop?.requestTurn()
  }

  private func updateInterest() {
    transport.updateInterest(isReadingPaused: isHeld)
  }

  // MARK: Back-pressure

  /// The number of bytes that wait to be sent.
  var unsentByteCount: Int { outgoing.byteCount + transport.outgoingSize }

  /// Whether so much waits to be sent that the turn has to end first.
  private var isFull: Bool { unsentByteCount >= Self.outgoingBytesPerTurn }

  /// Whether nothing more is read or handled until the bus reads.
  private var isHeld: Bool { isBlocked && !isBroken && isFull }

  /// Whether a long reply would still fit into this turn.
  var hasCapacityForLongReplies: Bool {
    unsentByteCount < ConnectionLimits.bytesBeforeLongReplies
  }

  /// Whether the socket was full and bytes are left over; ``onDrained`` is called when they are sent.
  public var hasUnsentBytes: Bool { isBlocked }

  /// The number of bytes, about, that were sent and that the bus has not read yet.
  ///
  /// What this turn queued does not count, unless the socket was full before.
  public var unreadByteCount: Int {
    (isBlocked ? unsentByteCount : 0) + (isConnected ? transport.unreadByteCount : 0)
  }

  // MARK: Receiving

  /// Handles what was received, and what the socket holds beyond that, as one turn.
  private func handleMessages() {
    guard !isHandling, !isHeld else { return }
    isHandling = true
    defer { isHandling = false }
    redispatch = .none
    var handled = 0
    var reads = 0
    while true {
      let before = handled
      while handled < Self.messagesPerTurn, !isFull, let message = nextMessage() {
        handled += 1
        handle(message)
      }
      if handled == Self.messagesPerTurn || isFull || reads == Self.readsPerTurn {
        requestRedispatch()
        return
      }
      // A single message is from a caller that waits for its reply: reading again would delay it.
      guard handled - before >= 2 else { break }
      transport.read()
      reads += 1
    }
    if transport.hasEnded { noteDisconnect() }
  }

  /// Caps the reads of a turn, so that large messages do not starve timers and other descriptors.
  private static let readsPerTurn = 64

  private func nextMessage() -> Message? {
    guard state != .closed else { return nil }
    return deferred.popFirst() ?? transport.pop()
  }

  private func handle(_ message: Message) {
    switch message.type {
    case .methodCall: handleCall(message)
    case .methodReturn, .error: handleReply(message)
    case .signal: subscriptions.deliver(message)
    }
  }

  private func handleCall(_ message: Message) {
    if let onMethodCall { return onMethodCall(message) }
    if message.hasInterface(BusDriver.peerInterface), message.hasMember(BusDriver.ping) {
      try? reply(to: message)
    } else {
      let member = quoted(message.member?.rawValue ?? "")
      let text = "this connection has no methods: \(member)"
      reply(to: message, error: BusError(name: .unknownMethod, message: text))
    }
  }

  private func handleReply(_ message: Message) {
    // A bus that refuses the connection also closes it.
    if (try? takeHelloReply(message)) ?? true { return }
    pendingCalls.take(answeredBy: message)?()
  }

  // MARK: Calling

  /// Queues a call; `body` writes its arguments, and `completion` gets the reply, or the remote
  /// error under its own name, or `NoReply`, or `Disconnected`.
  ///
  /// The connection has to be attached to a loop, now or later, for the reply to come. Only a reply
  /// from the connection that was called counts, or an error of the bus; for a call to a well-known
  /// name that is anybody's, since the bus does not say who owned it.
  ///
  /// - Throws: ``BusError`` `Disconnected`, `LimitsExceeded` with
  ///   ``ConnectionLimits/pendingCalls`` of them, or why the body cannot be sent; then `completion`
  ///   is not called.
  @discardableResult
  public func call(
    _ call: MethodCall,
    timeout: Duration = defaultTimeout,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in },
    completion: @escaping (Result<Message, BusError>) -> Void
  ) throws(BusError) -> PendingCall {
    guard !pendingCalls.isFull else {
      throw .limitsExceeded("\(ConnectionLimits.pendingCalls) calls without a reply")
    }
    let serial = try enqueue(call, flags: [], body)
    let pending = PendingCall(
      serial: serial,
      deadline: .now() + timeout,
      destination: call.destination,
      label: call.member == BusDriver.hello ? "Hello" : call.label,
      connection: self,
      completion: completion
    )
    pendingCalls.add(pending, on: loop, of: self)
    return pending
  }

  func forget(_ call: PendingCall) {
    pendingCalls.remove(call)
  }

  /// Sends a call, after everything queued, and waits for the reply.
  ///
  /// Other messages that arrive meanwhile are handled later, by the loop. What was queued is sent at
  /// once, without ``willFlush``.
  ///
  /// - Throws: ``BusError``: the remote error under its own name, `NoReply`, `Disconnected`, or why
  ///   the body cannot be sent.
  public func callAndWait(
    _ call: MethodCall,
    timeout: Duration = defaultTimeout,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> Message {
    let deadline = Instant.now() + timeout
    guard state == .ready else { throw .disconnected("not connected to a bus") }
    let serial = try enqueue(call, flags: [], body)
    var reply: Message?
    try exchange(until: deadline, isDone: { reply != nil }) { message in
      guard message.replySerial == serial, message.isReply(of: call.destination) else {
        return false
      }
      reply = message
      return true
    }
    guard let reply else { throw PendingCalls.noReply(to: call.label) }
    if let error = reply.error { throw error }
    return reply
  }

  /// Sends everything queued, waiting for the socket where it is full.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or `Timeout` when some is left.
  public func flushAndWait(timeout: Duration = defaultTimeout) throws(BusError) {
    let deadline = Instant.now() + timeout
    guard state == .ready, isConnected else { throw .disconnected("not connected to a bus") }
    try exchange(until: deadline, isDone: { unsentByteCount == 0 }, take: { _ in false })
  }

  /// Sends and receives until something is done or the deadline is over, and keeps for later what is
  /// not taken.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or `Timeout` when what was queued could not be sent.
  private func exchange(
    until deadline: Instant,
    isDone: () -> Bool,
    take: (Message) -> Bool
  ) throws(BusError) {
    defer {
      if !deferred.isEmpty || transport.hasMessagesToHandle { requestRedispatch() }
      updateInterest()
    }
    while true {
      flush()
      while !isDone(), let message = transport.pop() {
        if try !takeHelloReply(message), !take(message) { keepForLater(message) }
      }
      if isDone() { return }
      guard isConnected, !transport.hasEnded else {
        isBroken = true
        requestRedispatch()
        throw .disconnected("the bus closed the connection")
      }
      let remaining = deadline - .now()
      guard remaining > .zero else { break }
      let milliseconds = remaining.saturatedNanoseconds / 1_000_000 + 1
      transport.readWrite(milliseconds: CInt(clamping: milliseconds))
    }
    guard unsentByteCount > 0 else { return }
    let reason = transport.isAuthenticated ? "takes no more messages" : "does not answer"
    throw BusError(name: .timeout, message: "the bus \(reason)")
  }

  /// Keeps a message for the loop, up to ``ConnectionLimits/receivedBytes`` of them.
  ///
  /// Beyond that calls are refused and signals are lost, so that nobody who sends much into a wait
  /// makes memory grow.
  private func keepForLater(_ message: Message) {
    let byteCount = message.byteCount
    if message.type == .methodReturn || message.type == .error {
      guard pendingCalls.isAnswered(by: message) else { return }
    } else if message.carriesDescriptors
      || deferred.byteCount + byteCount > ConnectionLimits.receivedBytes
    {
      guard hasCapacityForLongReplies else { return }
      let limit = ConnectionLimits.receivedBytes >> 20
      return reply(to: message, error: .limitsExceeded("\(limit) MiB of messages that wait"))
    }
    deferred.append(message, byteCount: byteCount)
  }

  // MARK: Sending

  /// Queues a signal; `body` writes its values.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or why the body cannot be sent.
  public func send(
    signal member: MemberName,
    of interface: InterfaceName,
    from path: ObjectPath,
    to destination: BusName? = nil,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var header = makeHeader(.signal, flags: .noReplyExpected)
    header.path = path
    header.interface = interface
    header.member = member
    header.destination = destination
    try enqueue(header, body)
  }

  /// Queues the reply to a call; `body` writes its values.
  ///
  /// Where the caller wants no reply, nothing is sent and `body` is not called.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or why the body cannot be sent; nothing was sent then.
  public func reply(
    to call: Message,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) {
    guard call.expectsReply else { return }
    try enqueue(makeHeader(.methodReturn, replyingTo: call), body)
  }

  /// Queues an error as the reply to a call; does nothing where the caller wants no reply, or is
  /// gone with the bus.
  public func reply(to call: Message, error: BusError) {
    guard call.expectsReply else { return }
    var header = makeHeader(.error, replyingTo: call)
    header.errorName = error.name
    // The caller gets a reply even where the text cannot be sent as it is.
    let text = error.message.utf8.contains(0) ? "" : error.message
    do throws(BusError) {
      try enqueue(header) { $0.append(text) }
    } catch {
      try? enqueue(header) { _ in }
    }
  }

  /// Queues a call and wants no reply.
  ///
  /// - Throws: ``BusError`` `Disconnected`, or why the body cannot be sent.
  public func send(
    _ call: MethodCall,
    _ body: (inout MessageWriter) throws(BusError) -> Void = { _ in }
  ) throws(BusError) {
    _ = try enqueue(call, flags: .noReplyExpected, body)
  }

  private func makeHeader(_ type: MessageType, flags: MessageHeader.Flags) -> MessageHeader {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return MessageHeader(type: type, flags: flags, serial: lastSerial)
  }

  private func makeHeader(_ type: MessageType, replyingTo call: Message) -> MessageHeader {
    var header = makeHeader(type, flags: .noReplyExpected)
    header.replySerial = call.serial
    header.destination = call.sender
    return header
  }

  /// Queues a call and returns its serial.
  private func enqueue(
    _ call: MethodCall,
    flags: MessageHeader.Flags,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) -> UInt32 {
    var header = makeHeader(.methodCall, flags: call.autoStart ? flags : flags.union(.noAutoStart))
    header.path = call.path
    header.interface = call.interface
    header.member = call.member
    header.destination = call.destination
    try enqueue(header, body)
    return header.serial
  }

  private func enqueue(
    _ header: MessageHeader,
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    guard isConnected else { throw .disconnected("not connected to a bus") }
    // A body that sends another message finds no writer here and gets one of its own.
    var writer = self.writer.take() ?? MessageWriter()
    var failure: BusError?
    do throws(BusError) {
      try body(&writer)
      let made = try writer.makeMessage(header)
      guard isConnected else { throw .disconnected("not connected to a bus") }
      outgoing.append(made.message, byteCount: made.byteCount)
    } catch {
      failure = error
    }
    writer.reset()
    self.writer = consume writer
    if let failure { throw failure }
  }

  /// Sends everything queued, as far as the socket takes it without waiting.
  ///
  /// The loop does this at the end of each turn, after ``willFlush``.
  public func flush() {
    releasedCount = outgoing.count
    write()
    updateInterest()
  }

  /// Gives libdbus the messages that were released, one at a time: what the socket does not take stays
  /// here.
  private func write() {
    guard isConnected, releasedCount > 0 || isBlocked else { return }
    let (wasBlocked, wasHeld) = (isBlocked, isHeld)
    while releasedCount > 0, !transport.hasMessagesToSend, let message = outgoing.first,
      transport.send(message)
    {
      outgoing.popFirst()
      releasedCount -= 1
    }
    isBlocked = transport.isAuthenticated && (transport.hasMessagesToSend || releasedCount > 0)
    if wasHeld && !isHeld {
      redispatch = .none
      requestRedispatch()
    }
    if wasBlocked && !isBlocked { onDrained?() }
  }

  // MARK: Subscribing

  /// Calls `handler` for each signal that the rule matches, until the subscription is cancelled.
  ///
  /// The rule is added on the bus without waiting for the reply, and equal rules once; a refusal goes
  /// to ``onSubscriptionFailure``. A well-known name as the sender means its owner at the time of the
  /// signal.
  ///
  /// - Throws: ``BusError`` `MatchRuleInvalid`, `Disconnected`.
  @discardableResult
  public func subscribe(
    _ rule: MatchRule,
    _ handler: @escaping (Message) -> Void
  ) throws(BusError) -> Subscription {
    try subscriptions.add(rule, on: self, handler)
  }

  func cancel(_ subscription: Subscription) {
    guard let text = subscriptions.remove(subscription) else { return }
    // A connection that is closed has no rules on the bus either.
    try? send(.bus(BusDriver.removeMatch)) { $0.append(text) }
  }
}

/// What a connection bounds, so that no peer can make it grow or keep it from others.
public enum ConnectionLimits {
  /// Messages handled in one turn, before their replies are sent.
  public static let messagesPerTurn = 512

  /// Bytes queued to be sent at which a turn ends.
  public static let bytesPerTurn = 4 << 20

  /// Bytes queued above which a call with a long reply waits for a later turn.
  static let bytesBeforeLongReplies = 1 << 18

  /// Calls of one caller that may wait for such a turn.
  public static let waitingCallsPerCaller = 256

  /// Calls that may wait for such a turn.
  public static let waitingCalls = 2_048

  /// Bytes of messages kept for later while a call is waited for.
  public static let receivedBytes = 4 << 20

  /// Bytes of received messages that exist at once, whoever keeps them.
  static let liveBytes = 64 << 20

  /// File descriptors in received messages that exist at once.
  static let liveDescriptors = 64

  /// Calls of our own whose replies are still to come.
  public static let pendingCalls = 16_384

  /// Parts of a value that is read whole: elements, members, keys and values in variants.
  public static let valueParts = 65_536

  /// Characters of a peer's text that an error repeats.
  static let quotedCharacters = 128
}
