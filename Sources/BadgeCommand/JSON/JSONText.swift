// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// Writes JSON text (RFC 8259), one line, keys in the order they are appended.
///
/// A backslash is written as `\u005c`: Waybar rewrites every `\x` of a raw line, and the long form
/// means the same to every other reader.
struct JSONText {
  /// What has been written so far.
  private(set) var text = ""
  private var needsComma = false

  init() {}

  mutating func append(_ value: String) {
    separate()
    Self.appendQuoted(value, to: &text)
  }

  mutating func append(_ value: Bool) {
    separate()
    text += value ? "true" : "false"
  }

  mutating func append(_ value: Int64) {
    separate()
    text += String(value)
  }

  mutating func append(_ value: UInt64) {
    separate()
    text += String(value)
  }

  /// Appends a number; one that JSON cannot hold (NaN, infinity) becomes null.
  mutating func append(_ value: Double) {
    separate()
    text += value.isFinite ? decimal(value) : "null"
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
    Self.appendQuoted(name, to: &text)
    text += ":"
    needsComma = false
  }

  mutating func member(_ name: String, _ value: String) {
    key(name)
    append(value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    append(value)
  }

  mutating func member(_ name: String, _ value: Int64) {
    key(name)
    append(value)
  }

  mutating func member(_ name: String, _ value: UInt64) {
    key(name)
    append(value)
  }

  mutating func member(_ name: String, _ value: Double) {
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

  /// Appends a string in quotes, with everything escaped that JSON, a line reader or a terminal
  /// could take for more than text.
  static func appendQuoted(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\\", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        text += "\\u" + hexadecimal(scalar.value, width: 4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// The shortest decimal form: no fraction for a whole number.
func decimal(_ value: Double) -> String {
  if let whole = Int64(exactly: value), value.magnitude < 0x1p53 { return String(whole) }
  return value.description
}

/// Lower-case hexadecimal digits, padded with zeros.
func hexadecimal(_ value: UInt32, width: Int) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
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
