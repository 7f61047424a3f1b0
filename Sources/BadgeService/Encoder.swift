// SPDX-License-Identifier: MIT
internal import BadgeBus
internal import BadgeCore
internal import DBus

/// Encodes Changed and Removed as signals of the manager, and of the badge objects if anybody
/// follows those.
final class Encoder: SignalSink {
  private let connection: Connection
  private let log: Log
  private var hints: [AnimationHint: EncodedEntries] = [:]

  /// The badge objects, whose signals are sent together with the manager's.
  weak var objects: BadgeObjects?

  init(connection: Connection, log: Log) {
    self.connection = connection
    self.log = log
  }

  var unreadBytes: Int { connection.unreadByteCount }

  func send(_ signal: ChangedSignal) {
    let hint = entries(of: signal.hint)
    // A closed connection has no subscribers; the daemon is told by its event loop.
    try? connection.send(
      signal: BadgeNames.changed,
      of: BadgeNames.interface,
      from: BadgeNames.manager
    ) { writer in
      writer.append(signal.id.rawValue)
      writer.appendDictionary { writer in
        writer.appendEntries(of: signal.new, signal.keys, now: signal.now)
      }
      writer.appendDictionary { $0.append(hint) }
      writer.append(signal.revision)
    }
    objects?.sendChanged(signal)
    log.debug("changed '\(signal.id)': \(signal.new.summary); \(signal.hint.event)")
  }

  func send(_ signal: RemovedSignal) {
    let hint = entries(of: signal.hint)
    try? connection.send(
      signal: BadgeNames.removed,
      of: BadgeNames.interface,
      from: BadgeNames.manager
    ) { writer in
      writer.append(signal.id.rawValue)
      writer.append(signal.reason.rawValue)
      writer.appendDictionary { $0.append(hint) }
      writer.append(signal.revision)
    }
    objects?.sendRemoved(signal)
    log.debug("removed '\(signal.id)': \(signal.reason.rawValue)")
  }

  /// The entries of the hint's a{sv}, encoded once; there are a few dozen hints at most.
  private func entries(of hint: AnimationHint) -> EncodedEntries {
    if let entries = hints[hint] { return entries }
    let entries = MessageWriter.encodeEntries { writer in
      writer.appendEntry("event", variant: hint.event.rawValue)
      writer.appendEntry("direction", variant: hint.direction.rawValue)
      writer.appendEntries(of: hint.animation)
    }
    hints[hint] = entries
    return entries
  }
}

extension BadgeAppearance {
  /// The badge in a debug line.
  fileprivate var summary: String {
    "\(badge.kind) '\(badge.label)', \(isVisible ? "visible" : "hidden")"
  }
}

// MARK: - Badges

extension MessageWriter {
  /// Writes `kind`, `count`, `label`, `visible` and `urgent` of a badge, and those of `keys`, as the
  /// entries of an a{sv}.
  mutating func appendEntries(
    of appearance: BadgeAppearance,
    _ keys: BadgeKeySet = .readable,
    now: Int64
  ) {
    let badge = appearance.badge
    appendEntry("kind", variant: badge.kind.rawValue)
    appendEntry("count", variant: badge.count)
    appendEntry("label", variant: badge.label)
    appendEntry("visible", variant: appearance.isVisible)
    appendEntry("urgent", variant: badge.isUrgent)
    for key in keys where !BadgeKeySet.always.contains(key) {
      guard let value = badge.value(of: key, now: now, quiet: appearance.isQuiet) else { continue }
      appendEntry(key.name, variant: value)
    }
  }

  private mutating func appendEntry(_ key: String, variant value: PropertyValue) {
    switch value {
    case .boolean(let value): appendEntry(key, variant: value)
    case .integer(let value): appendEntry(key, variant: value)
    case .unsigned(let value): appendEntry(key, variant: value)
    case .double(let value): appendEntry(key, variant: value)
    case .string(let value): appendEntry(key, variant: value)
    case .sources(let entries):
      appendEntry(key) { $0.appendVariant(of: .counts) { $0.append(counts: entries) } }
    case .unsupported: break
    }
  }

  /// Writes the bare value of a key.
  mutating func append(_ value: PropertyValue) {
    switch value {
    case .boolean(let value): append(value)
    case .integer(let value): append(value)
    case .unsigned(let value): append(value)
    case .double(let value): append(value)
    case .string(let value): append(value)
    case .sources(let entries): append(counts: entries)
    case .unsupported: break
    }
  }

  private mutating func append(counts: [SourceEntry]) {
    appendDictionary(key: .string, value: Signature(.int64)) { writer in
      for entry in counts {
        guard case .integer(let count) = entry.value else { continue }
        writer.appendEntry {
          $0.append(entry.name)
          $0.append(count)
        }
      }
    }
  }
}

// MARK: - Animations

extension MessageWriter {
  /// Writes the catalogue, an a{sa{sv}}: every animation by name, as hints without event and
  /// direction.
  mutating func appendCatalogue() {
    appendDictionary(key: .string, value: .namedValues) { writer in
      for animation in AnimationName.allCases {
        writer.appendEntry(animation.rawValue) {
          $0.appendDictionary { $0.appendEntries(of: animation) }
        }
      }
    }
  }

  fileprivate mutating func appendEntries(of animation: AnimationName) {
    appendEntry("name", variant: animation.rawValue)
    guard let motion = animation.motion else { return }
    appendEntry("property", variant: motion.property.rawValue)
    appendEntry("keyframes") { writer in
      writer.appendVariant(of: .keyframes) { writer in
        writer.appendArray(of: .pair) { writer in
          for keyframe in motion.keyframes { writer.append([keyframe.offset, keyframe.value]) }
        }
      }
    }
    appendEntry("duration", variant: motion.duration)
    appendEntry("repeat", variant: motion.plays)
    switch motion.easing {
    case .linear: break
    case .bezier(let x1, let y1, let x2, let y2):
      appendEntry("timing") { $0.appendVariant(of: .quadruple) { $0.append([x1, y1, x2, y2]) } }
    case .spring(let damping, let velocity):
      appendEntry("spring") { $0.appendVariant(of: .pair) { $0.append([damping, velocity]) } }
    }
  }

  /// Writes a structure of numbers.
  private mutating func append(_ numbers: [Double]) {
    appendStructure { writer in
      for number in numbers { writer.append(number) }
    }
  }
}

extension Signature {
  fileprivate static let counts = Signature(constant: "a{sx}")
  fileprivate static let keyframes = Signature(constant: "a(dd)")
  fileprivate static let pair = Signature(constant: "(dd)")
  fileprivate static let quadruple = Signature(constant: "(dddd)")
}
