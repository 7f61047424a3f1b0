// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus

/// A badge as an object, which exists only while a call or a signal needs it.
struct BadgeObject {
  let id: BadgeID
  let service: BadgeService

  /// The interface org.badged.Badges1.Badge: the key table as properties.
  static let interface = Interface<BadgeObject>(
    BadgeNames.badgeRoot,
    properties: BadgeKey.allCases.filter(\.isReadable).compactMap(property)
  )

  private static func property(_ key: BadgeKey) -> Property<BadgeObject>? {
    guard let name = MemberName(key.propertyName), let signature = Signature(key.signature) else {
      return nil
    }
    let set: Property<BadgeObject>.Setter = { object, value throws(BusError) in
      try object.service.update(object.id, with: [(key.name, PropertyValue(value))])
    }
    return Property(
      name,
      signature,
      get: { object, writer in
        let service = object.service
        let badge = service.badge(object.id)
        let value = badge?.value(of: key, now: service.now, quiet: service.isQuiet)
        if let value { writer.append(value) }
      },
      set: key.isWritable ? set : nil
    )
  }
}

/// Badges as objects on the bus, and the manager's org.freedesktop.DBus.ObjectManager.
///
/// Objects are made on demand and take no memory. Their signals are sent together with the manager's
/// Changed and Removed, so at most once a frame, and only after a client has asked for the objects.
final class BadgeObjects {
  private unowned let service: BadgeService
  private let server: ObjectServer
  private let connection: Connection
  private var isFollowed = false

  /// The properties of all keys, in the order of the key table.
  private static let propertyNames = BadgeKey.allCases.map(\.propertyName)

  private static let objectManager = Interface<BadgeObjects>(
    "org.freedesktop.DBus.ObjectManager",
    methods: [
      Method(
        "GetManagedObjects",
        outputs: [Argument("objpath_interfaces_and_properties", "a{oa{sa{sv}}}")],
        isLongRead: true
      ) { objects, _, reply in objects.appendAll(to: &reply) }
    ],
    signals: [
      Signal(
        "InterfacesAdded",
        [Argument("object_path", "o"), Argument("interfaces_and_properties", "a{sa{sv}}")]
      ),
      Signal(
        "InterfacesRemoved",
        [Argument("object_path", "o"), Argument("interfaces", "as")]
      ),
    ]
  )

  init(service: BadgeService, server: ObjectServer, connection: Connection) {
    self.service = service
    self.server = server
    self.connection = connection
  }

  func export() {
    server.export(Self.objectManager, target: self, at: BadgeNames.manager)
    server.exportSubtree(
      at: BadgeNames.badgeObjects,
      interface: BadgeObject.interface,
      resolve: { [unowned service] element in
        guard let text = ObjectPath.unescapedElement(element), let id = try? BadgeID(text),
          // Other spellings of an id are not paths of the badge.
          id.rawValue == text, service.badge(id) != nil
        else { return nil }
        return BadgeObject(id: id, service: service)
      },
      children: { [unowned service] in
        service.flush()
        return service.badges.map { ObjectPath.escapedElement($0.id.rawValue) }
      }
    )
  }

  /// Handles the start of a call of org.freedesktop.DBus.Properties on the badge object at `path`.
  func propertiesCalled(at path: ObjectPath) {
    guard BadgeNames.badgeObjects.isAncestor(of: path) else { return }
    isFollowed = true
    guard let text = path.lastElement.flatMap({ ObjectPath.unescapedElement($0) }),
      let id = try? BadgeID(text)
    else { return }
    service.flush(id)
  }

  /// Sends InterfacesAdded or PropertiesChanged.
  func sendChanged(_ signal: ChangedSignal) {
    guard isFollowed, let path = ObjectPath(of: signal.id) else { return }
    guard signal.old != nil else {
      try? connection.send(
        signal: StandardNames.interfacesAdded,
        of: StandardNames.objectManager,
        from: BadgeNames.manager
      ) {
        $0.append(path)
        appendInterfaces(of: signal.id, to: &$0)
      }
      return
    }
    _ = try? server.sendPropertiesChanged(
      signal.keys.map { Self.propertyNames[Int($0.rawValue)] },
      of: BadgeObject.interface,
      target: BadgeObject(id: signal.id, service: service),
      at: path
    )
  }

  /// Sends InterfacesRemoved.
  func sendRemoved(_ signal: RemovedSignal) {
    guard isFollowed, let path = ObjectPath(of: signal.id) else { return }
    try? connection.send(
      signal: StandardNames.interfacesRemoved,
      of: StandardNames.objectManager,
      from: BadgeNames.manager
    ) {
      $0.append(path)
      $0.appendArray(of: .string) { $0.append(BadgeObject.interface.name.rawValue) }
    }
  }

  /// Writes all objects, as GetManagedObjects returns them.
  private func appendAll(to writer: inout MessageWriter) {
    isFollowed = true
    service.flush()
    writer.appendDictionary(key: .objectPath, value: .interfaces) { writer in
      for badge in service.badges {
        guard let path = ObjectPath(of: badge.id) else { continue }
        writer.appendEntry { writer in
          writer.append(path)
          appendInterfaces(of: badge.id, to: &writer)
        }
      }
    }
  }

  /// Writes the interfaces of a badge's object, a{sa{sv}}.
  private func appendInterfaces(of id: BadgeID, to writer: inout MessageWriter) {
    let object = BadgeObject(id: id, service: service)
    writer.appendDictionary(key: .string, value: .namedValues) { writer in
      writer.appendEntry(BadgeObject.interface.name.rawValue) { writer in
        writer.appendDictionary { BadgeObject.interface.appendProperties(of: object, to: &$0) }
      }
    }
  }
}

extension ObjectPath {
  fileprivate init?(of id: BadgeID) {
    let element = ObjectPath.escapedElement(id.rawValue)
    guard let path = BadgeNames.badgeObjects.appending(element) else { return nil }
    self = path
  }
}

extension Signature {
  fileprivate static let interfaces = Signature(constant: "a{sa{sv}}")
}

/// The names of the standard interface that the manager implements for these objects.
private enum StandardNames {
  static let objectManager = InterfaceName(constant: "org.freedesktop.DBus.ObjectManager")
  static let interfacesAdded = MemberName(constant: "InterfacesAdded")
  static let interfacesRemoved = MemberName(constant: "InterfacesRemoved")
}
