// SPDX-License-Identifier: MIT
internal import DBus
internal import EventLoop

/// What docks should show for one app.
public struct DockState: Hashable, Sendable {
  /// The number; 1 for a badge without one.
  public var count: Int64

  /// Whether to show the number.
  public var isCountVisible: Bool

  /// The progress, 0 to 1; nil for none.
  public var progress: Double?

  /// Whether the app wants attention.
  public var isUrgent: Bool

  /// A state with these values.
  public init(count: Int64, isCountVisible: Bool, progress: Double? = nil, isUrgent: Bool = false) {
    self.count = count
    self.isCountVisible = isCountVisible
    self.progress = progress
    self.isUrgent = isUrgent
  }

  /// Nothing to show: the last state sent for a badge.
  public static let hidden = DockState(count: 0, isCountVisible: false)
}

/// The badges published to docks, with a private connection for each installed app.
final class Docks {
  static let maximum = LauncherBridge.maximumConnections

  private let address: String
  private let loop: EventLoop
  private let log: (String) -> Void
  private var connections: [String: DockConnection] = [:]
  private var names: Set<String> = []
  private var hasReportedLimit = false
  private var hasReportedFailure = false

  /// Whether badges wait for a free connection.
  private(set) var isFull = false

  /// Called before each update to docks.
  var willSend: (() -> Void)?

  /// Called when a connection that others wait for is free.
  var onCapacity: (() -> Void)?

  init(address: String, loop: EventLoop, log: @escaping (String) -> Void) {
    self.address = address
    self.loop = loop
    self.log = log
  }

  /// The published apps, those being withdrawn included.
  var ids: [String] { Array(connections.keys) }

  /// Whether the app is published.
  func contains(_ id: String) -> Bool { connections[id] != nil }

  /// Whether a unique name is, or was, one of these connections'.
  func isOwn(_ name: String) -> Bool { names.contains(name) }

  /// Handles the end of one of the connections, of which messages may have been under way until now.
  func forget(_ name: String) {
    names.remove(name)
  }

  /// Publishes what an installed app shows.
  func show(_ state: DockState, for id: String) {
    if let connection = connections[id] { return connection.show(state) }
    guard connections.count < Self.maximum else {
      isFull = true
      if !hasReportedLimit {
        hasReportedLimit = true
        log("docks are told of no more than \(Self.maximum) badges at a time")
      }
      return
    }
    guard
      let connection = DockConnection(id: id, state: state, address: address, loop: loop)
    else { return }
    connections[id] = connection
    connection.onName = { [weak self] in _ = self?.names.insert($0) }
    connection.willSend = { [weak self] in self?.willSend?() }
    connection.onEnd = { [weak self] in self?.ended(id) }
    connection.onFailure = { [weak self] in self?.report($0) }
    connection.open()
  }

  /// Withdraws an app's badge, then closes its connection.
  func remove(_ id: String) {
    connections[id]?.end()
  }

  /// Publishes an app's badge again, since somebody else announced it too.
  func repeatState(of id: String) {
    connections[id]?.repeatAll()
  }

  /// Publishes everything again.
  func repeatAll() {
    for connection in connections.values { connection.repeatAll() }
  }

  private func ended(_ id: String) {
    connections[id] = nil
    guard isFull else { return }
    isFull = false
    onCapacity?()
  }

  private func report(_ error: BusError) {
    guard !hasReportedFailure else { return }
    hasReportedFailure = true
    log("docks can't be told of a badge: '\(error.message)'")
  }
}

/// The private connection on which one app's badge is published to docks.
///
/// One for each app, since docks keep one badge for each sender and drop it with the sender.
final class DockConnection {
  private static let firstRetry = Duration.seconds(5)
  private static let lastRetry = Duration.seconds(300)

  private let address: String
  private let loop: EventLoop
  private let uri: String
  private let path: ObjectPath
  private var pacer: DockPacer
  private var connection: Connection?
  private var isReady = false
  private var timer: Timer?
  private var retry = firstRetry
  private(set) var isEnding = false

  /// Called with the unique name as soon as there is one, before anything is sent.
  var onName: ((String) -> Void)?

  /// Called before each update.
  var willSend: (() -> Void)?

  /// Called once the connection is closed for good.
  var onEnd: (() -> Void)?

  /// Called with an error; the connection retries by itself.
  var onFailure: ((BusError) -> Void)?

  /// A connection for the app whose desktop file is `<id>.desktop`; nil if it has no object path.
  init?(id: String, state: DockState, address: String, loop: EventLoop) {
    uri = LauncherEntryPath.uri(for: id)
    guard let path = ObjectPath(LauncherEntryPath.path(for: uri)) else { return nil }
    self.path = path
    self.address = address
    self.loop = loop
    pacer = DockPacer(state)
  }

  /// Opens the connection, then sends the state.
  func open() {
    do throws(BusError) {
      connection = try Connection(opening: address, on: loop) { [weak self] result in
        self?.opened(result)
      }
      connection?.onDisconnected = { [weak self] in
        self?.fail(.disconnected("the bus closed the connection"))
      }
    } catch {
      fail(error)
    }
  }

  /// Publishes another state, now or as soon as the pacing allows.
  func show(_ state: DockState) {
    isEnding = false
    pacer.want(state)
    sendDue()
  }

  /// Publishes the state again.
  func repeatAll() {
    pacer.repeatAll()
    sendDue()
  }

  /// Publishes that there is nothing to show, then closes: some docks do not notice a sender's end.
  func end() {
    guard isReady else { return close() }
    isEnding = true
    pacer.want(.hidden)
    sendDue()
  }

  /// Closes at once.
  func close() {
    timer?.cancel()
    timer = nil
    isReady = false
    connection?.onDisconnected = nil
    connection?.onDrained = nil
    connection?.close()
    connection = nil
    onEnd?()
  }

  private func opened(_ result: Result<BusName, BusError>) {
    switch result {
    case .success(let name):
      isReady = true
      retry = Self.firstRetry
      onName?(name.rawValue)
      pacer.repeatAll()
      sendDue()
    case .failure(let error):
      fail(error)
    }
  }

  private func fail(_ error: BusError) {
    guard !isEnding else { return close() }
    isReady = false
    connection?.onDisconnected = nil
    connection?.close()
    connection = nil
    onFailure?(error)
    timer?.cancel()
    timer = loop.schedule(after: retry) { [weak self] in self?.open() }
    retry = min(retry * 2, Self.lastRetry)
  }

  private func sendDue() {
    guard isReady, let connection else { return }
    let now = Instant.now()
    // The timer will send the state wanted by then.
    if let timer, timer.isScheduled, timer.deadline > now { return }
    guard !connection.hasUnsentBytes else { return continueWhenSent(connection) }
    if let update = pacer.take(now: now) {
      willSend?()
      do throws(BusError) {
        try connection.send(signal: LauncherNames.update, of: LauncherNames.interface, from: path) {
          update.write(to: &$0, uri: uri)
        }
        connection.flush()
      } catch {
        return fail(error)
      }
    }
    timer = pacer.due(now: now).map { due in
      loop.schedule(at: due) { [weak self] in self?.sendDue() }
    }
    guard isEnding, timer == nil else { return }
    guard !connection.hasUnsentBytes else { return continueWhenSent(connection) }
    close()
  }

  /// Waits until the bus has taken what was sent.
  private func continueWhenSent(_ connection: Connection) {
    connection.onDrained = { [weak self] in self?.sendDue() }
  }
}
