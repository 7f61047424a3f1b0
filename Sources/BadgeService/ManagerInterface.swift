// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import BadgeStore
internal import DBus

/// The interface org.badged.Badges1 of the manager.
enum ManagerInterface {
  /// The one table from which dispatch, checks and introspection come.
  static let table = Interface<BadgeService>(
    "org.badged.Badges1",
    methods: values + properties + lifecycle + reading,
    properties: constants + sums + settings,
    signals: [
      Signal(
        "Changed",
        [
          Argument("id", "s"), Argument("badge", "a{sv}"), Argument("animation", "a{sv}"),
          Argument("revision", "t"),
        ]
      ),
      Signal(
        "Removed",
        [
          Argument("id", "s"), Argument("reason", "s"), Argument("animation", "a{sv}"),
          Argument("revision", "t"),
        ]
      ),
    ]
  )

  private static let id = Argument("id", "s")
  private static let source = Argument("source", "s")
  private static let count = Argument("count", "x")
  private static let amount = Argument("by", "x")

  private static let values: [Method<BadgeService>] = [
    Method("Set", inputs: [id, count]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      let count = try call.reader.readInt64()
      try service.apply(id) { book throws(BadgeError) in try book.setCount(count, for: id) }
    },
    Method("SetText", inputs: [id, Argument("text", "s")]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      let text = try call.reader.readString()
      try service.apply(id) { book throws(BadgeError) in try book.setText(text, for: id) }
    },
    Method("SetDot", inputs: [id]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      try service.apply(id) { book throws(BadgeError) in try book.setDot(for: id) }
    },
    Method("SetSource", inputs: [id, source, count]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      let source = try call.reader.readString()
      let count = try call.reader.readInt64()
      try service.apply(id) { book throws(BadgeError) in
        try book.setSource(source, to: count, for: id)
      }
    },
    step("Increment", [id, amount]) { book, id, _, amount throws(BadgeError) in
      try book.increment(id, by: amount)
    },
    step("Decrement", [id, amount]) { book, id, _, amount throws(BadgeError) in
      try book.decrement(id, by: amount)
    },
    step("IncrementSource", [id, source, amount]) { book, id, source, amount throws(BadgeError) in
      try book.incrementSource(source, of: id, by: amount)
    },
    step("DecrementSource", [id, source, amount]) { book, id, source, amount throws(BadgeError) in
      try book.decrementSource(source, of: id, by: amount)
    },
  ]

  /// Counts on in a book: of a badge, its source where there is an argument for it, and how far.
  private typealias Step =
    @Sendable (inout BadgeBook, BadgeID, String, Int64) throws(BadgeError) -> (
      count: Int64, change: Change
    )

  /// A method that counts on and returns the badge's count.
  private static func step(
    _ name: StaticString,
    _ inputs: [Argument],
    _ body: @escaping Step
  ) -> Method<BadgeService> {
    let hasSource = inputs.count == 3
    return Method(name, inputs: inputs, outputs: [count]) { service, call, reply throws(BusError) in
      let id = try call.readID()
      let source = hasSource ? try call.reader.readString() : ""
      let amount = try call.reader.readInt64()
      reply.append(
        try service.count(id) { book throws(BadgeError) in try body(&book, id, source, amount) }
      )
    }
  }

  private static let properties: [Method<BadgeService>] = [
    Method("Update", inputs: [id, Argument("changes", "a{sv}")]) {
      service,
      call,
      _ throws(BusError) in
      let id = try call.readID()
      var changes: [(String, PropertyValue)] = []
      try call.reader.readDictionary { key, reader throws(BusError) in
        let value = try reader.readVariant(parts: ServiceLimits.valueParts)
        changes.append((key, PropertyValue(value)))
        // One of so many is unknown or there twice, and will be named.
        guard changes.count <= BadgeKey.allCases.count else {
          throw BusError(.invalidKey(key, reason: "is one key too many"))
        }
      }
      try service.update(id, changes)
    },
    Method("SetProperty", inputs: [id, Argument("key", "s"), Argument("value", "v")]) {
      service,
      call,
      _ throws(BusError) in
      let id = try call.readID()
      let key = try call.reader.readString()
      let value = try call.reader.readVariant(parts: ServiceLimits.valueParts)
      try service.update(id, [(key, PropertyValue(value))])
    },
  ]

