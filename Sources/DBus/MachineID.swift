// SPDX-License-Identifier: MIT
import CDBus

/// The machine's id, 32 hexadecimal digits.
enum MachineID {
  /// Reads it.
  ///
  /// The corresponding C function is `dbus_try_get_local_machine_id`.
  ///
  /// - Throws: ``BusError`` where there is none.
  static func read() throws(BusError) -> String {
    let text = try LibraryError.check { error in
      unsafe dbus_try_get_local_machine_id(error).map { text in
        defer { unsafe dbus_free(text) }
        return unsafe String(cString: text)
      }
    }
    return text
  }
}
