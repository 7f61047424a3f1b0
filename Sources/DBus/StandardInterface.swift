// SPDX-License-Identifier: MIT

/// The interfaces that every object has, described by the same tables as any other.
///
/// Source: D-Bus specification, "Standard Interfaces".
enum StandardInterface {
  /// What handlers of these interfaces get: a node, and the tree it is in.
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
        writer.append(try MachineID.read())
      },
    ]
  )

  /// All of them, in the order they are told.
  static let all = [properties, introspectable, peer]

  /// Those a node has: without an object of its own there are no properties.
  static func interfaces(of node: ObjectNode) -> [Interface<Target>] {
    node.interfaces.isEmpty ? [introspectable, peer] : all
  }

  /// The property that a call names first.
  private static func property(
    of target: Target,
    _ call: inout MethodCallContext
  ) throws(BusError) -> (interface: BoundInterface, index: Int) {
    target.server.onPropertiesCall?(target.node.path)
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
    target.server.onPropertiesCall?(target.node.path)
    let interfaces = try target.node.interfaces(named: try call.reader.readString())
    writer.appendDictionary { writer in
      for interface in interfaces { interface.appendProperties(to: &writer) }
    }
  }
}
