// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus

/// A badge as an object, for as long as it is asked for something.
struct BadgeObject {
  let id: BadgeID
  let service: BadgeService
}

/// The interface org.badged.Badges1.Badge: the key table as properties.
enum BadgeInterface {
  static let table = Interface<BadgeObject>(
    "org.badged.Badges1.Badge",
    properties: BadgeKey.allCases.filter(\.isReadable).compactMap(property)
  )

  /// The names of all keys' properties, in the order of the key table.
  static let propertyNames = BadgeKey.allCases.map(\.propertyName)

  private static func property(_ key: BadgeKey) -> Property<BadgeObject>? {
    guard let name = MemberName(key.propertyName), let signature = Signature(key.signature) else {
      return nil
    }
    let set: Property<BadgeObject>.Setter = { object, value throws(BusError) in
      try object.service.update(object.id, [(key.name, PropertyValue(value))])
    }
    return Property(
      name,
      signature,
      get: { object, writer in
        let service = object.service
        let badge = service.book[object.id]
        let value = badge?.value(of: key, now: service.now, quiet: service.book.isQuiet)
        if let value { writer.append(value) }
      },
      set: key.isWritable ? set : nil
    )
  }
}
