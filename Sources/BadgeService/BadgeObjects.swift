// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus
internal import EventLoop

/// Badges as objects of the bus, and the manager's org.freedesktop.DBus.ObjectManager.
///
/// Nothing is kept for them: an object is made up when it is asked for. Its signals are sent with
/// the manager's Changed and Removed, so at most once a frame, and only once somebody asked for the
/// objects.
final class BadgeObjects {
  private unowned let service: BadgeService
  private let server: ObjectServer
  private let connection: BusConnection

  /// Whether somebody follows the objects.
  private(set) var isFollowed = false

  init(service: BadgeService, server: ObjectServer, connection: BusConnection) {
    self.service = service
    self.server = server
    self.connection = connection
  }

  /// Serves the objects.
  func export() {
    server.export(ObjectManagerInterface.table, target: self, at: .manager)
    server.exportSubtree(
      at: .badgeObjects,
      interface: BadgeInterface.table,
      resolve: { [unowned service] element in
        guard let text = ObjectPath.unescapedElement(element), let id = try? BadgeID(text),
          // An id has one path: that of its own spelling.
          id.rawValue == text, service.book[id] != nil
        else { return nil }
        return BadgeObject(id: id, service: service)
      },
      children: { [unowned service] in
        service.flush()
        return service.book.badges.map { ObjectPath.escapedElement($0.id.rawValue) }
      }
    )
  }

  /// Notes a call of org.freedesktop.DBus.Properties on a badge's object.
  func propertiesCalled(at path: ObjectPath) {
    guard ObjectPath.badgeObjects.isAncestor(of: path) else { return }
    isFollowed = true
    guard let text = path.lastElement.flatMap({ ObjectPath.unescapedElement($0) }),
      let id = try? BadgeID(text)
    else { return }
    service.flush(id)
  }

  /// Writes all objects, as GetManagedObjects returns them.
  func appendAll(to writer: inout MessageWriter) {
    isFollowed = true
    service.flush()
    writer.appendDictionary(key: .objectPath, value: .interfaces) { writer in
      for badge in service.book.badges {
        guard let path = ObjectPath(of: badge.id) else { continue }
        writer.appendEntry { writer in
          writer.append(path)
          appendInterfaces(of: badge.id, to: &writer)
        }
      }
    }
  }

  /// Tells those who follow the objects of a badge that is new or differs.
  func changed(_ notice: ChangedNotice) {
    guard isFollowed, let path = ObjectPath(of: notice.id) else { return }
    guard notice.old != nil else {
      try? connection.send(signal: .interfacesAdded, of: .objectManager, from: .manager) {
        $0.append(path)
        appendInterfaces(of: notice.id, to: &$0)
      }
      return
    }
    let names = notice.keys.map { BadgeInterface.propertyNames[Int($0.rawValue)] }
    let object = BadgeObject(id: notice.id, service: service)
    _ = try? server.sendPropertiesChanged(
      names,
      of: BadgeInterface.table,
      target: object,
      at: path
    )
  }

  /// Tells those who follow the objects of a badge that is gone.
  func removed(_ notice: RemovedNotice) {
    guard isFollowed, let path = ObjectPath(of: notice.id) else { return }
    try? connection.send(signal: .interfacesRemoved, of: .objectManager, from: .manager) {
      $0.append(path)
      $0.appendArray(of: .string) { $0.append(BadgeInterface.table.name.rawValue) }
    }
  }

  /// Writes the interfaces of a badge's object, a{sa{sv}}.
  private func appendInterfaces(of id: BadgeID, to writer: inout MessageWriter) {
    let object = BadgeObject(id: id, service: service)
    writer.appendDictionary(key: .string, value: .namedValues) { writer in
      writer.appendEntry(BadgeInterface.table.name.rawValue) { writer in
        writer.appendDictionary { BadgeInterface.table.appendProperties(of: object, to: &$0) }
      }
    }
  }
}

extension ObjectPath {
  /// Where the badge `id` is an object.
  fileprivate init?(of id: BadgeID) {
    let element = ObjectPath.escapedElement(id.rawValue)
    guard let path = ObjectPath.badgeObjects.appending(element) else { return nil }
    self = path
  }
}

extension Signature {
  /// Interfaces by name and their properties, `a{sa{sv}}`.
  static let interfaces = Signature(constant: "a{sa{sv}}")
}

extension InterfaceName {
  fileprivate static let objectManager = ObjectManagerInterface.table.name
}

extension MemberName {
  fileprivate static let interfacesAdded = MemberName(constant: "InterfacesAdded")
  fileprivate static let interfacesRemoved = MemberName(constant: "InterfacesRemoved")
}
