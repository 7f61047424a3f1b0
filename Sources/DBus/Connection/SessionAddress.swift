// SPDX-License-Identifier: MIT
internal import CDBus
internal import Glibc

extension Connection {
  /// The address of the user's session bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket
  /// `$XDG_RUNTIME_DIR/bus`, else `/run/user/UID/bus`, so that cron jobs and mail hooks find it.
  ///
  /// - Parameter environment: Looks up a variable of the environment.
  /// - Returns: nil where the variable is not set and neither socket exists.
  public static func sessionAddress(environment: (String) -> String?) -> String? {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    var folders = ["/run/user/\(getuid())"]
    if let folder = environment("XDG_RUNTIME_DIR"), folder.utf8.first == UInt8(ascii: "/") {
      folders.insert(folder, at: 0)
    }
    for folder in folders {
      let path = folder + "/bus"
      let exists = unsafe path.withCString { unsafe access($0, F_OK) } == 0
      if exists { return "unix:path=" + escapedAddressValue(path) }
    }
    return nil
  }

  /// The address of the user's session bus, by this process's environment.
  public static func sessionAddress() -> String? {
    sessionAddress { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// A value as addresses have it, odd bytes as `%xx`.
  ///
  /// The corresponding C function is `dbus_address_escape_value`.
  static func escapedAddressValue(_ value: String) -> String {
    guard let escaped = unsafe dbus_address_escape_value(value) else { return value }
    defer { unsafe dbus_free(escaped) }
    return unsafe String(cString: escaped)
  }
}
