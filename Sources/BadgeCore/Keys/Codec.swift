// SPDX-License-Identifier: MIT

/// How values of one type are checked, read from a `PropertyValue` and written as one.
struct Codec<Value>: Sendable {
  let signature: String
  /// What is accepted, as it completes `is not` in an error.
  let expected: String
  /// The value; `nil` if the type or the value is wrong.
  let decode: @Sendable (PropertyValue) -> Value?
  let encode: @Sendable (Value) -> PropertyValue
}

extension Codec where Value == Bool {
  static let boolean = Codec(
    signature: "b",
    expected: "true or false",
    decode: { if case .boolean(let value) = $0 { value } else { nil } },
    encode: PropertyValue.boolean
  )
}

extension Codec where Value == Int64 {
  static let count = integer(
    BadgeCount.minimum...BadgeCount.maximum,
    expected: "a whole number within ±\(BadgeCount.maximum)"
  )

  static let processID = integer(
    0...Int64(Int32.max),
    signature: "u",
    expected: "a process id, or 0 for none"
  )

  static func integer(
    _ range: ClosedRange<Int64>,
    signature: String = "x",
    expected: String
  ) -> Codec {
    Codec(
      signature: signature,
      expected: expected,
      decode: { if case .integer(let value) = $0, range.contains(value) { value } else { nil } },
      encode: PropertyValue.integer
    )
  }
}

extension Codec {
  private static func text(
    expected: String,
    _ decode: @escaping @Sendable (String) -> Value?,
    _ encode: @escaping @Sendable (Value) -> String
  ) -> Codec {
    Codec(
      signature: "s",
      expected: expected,
      decode: { if case .string(let text) = $0 { decode(text) } else { nil } },
      encode: { .string(encode($0)) }
    )
  }
}

extension Codec where Value == String {
  /// Texts of at most so many bytes, without control characters.
  static func text(upTo limit: Int) -> Codec {
    text(
      expected: "a text of at most \(limit) bytes without control characters",
      { TextRules.isText($0, upTo: limit) ? $0 : nil },
      { $0 }
    )
  }
}

extension Codec where Value == BadgeColor {
  static let color = text(
    expected: "a colour; write #RGB, #RRGGBB or #RRGGBBAA",
    { BadgeColor($0) },
    { $0.description }
  )
}

extension Codec
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  static var name: Codec {
    text(
      expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "),
      { text in Value.allCases.first { ExactString($0.rawValue) == ExactString(text) } },
      { $0.rawValue }
    )
  }
}

extension Codec where Value == Void {
  static let dot = text(
    expected: "dot, the only kind that can be written",
    { ExactString($0) == ExactString(Badge.Kind.dot.rawValue) ? () : nil },
    { Badge.Kind.dot.rawValue }
  )
}

// Doubles may also be written as integers.
extension Codec where Value == Double {
  static let size = Codec(
    signature: "d",
    expected: "a finite number of 0 or above",
    decode: { $0.finiteNumber.flatMap { $0 >= 0 ? $0 : nil } },
    encode: PropertyValue.double
  )

  static let offset = Codec(
    signature: "d",
    expected: "a finite number",
    decode: \.finiteNumber,
    encode: PropertyValue.double
  )
}

extension Codec where Value == Double? {
  /// 0 to 1; any number below 0 means none, which reads −1.
  static let progress = Codec(
    signature: "d",
    expected: "a number from 0 to 1, or below 0 for none",
    decode: {
      guard let number = $0.finiteNumber, number <= 1 else { return nil }
      return .some(number < 0 ? nil : number)
    },
    encode: { .double($0 ?? -1) }
  )
}

extension Codec where Value == [SourceEntry] {
  /// Any dictionary from names; `BadgeUpdate` checks names and counts one by one.
  static let sources = Codec(
    signature: "a{sx}",
    expected: "a dictionary from source names to whole numbers within ±\(BadgeCount.maximum)",
    decode: { if case .sources(let entries) = $0 { entries } else { nil } },
    encode: PropertyValue.sources
  )
}

extension PropertyValue {
  /// A finite number of any type; −0 becomes 0.
  var finiteNumber: Double? {
    switch self {
    case .double(let value) where value.isFinite: value + 0
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    default: nil
    }
  }
}
