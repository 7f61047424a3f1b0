// SPDX-License-Identifier: MIT
import CDBus
import EventLoop

extension LibraryHandle {
  fileprivate var isEnabled: Bool { unsafe dbus_timeout_get_enabled(raw) != 0 }

  fileprivate var interval: Duration { unsafe .milliseconds(dbus_timeout_get_interval(raw)) }

  fileprivate func handle() {
    _ = unsafe dbus_timeout_handle(raw)
  }
}

/// The timeouts that libdbus wants to have; each comes again and again until it is removed.
@safe
final class LibraryTimeouts: LibraryCallbackTarget {
  private var timers: [LibraryHandle: Timer] = [:]
  private let loop: EventLoop
  private let onFire: () -> Void

  init(loop: EventLoop, onFire: @escaping () -> Void) {
    self.loop = loop
    self.onFire = onFire
  }

  /// Makes libdbus tell of its timeouts; this object has to live until ``remove(from:)``.
  ///
  /// The corresponding C function is `dbus_connection_set_timeout_functions`.
  func install(on library: LibraryConnection) throws(BusError) {
    try library.install { connection in
      unsafe dbus_connection_set_timeout_functions(
        connection,
        { timeout, this in unsafe LibraryTimeouts.from(this)?.start(timeout) == nil ? 0 : 1 },
        { timeout, this in unsafe LibraryTimeouts.from(this)?.stop(timeout) },
        { timeout, this in unsafe LibraryTimeouts.from(this)?.start(timeout) },
        address,
        nil
      )
    }
  }

  /// Makes libdbus tell no more.
  func remove(from library: LibraryConnection) {
    library.with { connection in
      _ = unsafe dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    }
    for timer in timers.values { timer.cancel() }
    timers = [:]
  }

  /// How many timeouts are running.
  var count: Int { timers.count }

  private func start(_ raw: OpaquePointer?) {
    if let timeout = unsafe LibraryHandle(raw) { start(timeout) }
  }

  private func start(_ timeout: LibraryHandle) {
    timers.removeValue(forKey: timeout)?.cancel()
    guard timeout.isEnabled else { return }
    timers[timeout] = loop.schedule(after: timeout.interval) { [weak self] in
      self?.fire(timeout)
    }
  }

  private func fire(_ timeout: LibraryHandle) {
    // First the next time, since handling may end the timeout.
    start(timeout)
    timeout.handle()
    onFire()
  }

  private func stop(_ raw: OpaquePointer?) {
    guard let timeout = unsafe LibraryHandle(raw) else { return }
    timers.removeValue(forKey: timeout)?.cancel()
  }
}
