// SPDX-License-Identifier: MIT
internal import DBus
internal import EventLoop

/// The native badges that docks are told of: a private connection for each installed app.
final class OutwardConnections {
  /// How many connections there are at most.
  static let maximum = LauncherBridge.maximumConnections

  private let address: String
  private let loop: EventLoop
  private let log: (String) -> Void
  private var connections: [String: OutwardConnection] = [:]
  private var names: Set<String> = []
  private var hasReportedLimit = false
  private var hasReportedFailure = false

  /// Whether badges wait for a connection to become free.
  private(set) var isFull = false

  /// Called before something is sent to docks.
  var willSend: (() -> Void)?

  /// Called when a connection that others wait for has become free.
  var onRoom: (() -> Void)?

  init(address: String, loop: EventLoop, log: @escaping (String) -> Void) {
    self.address = address
    self.loop = loop
    self.log = log
  }

  /// The apps that docks are told of, or are being told that there is nothing any more.
  var ids: [String] { Array(connections.keys) }

  /// Whether docks are told of the app.
  func contains(_ id: String) -> Bool { connections[id] != nil }

  /// Whether a unique name is, or was, that of one of the connections.
  func isOwn(_ name: String) -> Bool { names.contains(name) }

  /// One of the connections, whose last words may still have been on the way, has left the bus.
  func forget(_ name: String) {
    names.remove(name)
  }

  /// Tells docks what the installed app shows.
  func show(_ state: OutwardState, for id: String) {
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
      let connection = OutwardConnection(id: id, state: state, address: address, loop: loop)
    else { return }
    connections[id] = connection
    connection.onName = { [weak self] in _ = self?.names.insert($0) }
    connection.willSend = { [weak self] in self?.willSend?() }
    connection.onEnd = { [weak self] in self?.ended(id) }
    connection.onFailure = { [weak self] in self?.report($0) }
    connection.open()
  }

  /// Tells docks that the app shows nothing any more, and closes its connection.
  func remove(_ id: String) {
    connections[id]?.end()
  }

  /// Tells docks again what one app shows: somebody else has spoken for it.
  func repeatState(of id: String) {
    connections[id]?.repeatAll()
  }

  /// Tells docks everything again.
  func repeatAll() {
    for connection in connections.values { connection.repeatAll() }
  }

  private func ended(_ id: String) {
    connections[id] = nil
    guard isFull else { return }
    isFull = false
    onRoom?()
  }

  private func report(_ error: BusError) {
    guard !hasReportedFailure else { return }
    hasReportedFailure = true
    log("docks can't be told of a badge: '\(error.message)'")
  }
}
