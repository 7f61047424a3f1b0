// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

extension JSONText {
  /// Appends a badge: `id` and every key that can be read, in the order of the key table.
  mutating func append(_ badge: BadgeState) {
    appendObject { json in
      json.member("id", badge.id.rawValue)
      for key in BadgeKey.allCases where key.isReadable {
        guard let value = badge[key] else { continue }
        json.key(key.name)
        json.append(value)
      }
    }
  }

  mutating func append(_ value: PropertyValue) {
    switch value {
    case .boolean(let value): append(value)
    case .integer(let value): append(value)
    case .unsigned(let value): append(value)
    case .double(let value): append(value)
    case .string(let value): append(value)
    case .sources(let entries):
      appendObject { json in
        for entry in entries {
          json.key(entry.name)
          json.append(entry.value)
        }
      }
    case .unsupported: appendNull()
    }
  }

  /// Appends an animation hint as the bus carries it.
  mutating func append(_ animation: BadgeAnimation) {
    appendObject { json in
      json.member("event", animation.event)
      json.member("name", animation.name)
      json.member("direction", animation.direction)
      guard !animation.keyframes.isEmpty else { return }
      json.member("property", animation.property)
      json.key("keyframes")
      json.appendArray { json in
        for frame in animation.keyframes { json.append(numbers: [frame.offset, frame.value]) }
      }
      json.member("duration", animation.duration)
      json.member("repeat", Int64(animation.plays))
      if let timing = animation.timing {
        json.key("timing")
        json.append(numbers: timing)
      }
      if let spring = animation.spring {
        json.key("spring")
        json.append(numbers: spring)
      }
    }
  }

  private mutating func append(numbers: [Double]) {
    appendArray { json in for number in numbers { json.append(number) } }
  }
}