  private static let lifecycle: [Method<BadgeService>] = [
    Method("Clear", inputs: [id]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      try service.apply(id) { $0.clear(id) }
    },
    Method("Remove", inputs: [id]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      try service.apply(id) { book throws(BadgeError) in try book.remove(id) }
    },
    Method("RemoveAll", outputs: [Argument("removed", "u")]) { service, _, reply in
      reply.append(UInt32(clamping: service.removeAll()))
    },
    Method("Dismiss", inputs: [id]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      try service.apply(id) { book throws(BadgeError) in try book.dismiss(id) }
    },
    Method("Acknowledge", inputs: [id]) { service, call, _ throws(BusError) in
      let id = try call.readID()
      try service.apply(id) { $0.acknowledge(id) }
    },
  ]

  private static let reading: [Method<BadgeService>] = [
    Method("Get", inputs: [id], outputs: [Argument("badge", "a{sv}")]) {
      service,
      call,
      reply throws(BusError) in
      let appearance = try service.read(try call.readID())
      reply.appendDictionary { $0.appendEntries(of: appearance, now: service.now) }
    },
    Method(
      "List",
      outputs: [Argument("revision", "t"), Argument("badges", "a{sa{sv}}")],
      isLongRead: true
    ) {
      service,
      _,
      reply in
      service.flush()
      reply.append(service.publisher.revision)
      reply.appendDictionary(key: .string, value: .namedValues) { writer in
        let now = service.now
        for badge in service.book.badges {
          let appearance = Appearance(badge: badge, isQuiet: service.book.isQuiet)
          writer.appendEntry(badge.id.rawValue) { writer in
            writer.appendDictionary { $0.appendEntries(of: appearance, now: now) }
          }
        }
      }
    },
  ]

  private static let constants: [Property<BadgeService>] = [
    Property("Version", "s", emits: .const) { _, writer in writer.append(Version.current) },
    Property("Catalogue", "a{sa{sv}}", emits: .const) { _, writer in
      HintEncoder.appendCatalogue(to: &writer)
    },
    Property("Started", "t", emits: .const) { service, writer in writer.append(service.started) },
    Property("StatePath", "s", emits: .const) { service, writer in
      writer.append(service.journal.path)
    },
  ]

  private static let sums: [Property<BadgeService>] = [
    Property("Total", "x") { service, writer in writer.append(service.publisher.signalled.total) },
    Property("Visible", "u") { service, writer in
      writer.append(UInt32(clamping: service.publisher.signalled.visible))
    },
    Property("Revision", "t", emits: .false) { service, writer in
      writer.append(service.publisher.revision)
    },
    Property("Durable", "b") { service, writer in writer.append(service.journal.isDurable) },
  ]

  private static let settings: [Property<BadgeService>] = [
    Property(
      "Animations",
      "b",
      get: { service, writer in writer.append(service.journal.settings.animations) },
      set: { service, value throws(BusError) in
        service.setAnimations(try value.boolean(for: "Animations"))
      }
    ),
    Property("Animating", "b") { service, writer in writer.append(service.publisher.animating) },
    Property(
      "Quiet",
      "b",
      get: { service, writer in writer.append(service.journal.settings.quiet) },
      set: { service, value throws(BusError) in
        service.setQuiet(try value.boolean(for: "Quiet"))
      }
    ),
    Property(
      "QuietUntil",
      "t",
      get: { service, writer in writer.append(service.journal.settings.quietUntil) },
      set: { service, value throws(BusError) in
        try service.setQuietUntil(value)
      }
    ),
  ]
}

extension MethodCallContext {
  /// Reads an argument that is the id of a badge.
  mutating func readID() throws(BusError) -> BadgeID {
    let text = try reader.readString()
    do throws(BadgeError) { return try BadgeID(text) } catch { throw BusError(error) }
  }
}

extension Value {
  /// The value of a property that takes true or false.
  fileprivate func boolean(for property: String) throws(BusError) -> Bool {
    guard case .boolean(let value) = self else {
      throw BusError(
        .invalidValue(key: property, value: PropertyValue(self), expected: "true or false")
      )
    }
    return value
  }
}
