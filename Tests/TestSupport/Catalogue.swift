// SPDX-License-Identifier: MIT
public import DBus

/// The animation catalogue, written down independently of the sources.
public enum Catalogue {
  /// The hints by animation name, without event and direction.
  public static let entries: [String: [String: Value]] = [
    "none": ["name": .string("none")],
    "bounce": motion(
      "bounce",
      "scale",
      [(0, 1.5), (1, 1)],
      0.2,
      1,
      timing: [0.4, 1.3, 1, 1]
    ),
    "shrink": motion(
      "shrink",
      "scale",
      [(0, 1), (1, 0)],
      0.2,
      1,
      timing: [0.42, 0, 0.58, 1]
    ),
    "spring": motion("spring", "scale", [(0, 0.1), (1, 1)], 0.5, 1, spring: [0.5, 0.5]),
    "shake": motion("shake", "rotation", [(0, -5), (0.5, 5), (1, -5)], 0.25, 0),
    "pop": motion(
      "pop",
      "scale",
      [(0, 1), (0.143, 0.85), (0.714, 1.05), (0.857, 0.95), (1, 1)],
      0.35,
      1
    ),
    "bump": motion(
      "bump",
      "translate-y",
      [(0, 0), (0.283, -8), (0.565, 0), (0.783, -4), (1, 0)],
      0.46,
      1
    ),
    "blink": motion(
      "blink",
      "opacity",
      [(0, 0.1), (1.0 / 3, 1), (2.0 / 3, 0.1), (1, 1)],
      0.3,
      1
    ),
    "breathe": motion("breathe", "opacity", [(0, 1), (0.5, 0.1), (1, 1)], 2.8, 0),
  ]

  /// A hint as a signal carries it, with event and direction.
  public static func hint(_ event: String, _ name: String, _ direction: String) -> [String: Value] {
    var hint = entries[name] ?? [:]
    hint["event"] = .string(event)
    hint["direction"] = .string(direction)
    return hint
  }

  private static func motion(
    _ name: String,
    _ property: String,
    _ keyframes: [(Double, Double)],
    _ duration: Double,
    _ plays: UInt32,
    timing: [Double] = [],
    spring: [Double] = []
  ) -> [String: Value] {
    var entries: [String: Value] = [
      "name": .string(name), "property": .string(property),
      "keyframes": .array(
        Signature(constant: "(dd)"),
        keyframes.map { .structure([.double($0.0), .double($0.1)]) }
      ),
      "duration": .double(duration), "repeat": .uint32(plays),
    ]
    if !timing.isEmpty { entries["timing"] = .structure(timing.map { .double($0) }) }
    if !spring.isEmpty { entries["spring"] = .structure(spring.map { .double($0) }) }
    return entries
  }
}

extension Value {
  /// The entries of a dictionary with string keys, without their variants; empty for other values.
  public var entries: [String: Value] {
    guard case .dictionary(_, _, let list) = self else { return [:] }
    var entries: [String: Value] = [:]
    for entry in list {
      guard case .string(let key) = entry.key else { continue }
      if case .variant(let value) = entry.value {
        entries[key] = value
      } else {
        entries[key] = entry.value
      }
    }
    return entries
  }
}
