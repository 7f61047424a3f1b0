// SPDX-License-Identifier: MIT
import CDBus

/// The one place where a `DBusError` becomes a ``BusError``.
enum LibraryError {
  /// Calls a function of libdbus that returns nil, or false, and sets the error on failure.
  @safe
  static func check<Result>(
    _ body: (UnsafeMutablePointer<DBusError>) -> Result?
  ) throws(BusError) -> Result {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    let result = unsafe body(&error)
    let failure = unsafe take(&error)
    if let failure { throw failure }
    guard let result else { throw .noMemory("libdbus is out of memory") }
    return result
  }

  private static func take(_ error: UnsafeMutablePointer<DBusError>) -> BusError? {
    guard unsafe dbus_error_is_set(error) != 0 else { return nil }
    defer { unsafe dbus_error_free(error) }
    let name = unsafe error.pointee.name.map { unsafe String(cString: $0) } ?? ""
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
    return BusError(name: ErrorName(name) ?? .failed, message: message)
  }
}
