// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// Writes JSON text (RFC 8259), one line, keys in the order they are appended.
///
/// A backslash is written as `\u005c`: Waybar rewrites every `\x` of a raw line, and the long form
/// means the same to every other reader.
struct JSONText {
  /// The text so far.
  private(set) var text = ""
  private var needsComma = false

  init() {}

  mutating func append(_ value: some JSONScalar) {
    separate()
    text += value.json
  }

  mutating func appendNull() {
    separate()
    text += "null"
  }

  mutating func appendObject(_ body: (inout JSONText) -> Void) {
    open("{")
    body(&self)
    close("}")
  }

  mutating func appendArray(_ body: (inout JSONText) -> Void) {
    open("[")
    body(&self)
    close("]")
  }

  /// Appends a key; the value must follow.
  mutating func key(_ name: String) {
    separate()
    text += name.json + ":"
    needsComma = false
  }

  mutating func member(_ name: String, _ value: some JSONScalar) {
    key(name)
    append(value)
  }

  private mutating func open(_ bracket: String) {
    separate()
    text += bracket
    needsComma = false
  }

  private mutating func close(_ bracket: String) {
    text += bracket
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { text += "," }
    needsComma = true
  }
}

/// A value that JSON writes as one word.
protocol JSONScalar {
  var json: String { get }
}

extension Bool: JSONScalar { var json: String { String(self) } }
extension UInt32: JSONScalar { var json: String { String(self) } }
extension UInt64: JSONScalar { var json: String { String(self) } }
extension Int: JSONScalar { var json: String { String(self) } }
extension Int64: JSONScalar { var json: String { String(self) } }

extension Double: JSONScalar {
  /// What JSON cannot hold (NaN, infinity) becomes null.
  var json: String { isFinite ? decimal(self) : "null" }
}

extension String: JSONScalar {
  /// The string in quotes, with everything escaped that JSON, a line reader or a terminal would not
  /// take as text.
  var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\\", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        text += "\\u" + hexadecimal(scalar.value, width: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

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
      json.member("repeat", animation.plays)
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
