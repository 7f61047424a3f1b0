// SPDX-License-Identifier: MIT
import CDBus
import EventLoop

extension LibraryHandle {
  /// What the watch is for, now; nothing while it is disabled.
  fileprivate var flags: UInt32 {
    guard unsafe dbus_watch_get_enabled(raw) != 0 else { return 0 }
    return unsafe dbus_watch_get_flags(raw)
  }

  fileprivate func handle(_ flags: UInt32) {
    _ = unsafe dbus_watch_handle(raw, flags)
  }
}

/// The watches that libdbus wants to have: two on one descriptor, for reading and for writing.
@safe
final class LibraryWatches: LibraryCallbackTarget {
  private var watches: [LibraryHandle] = []
  private let onChange: () -> Void

  init(onChange: @escaping () -> Void) {
    self.onChange = onChange
  }

  /// Makes libdbus tell of its watches; this object has to live until ``remove(from:)``.
  ///
  /// The corresponding C function is `dbus_connection_set_watch_functions`.
  func install(on library: LibraryConnection) throws(BusError) {
    try library.install { connection in
      unsafe dbus_connection_set_watch_functions(
        connection,
        { watch, this in unsafe LibraryWatches.from(this)?.add(watch) == nil ? 0 : 1 },
        { watch, this in unsafe LibraryWatches.from(this)?.remove(watch) },
        { _, this in unsafe LibraryWatches.from(this)?.onChange() },
        address,
        nil
      )
    }
  }

  /// Makes libdbus tell no more.
  func remove(from library: LibraryConnection) {
    library.with { connection in
      _ = unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    }
    watches = []
  }

  /// Whether libdbus has no watch, as once it has closed the socket.
  var isEmpty: Bool { watches.isEmpty }

  /// What the enabled watches want, all together; the empty set is legal.
  var interest: Readiness {
    var interest: Readiness = []
    for watch in watches {
      let flags = watch.flags
      if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
    }
    return interest
  }

  /// Lets libdbus read and write.
  func handle(_ readiness: Readiness) {
    var flags: UInt32 = 0
    if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if readiness.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
    if readiness.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
    let always = DBUS_WATCH_HANGUP.rawValue | DBUS_WATCH_ERROR.rawValue
    // libdbus edits the list while it handles a watch.
    for watch in watches where watches.contains(watch) {
      let own = watch.flags
      if own != 0, flags & (own | always) != 0 { watch.handle(flags & (own | always)) }
    }
  }

  private func add(_ raw: OpaquePointer?) {
    guard let watch = unsafe LibraryHandle(raw) else { return }
    watches.append(watch)
    onChange()
  }

  private func remove(_ raw: OpaquePointer?) {
    let watch = unsafe LibraryHandle(raw)
    watches.removeAll { $0 == watch }
    onChange()
  }
}
