// SPDX-License-Identifier: MIT
import CDBus

/// An object of libdbus's that its callbacks tell of, such as a watch or a timeout.
@safe
struct LibraryHandle: Hashable {
  /// The object, for libdbus's own functions.
  let raw: OpaquePointer

  init?(_ raw: OpaquePointer?) {
    guard let raw = unsafe raw else { return nil }
    unsafe self.raw = raw
  }

  static func == (left: LibraryHandle, right: LibraryHandle) -> Bool {
    unsafe left.raw == right.raw
  }

  func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(raw)
  }
}

/// An object of the program's that libdbus's callbacks are for; it has to live as long as they are
/// installed.
protocol LibraryCallbackTarget: AnyObject {}

extension LibraryCallbackTarget {
  /// The address by which callbacks are told whom they are for.
  var address: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  /// The object that a callback is for.
  static func from(_ address: UnsafeMutableRawPointer?) -> Self? {
    guard let address = unsafe address else { return nil }
    return unsafe Unmanaged<Self>.fromOpaque(address).takeUnretainedValue()
  }
}

extension LibraryConnection {
  /// Installs callbacks with a function of libdbus's that tells whether there was memory for them.
  @safe
  func install(_ body: (OpaquePointer) -> dbus_bool_t) throws(BusError) {
    guard with({ unsafe body($0) != 0 }) == true else {
      throw .noMemory("libdbus is out of memory")
    }
  }
}
