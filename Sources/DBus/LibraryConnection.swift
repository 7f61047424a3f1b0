// SPDX-License-Identifier: MIT
import CDBus

/// A private connection of libdbus, which understands addresses, connects and authenticates.
///
/// Before Hello a bus says nothing, so that from there on whoever opened it can have the socket.
/// Closing and giving up the reference happen exactly once, in that order, as libdbus demands.
@safe
final class LibraryConnection {
  /// nil once closed.
  private var raw: OpaquePointer?
  /// What libdbus waits by until it can write; enabled while it has something to write.
  private var writeWatch: OpaquePointer?

  /// Connects without saying Hello; for a Unix socket this does not wait.
  ///
  /// The corresponding C function is `dbus_connection_open_private`.
  init(opening address: String) throws(BusError) {
    guard !address.utf8.contains(0) else { throw .badAddress("an address with a NUL in it") }
    unsafe raw = try LibraryError.check { error in
      unsafe address.withCString { unsafe dbus_connection_open_private($0, error) }
    }
    unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    let isFollowed = unsafe dbus_connection_set_watch_functions(
      raw,
      { watch, this in unsafe LibraryConnection.note(watch, this) },
      { watch, this in unsafe LibraryConnection.forget(watch, this) },
      nil,
      this,
      nil
    )
    guard isFollowed != 0 else { throw .noMemory("libdbus is out of memory") }
  }

  private static func note(_ watch: OpaquePointer?, _ this: UnsafeMutableRawPointer?) -> UInt32 {
    guard let watch = unsafe watch, let this = unsafe this else { return 0 }
    if unsafe dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0 {
      unsafe Unmanaged<LibraryConnection>.fromOpaque(this).takeUnretainedValue().writeWatch = watch
    }
    return 1
  }

  private static func forget(_ watch: OpaquePointer?, _ this: UnsafeMutableRawPointer?) {
    guard let this = unsafe this else { return }
    let library = unsafe Unmanaged<LibraryConnection>.fromOpaque(this).takeUnretainedValue()
    if unsafe library.writeWatch == watch { unsafe library.writeWatch = nil }
  }

  deinit {
    close()
  }

  /// Disconnects and gives the connection back; more calls do nothing.
  func close() {
    guard let connection = unsafe raw else { return }
    unsafe raw = nil
    unsafe dbus_connection_close(connection)
    unsafe dbus_connection_unref(connection)
  }

  /// Hands the connection to a function of libdbus; nil once it is closed.
  @safe
  func with<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
    guard let connection = unsafe raw else { return nil }
    return unsafe body(connection)
  }

  /// The identity of the server, told with the authentication.
  var serverID: String? {
    let text = with { connection -> String? in
      guard let id = unsafe dbus_connection_get_server_id(connection) else { return nil }
      defer { unsafe dbus_free(id) }
      return unsafe String(cString: id)
    }
    return text.flatMap { $0 }
  }

  /// Whether descriptors may be sent along.
  var canSendDescriptors: Bool {
    with { connection in
      let code = CInt(TypeCode.unixDescriptor.rawValue)
      return unsafe dbus_connection_can_send_type(connection, code) != 0
    } ?? false
  }

  /// The descriptor of the socket; nil once it is closed.
  var socket: CInt? {
    let descriptor = with { connection -> CInt? in
      var descriptor: CInt = -1
      let isOpen = unsafe dbus_connection_get_socket(connection, &descriptor) != 0
      return isOpen ? descriptor : nil
    }
    return descriptor.flatMap { $0 }
  }

  /// Goes on with the authentication, and waits for the server's part in it at most so many
  /// milliseconds; false where there will be none.
  ///
  /// Once it is through this must not be called again: libdbus would read what is not for it.
  /// The corresponding C function is `dbus_connection_read_write`.
  func authenticate(milliseconds: CInt) -> Bool {
    with { unsafe dbus_connection_read_write($0, milliseconds) != 0 } ?? false
  }

  /// Whether the next step of the authentication is to write.
  var wantsToWrite: Bool {
    guard let watch = unsafe writeWatch else { return false }
    return unsafe dbus_watch_get_enabled(watch) != 0
  }

  /// Whether the server takes messages.
  var isAuthenticated: Bool {
    with { unsafe dbus_connection_get_is_authenticated($0) != 0 } ?? false
  }
}
