// SPDX-License-Identifier: MIT
import DBus

/// How to play one change of a badge, without knowing the animation's name.
public struct BadgeAnimation: Hashable, Sendable {
  /// The animated property's value at one moment of a play.
  public struct Keyframe: Hashable, Sendable {
    /// The moment: 0 is the start of a play, 1 its end.
    public var offset: Double
    /// The property's value at that moment.
    public var value: Double

    /// Makes a keyframe.
    public init(offset: Double, value: Double) {
      self.offset = offset
      self.value = value
    }
  }

  /// What happened: `disappear`, `calm`, `attention`, `appear`, `change` or `none`.
  public var event = "none"
  /// The animation's name in the catalogue; `none` if nothing is to be played.
  public var name = "none"
  /// Which way the number changed: `up`, `down` or `none`.
  public var direction = "none"
  /// The animated property: `scale` (a factor), `rotation` (degrees), `opacity` (0 to 1) or
  /// `translate-y` (pixels); empty if there is none.
  public var property = ""
  /// The property's values, sorted by offset.
  public var keyframes: [Keyframe] = []
  /// The length of one play, in seconds.
  public var duration = 0.0
  /// How many plays; 0 means until the badge is no longer urgent, is hidden, or gets another hint.
  public var plays: UInt32 = 1
  /// The control points of a CSS `cubic-bezier` over the whole play; nil means linear or a spring.
  public var timing: [Double]?
  /// Damping ratio and initial velocity of a spring, in place of `timing`.
  public var spring: [Double]?

  /// A hint to play nothing.
  public init() {}

  /// Reads the `a{sv}` of a signal, and ignores unknown members.
  init(_ reader: inout MessageReader) throws(BusError) {
    try reader.readDictionary { key, value throws(BusError) in
      set(key, to: try value.readVariant())
    }
  }

  private mutating func set(_ key: String, to value: Value) {
    switch (key, value) {
    case ("event", .string(let text)): event = text
    case ("name", .string(let text)): name = text
    case ("direction", .string(let text)): direction = text
    case ("property", .string(let text)): property = text
    case ("duration", .double(let number)): duration = number
    case ("repeat", .uint32(let number)): plays = number
    case ("keyframes", .array(_, let elements)):
      keyframes = elements.compactMap { element in
        guard let pair = Self.numbers(element), pair.count == 2 else { return nil }
        return Keyframe(offset: pair[0], value: pair[1])
      }
    case ("timing", .structure): timing = Self.numbers(value)
    case ("spring", .structure): spring = Self.numbers(value)
    default: break
    }
  }

  private static func numbers(_ value: Value) -> [Double]? {
    guard case .structure(let members) = value else { return nil }
    var numbers: [Double] = []
    for member in members {
      guard case .double(let number) = member else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
