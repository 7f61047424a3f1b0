// SPDX-License-Identifier: MIT
internal import CDBus
internal import CLinux
internal import EventLoop
internal import Glibc

/// A private connection of libdbus's with its watches and timeouts; nothing else reads or writes the
/// socket.
///
/// libdbus never calls back into the program's own code: its callbacks only edit the lists here, and
/// messages are fetched by ``pop()``. Closing and giving up the reference happen exactly once, in that
/// order, as libdbus demands.
@safe
final class Transport {
  /// nil once closed.
  private var raw: OpaquePointer?
  private var watches: [Handle] = []
  private var timeouts: [(handle: Handle, timer: Timer?)] = []
  private var loop: EventLoop?
  /// The one watch of the loop, for what libdbus's enabled watches want together.
  private var loopWatch: Watch?
  private var onEvent: ((Readiness) -> Void)?
  /// Whether libdbus has told that the connection is closed, after all messages received before.
  private(set) var hasEnded = false
  private var isKnownAuthenticated = false

  /// Connects without saying Hello; for a Unix socket this does not wait.
  ///
  /// The corresponding C function is `dbus_connection_open_private`.
  init(opening address: String) throws(BusError) {
    guard !address.utf8.contains(0) else {
      throw BusError(name: .badAddress, message: "an address with a NUL in it")
    }
    unsafe raw = try BusError.check { error in
      unsafe address.withCString { unsafe dbus_connection_open_private($0, error) }
    }
    unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
    // Beyond these libdbus does not read until messages are released; the rest waits in the bus.
    unsafe dbus_connection_set_max_received_size(raw, ConnectionLimits.liveBytes)
    unsafe dbus_connection_set_max_received_unix_fds(raw, ConnectionLimits.liveDescriptors)
  }

  deinit {
    close()
  }

  /// Disconnects and gives the connection back; further calls do nothing.
  func close() {
    guard let connection = unsafe raw else { return }
    detach()
    unsafe raw = nil
    hasEnded = true
    unsafe dbus_connection_close(connection)
    unsafe dbus_connection_unref(connection)
  }

  // MARK: State

  /// Whether the socket is open as far as libdbus knows; it notices by reading that a peer is gone.
  var isConnected: Bool {
    unsafe raw.map { unsafe dbus_connection_get_is_connected($0) != 0 } ?? false
  }

  /// Whether messages can travel.
  var isAuthenticated: Bool {
    guard !isKnownAuthenticated, let raw = unsafe raw else { return isKnownAuthenticated }
    isKnownAuthenticated = unsafe dbus_connection_get_is_authenticated(raw) != 0
    return isKnownAuthenticated
  }

  /// The identity of the server, told with the authentication.
  var serverID: String? {
    guard let raw = unsafe raw, let id = unsafe dbus_connection_get_server_id(raw) else {
      return nil
    }
    defer { unsafe dbus_free(id) }
    return unsafe String(cString: id)
  }

  // MARK: Messages

  /// The next message that was received; nil when there is none.
  ///
  /// The corresponding C function is `dbus_connection_pop_message`.
  func pop() -> Message? {
    while let raw = unsafe raw, let popped = unsafe dbus_connection_pop_message(raw) {
      guard let message = unsafe Message(adopting: popped) else { continue }
      guard message.isLocalDisconnect else { return message }
      hasEnded = true
    }
    return nil
  }

