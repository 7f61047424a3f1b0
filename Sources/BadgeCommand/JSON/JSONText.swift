// SPDX-License-Identifier: MIT

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
