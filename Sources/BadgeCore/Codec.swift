// SPDX-License-Identifier: MIT

/// How values of one type are checked, read from a `PropertyValue` and written as one.
struct Codec<Value>: Sendable {
  let signature: String
  /// What is taken, as it reads after `is not`.
  let expected: String
  /// The value, or `nil` where the type or the value is wrong.
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
  /// Whole numbers of a range.
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

extension Codec where Value == String {
  /// Texts of so many bytes at most, without control characters.
  static func text(upTo limit: Int) -> Codec {
    Codec(
      signature: "s",
      expected: "a text of at most \(limit) bytes without control characters",
      decode: {
        if case .string(let text) = $0, TextRules.isText(text, upTo: limit) { text } else { nil }
      },
      encode: PropertyValue.string
    )
  }
}

extension Codec where Value == Double {
  /// Finite numbers, written as a double or as an integer, of 0 or above.
  static let size = number(expected: "a finite number of 0 or above") { $0 >= 0 }

  /// Finite numbers, written as a double or as an integer.
  static let offset = number(expected: "a finite number") { _ in true }

  private static func number(
    expected: String,
    where isValid: @escaping @Sendable (Double) -> Bool
  ) -> Codec {
    Codec(
      signature: "d",
      expected: expected,
      decode: { $0.finiteNumber.flatMap { isValid($0) ? $0 : nil } },
      encode: PropertyValue.double
    )
  }
}

extension Codec where Value == Double? {
  /// 0 to 1; anything below 0 is none, which reads −1.
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

extension Codec where Value == Color {
  static let color = Codec(
    signature: "s",
    expected: "a colour; write #RGB, #RRGGBB or #RRGGBBAA",
    decode: { if case .string(let text) = $0 { Color(text) } else { nil } },
    encode: { .string($0.description) }
  )
}

extension Codec
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of a closed set of names.
  static var name: Codec {
    Codec(
      signature: "s",
      expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "),
      decode: { value in
        Value.allCases.first { value == .string($0.rawValue) }
      },
      encode: { .string($0.rawValue) }
    )
  }
}

extension PropertyValue {
  /// A finite number of either kind; −0 is 0.
  var finiteNumber: Double? {
    switch self {
    case .double(let value) where value.isFinite: value + 0
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    default: nil
    }
  }
}
