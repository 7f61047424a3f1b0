// SPDX-License-Identifier: MIT
import CDBus
import Glibc

/// A private connection of libdbus: connects, authenticates, reads and validates what comes in.
///
/// Closing and giving up the reference happen exactly once, in that order, as libdbus demands.
@safe
final class LibraryConnection {
  /// nil once closed.
  private var raw: OpaquePointer?

  /// Connects without saying Hello; for a Unix socket this does not wait.
  ///
  /// The corresponding C function is `dbus_connection_open_private`.
  init(opening address: String) throws(BusError) {
    guard !address.utf8.contains(0) else { throw .badAddress("an address with a NUL in it") }
    unsafe raw = try LibraryError.check { error in
      unsafe address.withCString { unsafe dbus_connection_open_private($0, error) }
    }
    unsafe dbus_connection_set_exit_on_disconnect(raw, 0)
    unsafe dbus_connection_set_max_received_size(raw, ConnectionLimits.receivedBytes)
    unsafe dbus_connection_set_max_received_unix_fds(raw, ConnectionLimits.receivedDescriptors)
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

  /// Says Hello and waits for the answer.
  ///
  /// The corresponding C function is `dbus_bus_register`.
  func register() throws(BusError) {
    let connection = unsafe raw
    _ = try LibraryError.check { error -> Void? in
      unsafe dbus_bus_register(connection, error) != 0 ? () : nil
    }
  }

  /// The name that the bus gave in answer to Hello.
  var uniqueName: BusName? {
    get {
      let text = with { connection -> String? in
        guard let name = unsafe dbus_bus_get_unique_name(connection) else { return nil }
        return unsafe String(cString: name)
      }
      return text.flatMap { $0 }.flatMap { BusName($0) }
    }
    set {
      guard let newValue else { return }
      with { connection in
        _ = unsafe newValue.rawValue.withCString {
          unsafe dbus_bus_set_unique_name(connection, $0)
        }
      }
    }
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

  /// Whether the transport is open; a peer that went away is noticed by reading.
  var isConnected: Bool { with { unsafe dbus_connection_get_is_connected($0) != 0 } ?? false }

  /// Whether libdbus itself has something in its queue, which must go out before our bytes.
  var hasMessagesToSend: Bool {
    with { unsafe dbus_connection_has_messages_to_send($0) != 0 } ?? false
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

  /// Waits until something was read or written, at most so many milliseconds.
  ///
  /// The corresponding C function is `dbus_connection_read_write`.
  func readWrite(milliseconds: CInt) {
    with { _ = unsafe dbus_connection_read_write($0, milliseconds) }
  }

  /// Queues a message for libdbus to send, as soon as it has authenticated.
  func sendHello() throws(BusError) -> UInt32 {
    let serial = with { connection -> UInt32? in
      let message = unsafe dbus_message_new_method_call(
        DBUS_SERVICE_DBUS,
        DBUS_PATH_DBUS,
        DBUS_INTERFACE_DBUS,
        "Hello"
      )
      guard let message = unsafe message else { return nil }
      defer { unsafe dbus_message_unref(message) }
      var serial: UInt32 = 0
      guard unsafe dbus_connection_send(connection, message, &serial) != 0 else { return nil }
      return serial
    }
    guard let serial = serial.flatMap({ $0 }) else { throw .noMemory("libdbus is out of memory") }
    return serial
  }

  /// The next message that was read; nil when there is none.
  ///
  /// The corresponding C function is `dbus_connection_pop_message`.
  func pop() -> Message? {
    while let connection = unsafe raw,
      let raw = unsafe dbus_connection_pop_message(connection)
    {
      defer { unsafe dbus_message_unref(raw) }
      if let message = unsafe Self.message(raw) { return message }
    }
    return nil
  }

  private static func message(_ raw: OpaquePointer) -> Message? {
    var start: UnsafeMutablePointer<CChar>?
    var length: CInt = 0
    guard unsafe dbus_message_marshal(raw, &start, &length) != 0, let start = unsafe start else {
      return nil
    }
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(length)))
    unsafe dbus_free(start)
    guard let message = try? Message(bytes: bytes) else { return nil }
    if message.fields.descriptorCount > 0 {
      unsafe message.descriptors = DescriptorCollector.collect(from: raw, of: message)
    }
    return message
  }
}
