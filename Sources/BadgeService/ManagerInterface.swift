// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus
internal import EventLoop

/// The interface org.badged.Badges1 of the manager.
enum ManagerInterface {
  /// The one table behind dispatch, signature checks and introspection.
  static let table = Interface<BadgeService>(
    BadgeNames.root,
    methods: values + counting + updating + lifecycle + reading,
    properties: constants + totals + settings,
    signals: [
      Signal(BadgeNames.Signal.changed, [id, badge, animation, revision]),
      Signal(BadgeNames.Signal.removed, [id, Argument("reason", "s"), animation, revision]),
    ]
  )

  private static let id = Argument("id", "s")
  private static let source = Argument("source", "s")
  private static let count = Argument("count", "x")
  private static let text = Argument("text", "s")
  private static let changes = Argument("changes", "a{sv}")
  private static let key = Argument("key", "s")
  private static let value = Argument("value", "v")
  private static let badge = Argument("badge", "a{sv}")
  private static let animation = Argument("animation", "a{sv}")
  private static let revision = Argument("revision", "t")
  private static let step = [id, Argument("by", "x")]
  private static let sourceStep = [id, source, Argument("by", "x")]

  private static let values: [Method<BadgeService>] = [
    Method(BadgeNames.Method.set, inputs: [id, count]) { service, call, _ throws(BusError) in
      try service.setCount(of: call.reader.readID(), to: call.reader.readInt64())
    },
    Method(BadgeNames.Method.setText, inputs: [id, text]) { service, call, _ throws(BusError) in
      try service.setText(of: call.reader.readID(), to: call.reader.readString())
    },
    Method(BadgeNames.Method.setDot, inputs: [id]) { service, call, _ throws(BusError) in
      try service.setDot(of: call.reader.readID())
    },
    Method(BadgeNames.Method.setSource, inputs: [id, source, count]) {
      service,
      call,
      _ throws(BusError) in
      let id = try call.reader.readID()
      let source = try call.reader.readString()
      try service.setSource(source, of: id, to: call.reader.readInt64())
    },
  ]

  private static let counting: [Method<BadgeService>] = [
    Method(BadgeNames.Method.increment, inputs: step, outputs: [count]) {
      service,
      call,
      reply throws(BusError) in
      reply.append(try service.increment(call.reader.readID(), by: call.reader.readInt64()))
    },
    Method(BadgeNames.Method.decrement, inputs: step, outputs: [count]) {
      service,
      call,
      reply throws(BusError) in
      reply.append(try service.decrement(call.reader.readID(), by: call.reader.readInt64()))
    },
    Method(BadgeNames.Method.incrementSource, inputs: sourceStep, outputs: [count]) {
      service,
      call,
      reply throws(BusError) in
      let id = try call.reader.readID()
      let source = try call.reader.readString()
      let amount = try call.reader.readInt64()
      reply.append(try service.incrementSource(source, of: id, by: amount))
    },
    Method(BadgeNames.Method.decrementSource, inputs: sourceStep, outputs: [count]) {
      service,
      call,
      reply throws(BusError) in
      let id = try call.reader.readID()
      let source = try call.reader.readString()
      let amount = try call.reader.readInt64()
      reply.append(try service.decrementSource(source, of: id, by: amount))
    },
  ]

  private static let updating: [Method<BadgeService>] = [
    Method(BadgeNames.Method.update, inputs: [id, changes]) { service, call, _ throws(BusError) in
      try service.update(call.reader.readID(), with: call.reader.readChanges())
    },
    Method(BadgeNames.Method.setProperty, inputs: [id, key, value]) {
      service,
      call,
      _ throws(BusError) in
      let id = try call.reader.readID()
      let key = try call.reader.readString()
      let value = try call.reader.readVariant(parts: MessageReader.valueParts)
      try service.update(id, with: [(key, PropertyValue(value))])
    },
  ]

  private static let lifecycle: [Method<BadgeService>] = [
    Method(BadgeNames.Method.clear, inputs: [id]) { service, call, _ throws(BusError) in
      try service.clear(call.reader.readID())
    },
    Method(BadgeNames.Method.remove, inputs: [id]) { service, call, _ throws(BusError) in
      try service.remove(call.reader.readID())
    },
    Method(BadgeNames.Method.removeAll, outputs: [Argument("removed", "u")]) { service, _, reply in
      reply.append(UInt32(clamping: service.removeAll()))
    },
    Method(BadgeNames.Method.dismiss, inputs: [id]) { service, call, _ throws(BusError) in
      try service.dismiss(call.reader.readID())
    },
    Method(BadgeNames.Method.acknowledge, inputs: [id]) { service, call, _ throws(BusError) in
      try service.acknowledge(call.reader.readID())
    },
  ]

  private static let reading: [Method<BadgeService>] = [
    Method(BadgeNames.Method.get, inputs: [id], outputs: [badge]) {
      service,
      call,
      reply throws(BusError) in
      let appearance = try service.read(call.reader.readID())
      reply.appendDictionary { $0.appendEntries(of: appearance, now: service.now) }
    },
    Method(
      BadgeNames.Method.list,
      outputs: [revision, Argument("badges", "a{sa{sv}}")],
      isLongRead: true
    ) { service, _, reply in
      service.flush()
      reply.append(service.revision)
      reply.appendDictionary(key: .string, value: .namedValues) { writer in
        let (now, isQuiet) = (service.now, service.isQuiet)
        for badge in service.badges {
          let appearance = BadgeAppearance(badge: badge, isQuiet: isQuiet)
          writer.appendEntry(badge.id.rawValue) { writer in
            writer.appendDictionary { $0.appendEntries(of: appearance, now: now) }
          }
        }
      }
    },
  ]