  /// Whether ``pop()`` would return a message, or find the end.
  var hasMessagesToHandle: Bool {
    guard let raw = unsafe raw else { return false }
    return unsafe dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// Hands a message to libdbus, which writes it as far as the socket takes it without waiting.
  ///
  /// - Returns: Whether libdbus took it; false where it is out of memory.
  func send(_ message: Message) -> Bool {
    guard let raw = unsafe raw else { return false }
    return unsafe dbus_connection_send(raw, message.raw, nil) != 0
  }

  /// Whether libdbus holds messages, or part of one, that the socket has not taken.
  var hasMessagesToSend: Bool {
    unsafe raw.map { unsafe dbus_connection_has_messages_to_send($0) != 0 } ?? false
  }

  /// The length of the messages that libdbus holds, in bytes; one of which a part is sent counts whole.
  var outgoingSize: Int { unsafe raw.map { unsafe dbus_connection_get_outgoing_size($0) } ?? 0 }

  /// The number of bytes, about, that the peer has not read from its socket: the kernel counts the
  /// memory they take.
  var unreadByteCount: Int {
    var descriptor: CInt = -1
    guard let raw = unsafe raw, unsafe dbus_connection_get_unix_fd(raw, &descriptor) != 0 else {
      return 0
    }
    return max(Int(linux_unread_bytes(descriptor)), 0)
  }

  /// Reads and writes, waiting for the socket at most so many milliseconds.
  ///
  /// The corresponding C function is `dbus_connection_read_write`.
  func readWrite(milliseconds: CInt) {
    guard let raw = unsafe raw else { return }
    _ = unsafe dbus_connection_read_write(raw, milliseconds)
  }

  /// Reads what the socket holds, as far as libdbus does at once.
  func read() {
    handle(.readable)
  }

  // MARK: The loop

  /// Has the loop watch the socket and run libdbus's timeouts until ``detach()``.
  ///
  /// - Parameters:
  ///   - loop: The loop.
  ///   - onEvent: Called after libdbus has read, written or timed out.
  /// - Throws: ``BusError`` `Failed` where the socket cannot be watched, `NoMemory`.
  func attach(
    to loop: EventLoop,
    onEvent: @escaping (Readiness) -> Void
  ) throws(BusError) {
    guard let raw = unsafe raw else { return }
    self.loop = loop
    self.onEvent = onEvent
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    let isInstalled =
      unsafe dbus_connection_set_watch_functions(
        raw,
        { unsafe Transport.from($1)?.addWatch($0) ?? 0 },
        { unsafe Transport.from($1)?.removeWatch($0) },
        // Enabled or disabled: the loop is told once libdbus has returned, since it often changes back.
        { _, _ in },
        this,
        nil
      ) != 0
      && dbus_connection_set_timeout_functions(
        raw,
        { unsafe Transport.from($1)?.startTimeout($0) ?? 0 },
        { unsafe Transport.from($1)?.removeTimeout($0) },
        { _ = unsafe Transport.from($1)?.startTimeout($0) },
        this,
        nil
      ) != 0
    do throws(BusError) {
      guard isInstalled else { throw .noMemory }
      var descriptor: CInt = -1
      guard unsafe dbus_connection_get_unix_fd(raw, &descriptor) != 0 else {
        throw .failed("a connection without a descriptor")
      }
      loopWatch = try watch(descriptor, on: loop)
    } catch {
      detach()
      throw error
    }
  }

  private func watch(_ descriptor: CInt, on loop: EventLoop) throws(BusError) -> Watch {
    do throws(SystemError) {
      return try loop.watch(descriptor, for: interest) { [weak self] readiness in
        self?.handle(readiness)
        self?.onEvent?(readiness)
      }
    } catch {
      throw .failed(error.description)
    }
  }

  /// Undoes ``attach(to:onEvent:)``.
  func detach() {
    guard loop != nil, let raw = unsafe raw else { return }
    loopWatch?.cancel()
    loopWatch = nil
    unsafe dbus_connection_set_watch_functions(raw, nil, nil, nil, nil, nil)
    unsafe dbus_connection_set_timeout_functions(raw, nil, nil, nil, nil, nil)
    for timeout in timeouts { timeout.timer?.cancel() }
    timeouts = []
    watches = []
    onEvent = nil
    loop = nil
  }

  /// Watches the socket for what libdbus wants of it now, reading left out while `isReadingPaused`.
  func updateInterest(isReadingPaused: Bool) {
    loopWatch?.interest = isReadingPaused ? interest.subtracting(.readable) : interest
  }

  /// What the enabled watches want together; the empty set is legal.
  private var interest: Readiness {
    var interest: Readiness = []
    for watch in watches where watch.isEnabled {
      interest.insert(watch.isReader ? .readable : .writable)
    }
    return interest
  }

  /// Lets libdbus read and write.
  private func handle(_ readiness: Readiness) {
    var reading: UInt32 = 0
    if readiness.contains(.readable) { reading |= DBUS_WATCH_READABLE.rawValue }
    // Without "readable" libdbus would close at once and lose what came before the end.
    if readiness.contains(.hangUp) {
      reading |= DBUS_WATCH_READABLE.rawValue | DBUS_WATCH_HANGUP.rawValue
    }
    if readiness.contains(.error) { reading |= DBUS_WATCH_ERROR.rawValue }
    let writing = readiness.contains(.writable) ? DBUS_WATCH_WRITABLE.rawValue : 0
    // The loop is over a copy, since libdbus edits the list while it handles a watch.
    for watch in watches where watches.contains(watch) && watch.isEnabled {
      let flags = watch.isReader ? reading : writing
      if flags != 0 { _ = unsafe dbus_watch_handle(watch.raw, flags) }
    }
  }

  /// A watch or a timeout of libdbus's.
  @safe
  private struct Handle: Equatable {
    let raw: OpaquePointer

    init?(_ raw: OpaquePointer?) {
      guard let raw = unsafe raw else { return nil }
      unsafe self.raw = raw
    }

    static func == (left: Handle, right: Handle) -> Bool { unsafe left.raw == right.raw }

    /// Of a watch.
    var isEnabled: Bool { unsafe dbus_watch_get_enabled(raw) != 0 }

    /// Of a watch; libdbus makes one for reading and one for writing.
    var isReader: Bool { unsafe dbus_watch_get_flags(raw) & DBUS_WATCH_READABLE.rawValue != 0 }
  }

  // MARK: Callbacks of libdbus

  private static func from(_ address: UnsafeMutableRawPointer?) -> Transport? {
    guard let address = unsafe address else { return nil }
    return unsafe Unmanaged<Transport>.fromOpaque(address).takeUnretainedValue()
  }

  private func addWatch(_ watch: OpaquePointer?) -> dbus_bool_t {
    guard let watch = unsafe Handle(watch) else { return 0 }
    watches.append(watch)
    return 1
  }

  private func removeWatch(_ watch: OpaquePointer?) {
    let watch = unsafe Handle(watch)
    watches.removeAll { $0 == watch }
    guard watches.isEmpty else { return }
    // libdbus is about to close the socket, whose number may then be another file's.
    loopWatch?.cancel()
    loopWatch = nil
  }

  /// Starts a timeout, or follows a change of it.
  ///
  /// libdbus's timeouts repeat until they are removed.
  private func startTimeout(_ timeout: OpaquePointer?) -> dbus_bool_t {
    guard let handle = unsafe Handle(timeout) else { return 0 }
    unsafe removeTimeout(timeout)
    var timer: Timer?
    if unsafe dbus_timeout_get_enabled(handle.raw) != 0 {
      let interval = unsafe Duration.milliseconds(dbus_timeout_get_interval(handle.raw))
      timer = loop?.schedule(after: interval) { [weak self] in
        // First the next time, since handling may remove the timeout.
        _ = unsafe self?.startTimeout(handle.raw)
        _ = unsafe dbus_timeout_handle(handle.raw)
        self?.onEvent?([])
      }
    }
    timeouts.append((handle, timer))
    return 1
  }

  private func removeTimeout(_ timeout: OpaquePointer?) {
    let handle = unsafe Handle(timeout)
    for entry in timeouts where entry.handle == handle { entry.timer?.cancel() }
    timeouts.removeAll { $0.handle == handle }
  }
}
