// SPDX-License-Identifier: MIT
internal import CDBus

/// The interfaces that every object has, as tables like any other.
///
/// Source: D-Bus specification, "Standard Interfaces".
enum StandardInterface {
  /// What handlers of these interfaces get: a node and its server.
  struct Target {
    let node: ObjectNode
    let server: ObjectServer
  }

  /// `org.freedesktop.DBus.Properties`.
  static let properties = Interface<Target>(
    "org.freedesktop.DBus.Properties",
    methods: [
      Method(
        "Get",
        inputs: [Argument("interface_name", "s"), Argument("property_name", "s")],
        outputs: [Argument("value", "v")],
        handler: get
      ),
      Method(
        "Set",
        inputs: [
          Argument("interface_name", "s"), Argument("property_name", "s"), Argument("value", "v"),
        ],
        handler: set
      ),
      Method(
        "GetAll",
        inputs: [Argument("interface_name", "s")],
        outputs: [Argument("properties", "a{sv}")],
        handler: getAll
      ),
    ],
    signals: [
      Signal(
        "PropertiesChanged",
        [
          Argument("interface_name", "s"), Argument("changed_properties", "a{sv}"),
          Argument("invalidated_properties", "as"),
        ]
      )
    ]
  )

  /// `org.freedesktop.DBus.Introspectable`.
  static let introspectable = Interface<Target>(
    "org.freedesktop.DBus.Introspectable",
    methods: [
      Method("Introspect", outputs: [Argument("xml_data", "s")], isLongRead: true) {
        target,
        _,
        writer in
        writer.append(target.server.introspect(target.node))
      }
    ]
  )

  /// `org.freedesktop.DBus.Peer`; answered on every path, whether there is an object or not.
  static let peer = Interface<Target>(
    "org.freedesktop.DBus.Peer",
    methods: [
      Method("Ping") { _, _, _ in },
      Method("GetMachineId", outputs: [Argument("machine_uuid", "s")]) {
        (_, _, writer) throws(BusError) in
        writer.append(try machineID())
      },
    ]
  )

  /// All of them, in the order of the introspection data.
  static let all = [properties, introspectable, peer]

  /// Those of a node; one without an object has no properties.
  static func interfaces(of node: ObjectNode) -> [Interface<Target>] {
    node.interfaces.isEmpty ? [introspectable, peer] : all
  }

  /// The machine's id: 32 hexadecimal digits.
  ///
  /// The corresponding C function is `dbus_try_get_local_machine_id`.
  private static func machineID() throws(BusError) -> String {
    try BusError.check { error in
      unsafe dbus_try_get_local_machine_id(error).map { text in
        defer { unsafe dbus_free(text) }
        return unsafe String(cString: text)
      }
    }
  }

  /// The property that a call names first.
  private static func property(
    of target: Target,
    _ call: inout MethodCallContext
  ) throws(BusError) -> (interface: BoundInterface, index: Int) {
    target.server.willCallProperties(of: target.node)
    let interface = try call.reader.readString()
    return try target.node.property(try call.reader.readString(), of: interface)
  }

  private static func get(
    _ target: Target,
    _ call: inout MethodCallContext,
    _ writer: inout MessageWriter
  ) throws(BusError) {
    let property = try property(of: target, &call)
    property.interface.append(property: property.index, to: &writer)
  }

  private static func set(
    _ target: Target,
    _ call: inout MethodCallContext,
    _ writer: inout MessageWriter
  ) throws(BusError) {
    let property = try property(of: target, &call)
    let value = try call.reader.readVariant()
    try property.interface.set(property: property.index, to: value)
  }

  private static func getAll(
    _ target: Target,
    _ call: inout MethodCallContext,
    _ writer: inout MessageWriter
  ) throws(BusError) {
    target.server.willCallProperties(of: target.node)
    let interfaces = try target.node.interfaces(named: try call.reader.readString())
    writer.appendDictionary { writer in
      for interface in interfaces { interface.appendProperties(to: &writer) }
    }
  }
}
