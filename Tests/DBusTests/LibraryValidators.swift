// SPDX-License-Identifier: MIT
import CDBus

/// What libdbus finds valid.
enum LibraryValidators {
  static func isPath(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_path($0, nil) != 0 }
  }

  static func isInterface(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_interface($0, nil) != 0 }
  }

  static func isMember(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_member($0, nil) != 0 }
  }

  static func isErrorName(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_error_name($0, nil) != 0 }
  }

  static func isBusName(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_validate_bus_name($0, nil) != 0 }
  }

  static func isSignature(_ text: String) -> Bool {
    unsafe text.withCString { unsafe dbus_signature_validate($0, nil) != 0 }
  }
}