  private static let constants: [Property<BadgeService>] = [
    Property("Version", "s", emits: .const) { _, writer in writer.append(BadgedVersion.current) },
    Property("Catalogue", "a{sa{sv}}", emits: .const) { _, writer in writer.appendCatalogue() },
    Property("Started", "t", emits: .const) { service, writer in writer.append(service.startTime) },
    Property("StatePath", "s", emits: .const) { service, writer in
      writer.append(service.statePath)
    },
  ]

  private static let totals: [Property<BadgeService>] = [
    Property("Total", "x") { service, writer in writer.append(service.state.total) },
    Property("Visible", "u") { service, writer in
      writer.append(UInt32(clamping: service.state.visible))
    },
    Property("Revision", "t", emits: .false) { service, writer in writer.append(service.revision) },
    Property("Durable", "b") { service, writer in writer.append(service.state.durable) },
  ]

  private static let settings: [Property<BadgeService>] = [
    Property(
      "Animations",
      "b",
      get: { service, writer in writer.append(service.state.animations) },
      set: { service, value throws(BusError) in
        service.setAnimations(try value.boolean(for: "Animations"))
      }
    ),
    Property("Animating", "b") { service, writer in writer.append(service.state.animating) },
    Property(
      "Quiet",
      "b",
      get: { service, writer in writer.append(service.state.quiet) },
      set: { service, value throws(BusError) in
        service.setQuiet(try value.boolean(for: "Quiet"))
      }
    ),
    Property(
      "QuietUntil",
      "t",
      get: { service, writer in writer.append(service.state.quietUntil) },
      set: { service, value throws(BusError) in
        service.setQuiet(until: try value.futureTime(for: "QuietUntil"))
      }
    ),
  ]
}

extension MessageReader {
  /// The most parts of a value in an Update; a source counts for two, its name and its count.
  static let valueParts = 1_024

  fileprivate mutating func readID() throws(BusError) -> BadgeID {
    let text = try readString()
    do throws(BadgeError) { return try BadgeID(text) } catch { throw BusError(error) }
  }

  /// Reads the argument of Update, an a{sv}.
  mutating func readChanges() throws(BusError) -> [(String, PropertyValue)] {
    var changes: [(String, PropertyValue)] = []
    try readDictionary { key, reader throws(BusError) in
      let value = try reader.readVariant(parts: Self.valueParts)
      changes.append((key, PropertyValue(value)))
      // More keys than there are: one is unknown or given twice, and is reported later.
      guard changes.count <= BadgeKey.allCases.count else {
        throw BusError(.invalidKey(key, reason: "is one key too many"))
      }
    }
    return changes
  }
}

extension Value {
  /// The value of a property that takes true or false.
  fileprivate func boolean(for property: String) throws(BusError) -> Bool {
    if case .boolean(let value) = self { return value }
    throw invalid(for: property, expected: "true or false")
  }

  /// The value of a property that takes a time to come in seconds since the epoch, or 0.
  fileprivate func futureTime(for property: String) throws(BusError) -> UInt64 {
    // What `integer` can't hold, no clock reaches and no file stores.
    if case .integer(let seconds) = PropertyValue(self), let time = UInt64(exactly: seconds),
      time == 0 || time > WallClock.seconds()
    {
      return time
    }
    throw invalid(for: property, expected: "a time to come, in seconds since the epoch, or 0")
  }

  private func invalid(for property: String, expected: String) -> BusError {
    BusError(.invalidValue(key: property, value: PropertyValue(self), expected: expected))
  }
}

// MARK: - PropertiesChanged

/// The properties of the manager that change, together.
struct ManagerState: Equatable {
  var total: Int64
  var visible: Int
  var animations: Bool
  var animating: Bool
  var quiet: Bool
  var quietUntil: UInt64
  var durable: Bool

  /// The names of the properties that differ.
  func changes(from old: ManagerState) -> [String] {
    var names: [String] = []
    if total != old.total { names.append("Total") }
    if visible != old.visible { names.append("Visible") }
    if animations != old.animations { names.append("Animations") }
    if animating != old.animating { names.append("Animating") }
    if quiet != old.quiet { names.append("Quiet") }
    if quietUntil != old.quietUntil { names.append("QuietUntil") }
    if durable != old.durable { names.append("Durable") }
    return names
  }
}

/// Decides when the manager's PropertiesChanged is sent: from the first Properties call on it, at
/// most once a frame, and only for what changed.
struct ManagerSignals {
  private var announced: ManagerState?
  private var sentAt = Int64.min / 2

  /// Whether a client has asked for the properties.
  var isFollowed: Bool { announced != nil }

  /// Starts sending changes from `state`, which a client is about to read.
  mutating func follow(_ state: ManagerState) {
    if announced == nil { announced = state }
  }

  /// Sends what changed by `send`, if a signal may be sent at `now`.
  ///
  /// - Returns: When to call this again, if something still waits.
  mutating func publish(
    _ state: ManagerState,
    at now: Instant,
    send: ([String]) -> Void
  ) -> Instant? {
    guard let announced, announced != state else { return nil }
    let due = sentAt + Publisher.frame
    guard due <= now.nanoseconds else { return Instant(nanoseconds: due) }
    sentAt = now.nanoseconds
    self.announced = state
    send(state.changes(from: announced))
    return nil
  }
}
