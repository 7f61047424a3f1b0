// SPDX-License-Identifier: MIT
import DBus

/// How to play one change of a badge, complete enough without knowing the animation's name.
public struct BadgeAnimation: Hashable, Sendable {
  /// A value at a point of the play.
  public struct Keyframe: Hashable, Sendable {
    /// When: 0 is the start of a play, 1 its end.
    public var offset: Double
    /// What the property is then.
    public var value: Double

    /// Makes a keyframe.
    public init(offset: Double, value: Double) {
      self.offset = offset
      self.value = value
    }
  }

  /// What happened: `disappear`, `calm`, `attention`, `appear`, `change` or `none`.
  public var event = "none"
  /// The name in the catalogue; `none` where nothing is to be played.
  public var name = "none"
  /// Where the number went: `up`, `down` or `none`.
  public var direction = "none"
  /// What moves: `scale` (a factor), `rotation` (degrees), `opacity` (0 to 1) or `translate-y`
  /// (pixels); empty where nothing does.
  public var property = ""
  /// Its values, in order of their offsets.
  public var keyframes: [Keyframe] = []
  /// Seconds for one play.
  public var duration = 0.0
  /// How many plays; 0 is until the badge is calmed or hidden, or a hint names another animation.
  public var plays: UInt32 = 1
  /// The control points of a CSS `cubic-bezier` over the whole play; nil is linear, or a spring.
  public var timing: [Double]?
  /// Damping ratio and initial velocity of a spring, in place of `timing`.
  public var spring: [Double]?

  /// The hint that nothing is to be played.
  public init() {}

  /// Reads the next value, the `a{sv}` of a signal; what it does not know, it leaves out.
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
