// SPDX-License-Identifier: MIT
import EventLoop

/// A connection of this program's own to a message bus.
///
/// libdbus understands the address, connects and authenticates. What comes in is validated here, byte
/// by byte, before anybody sees it. What goes out is marshalled here, into one buffer that leaves in
/// one piece at the end of a turn of the event loop, or at ``flush()``. Without a loop,
/// ``callAndWait(_:timeout:_:)`` and ``flushAndWait(timeout:)`` do.
///
/// For one thread. Handlers may do anything: send, call, subscribe, cancel, close.
public final class BusConnection {
  enum State {
    /// Hello is on its way.
    case opening
    case ready
    /// The bus went away.
    case disconnected
    /// ``close()`` was called.
    case closed
  }

  /// What a turn has left over.
  enum Backlog {
    case none
    /// To be handled in the next turn.
    case fresh
    /// To be handled in this turn.
    case ripe
  }

  /// One turn handles at most this many messages before what they caused goes out.
  public static let messagesPerTurn = ConnectionLimits.messagesPerTurn
  /// A turn ends early once so many bytes wait to go out, and while the bus takes none of them nothing
  /// more is handled: whoever asks for much again and again is slowed, and makes nothing grow.
  public static let outgoingBytesPerTurn = ConnectionLimits.bytesPerTurn
  /// How long a reply may take unless the caller says otherwise.
  public static let defaultTimeout = Duration.seconds(25)

  let library: LibraryConnection
  /// The descriptor of the socket; nil once it is closed.
  var socket: CInt?
  var state: State
  /// Whether the bus takes messages.
  var isAuthenticated = false
  /// The name the bus gave this connection; nil until it has.
  public internal(set) var uniqueName: BusName?

  /// Called for each method call; nil answers `UnknownMethod`, but for `Peer.Ping`.
  public var onMethodCall: ((Message) -> Void)?
  /// Called once when the bus went away, after all pending calls have failed; not for ``close()``.
  public var onDisconnected: (() -> Void)?
  /// Called at the end of each turn of the loop in which more may be queued.
  var hasRoom: (() -> Void)?
  /// Called at the end of each turn of the loop, before what is queued goes out.
  public var willFlush: (() -> Void)?
  /// Called when the socket has taken everything after it had been full.
  public var onDrained: (() -> Void)?

  /// Called when the bus refuses a rule that was subscribed to, with the rule's text and the error:
  /// it would deliver nothing.
  public var onSubscriptionFailure: ((String, BusError) -> Void)?

  var incoming = IncomingQueue()
  /// Whether the stream is at its end, or of no use any more; what was read before is still handled.
  var hasEnded = false
  /// Why the connection was given up, where what the bus sent was no message; nil else.
  public internal(set) var streamFault: BusError?
  /// Whether the socket may hold more than was asked of it.
  var mayHaveMore = false
  var outgoing = OutgoingQueue()
  /// Whether the socket was full at the last flush.
  var isBlocked = false
  /// Whether the socket is known to be dead, before what was read from it has been handled.
  var isBroken = false
  /// nil while a body is being written.
  var scratch: MessageWriter? = MessageWriter()
  private var lastSerial: UInt32 = 0
  /// The serial of a Hello that went out with the first call, until it is answered.
  var greeting: UInt32?
  var pending = SerialTable<PendingCall>()
  var groups: [SubscriptionGroup] = []
  var owners: [SenderOwner] = []
  /// Messages that came while a call was waited for, and wait for their turn.
  var deferred: [Message] = []
  var nextDeferred = 0
  /// How many bytes of them there are, those included that were handled since.
  var deferredBytes = 0
  var backlog = Backlog.none
  var isHandling = false

  var loop: EventLoop?
  var loopWatch: Watch?
  var turnHook: TurnHook?

  /// Connects and leaves the rest to the caller.
  init(connecting address: String) throws(BusError) {
    library = try LibraryConnection(opening: address)
    socket = library.socket
    state = .opening
  }

  deinit {
    close()
  }

  /// Whether messages can be sent.
  public var isConnected: Bool { (state == .ready || state == .opening) && !isBroken }

  /// Whether bytes are left over because the socket was full; ``onDrained`` tells of the end.
  public var hasUnsentBytes: Bool { isBlocked }

  /// Sends what the socket still takes, and closes.
  ///
  /// Pending calls fail with `Disconnected` before this returns. More calls do nothing.
  public func close() {
    guard state != .closed else { return }
    flush()
    state = .closed
    detach()
    socket = nil
    library.close()
    incoming.removeAll()
    outgoing.removeAll()
    forgetDeferred()
    failPending(.disconnected("the connection was closed"))
    endSubscriptions()
    onMethodCall = nil
    hasRoom = nil
    onSubscriptionFailure = nil
    onDisconnected = nil
    willFlush = nil
    onDrained = nil
  }

  /// Notes that the bus is gone, once.
  func noteDisconnect() {
    guard state == .ready || state == .opening else { return }
    state = .disconnected
    loopWatch?.cancel()
    loopWatch = nil
    incoming.removeAll()
    outgoing.removeAll()
    isBlocked = false
    failPending(.disconnected("the bus closed the connection"))
    onDisconnected?()
  }

  private func failPending(_ error: BusError) {
    let calls = pending.values
    pending.removeAll()
    for call in calls { call.finish(.failure(error)) }
  }

  /// A number for the next message, never 0.
  func takeSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }
}
