// SPDX-License-Identifier: MIT
internal import DBus
internal import EventLoop

/// The private connection on which one app's native badge is announced to docks.
///
/// One for each app, since docks keep one badge for a sender, and forget it with the sender.
final class OutwardConnection {
  private static let firstRetry = Duration.seconds(5)
  private static let lastRetry = Duration.seconds(300)

  private let address: String
  private let loop: EventLoop
  private let uri: String
  private let path: ObjectPath
  private var pacer: OutwardPacer
  private var connection: BusConnection?
  private var isReady = false
  private var timer: Timer?
  private var retry = firstRetry
  private(set) var isEnding = false

  /// Called with the unique name as soon as there is one, before anything is sent.
  var onName: ((String) -> Void)?

  /// Called before each update.
  var willSend: (() -> Void)?

  /// Called when the connection is closed for good.
  var onEnd: (() -> Void)?

  /// Called with what went wrong; the connection is tried again by itself.
  var onFailure: ((BusError) -> Void)?

  /// A connection for the app whose desktop file is `<id>.desktop`; nil where no path can be made.
  init?(id: String, state: OutwardState, address: String, loop: EventLoop) {
    uri = LauncherEntryPath.uri(for: id)
    guard let path = ObjectPath(LauncherEntryPath.path(for: uri)) else { return nil }
    self.path = path
    self.address = address
    self.loop = loop
    pacer = OutwardPacer(state)
  }

  /// Opens the connection, and sends the state when it is open.
  func open() {
    do throws(BusError) {
      connection = try BusConnection(opening: address, on: loop) { [weak self] result in
        self?.opened(result)
      }
      connection?.onDisconnected = { [weak self] in
        self?.fail(.disconnected("the bus closed the connection"))
      }
    } catch {
      fail(error)
    }
  }

  /// Announces another state, now or as soon as docks can take it.
  func show(_ state: OutwardState) {
    isEnding = false
    pacer.want(state)
    sendDue()
  }

  /// Announces the whole state again.
  func repeatAll() {
    pacer.repeatAll()
    sendDue()
  }

  /// Tells docks that there is nothing to show any more, then closes: some never notice who leaves.
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
    // What is wanted by then goes when docks can take it.
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

  /// A bus that takes no more is left alone until it does.
  private func continueWhenSent(_ connection: BusConnection) {
    connection.onDrained = { [weak self] in self?.sendDue() }
  }
}
