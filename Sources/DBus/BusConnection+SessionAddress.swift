// SPDX-License-Identifier: MIT
import Glibc

extension BusConnection {
  /// The address of the user's session bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket
  /// `$XDG_RUNTIME_DIR/bus`, else `/run/user/UID/bus`, so that cron jobs and mail hooks find it.
  ///
  /// - Parameter environment: Looks a variable of the environment up.
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
    sessionAddress { name in
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe String(cString: value)
    }
  }

  /// A value as addresses have it: other bytes than `-0-9A-Za-z_/.\*` as `%xx`.
  ///
  /// Source: D-Bus specification, "Server Addresses".
  static func escapedAddressValue(_ value: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if NameGrammar.isAlphanumeric(byte) || "-_/.\\*".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
