// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

/// Badges as the daemon would tell of them.
enum Sample {
  static func id(_ text: String) throws -> BadgeID { try BadgeID(text) }

  /// A visible number, or a hidden zero.
  static func number(
    _ id: String,
    _ count: Int64,
    _ more: [BadgeKey: PropertyValue] = [:]
  ) throws -> BadgeState {
    try badge(
      id,
      [
        .kind: .string("number"), .count: .integer(count), .label: .string(String(count)),
        .visible: .boolean(count > 0),
      ],
      more
    )
  }

  static func text(_ id: String, _ text: String, _ more: [BadgeKey: PropertyValue] = [:]) throws
    -> BadgeState
  {
    try badge(
      id,
      [
        .kind: .string("text"), .text: .string(text), .label: .string(text),
        .visible: .boolean(true),
      ],
      more
    )
  }

  static func dot(_ id: String, _ more: [BadgeKey: PropertyValue] = [:]) throws -> BadgeState {
    try badge(id, [.kind: .string("dot"), .visible: .boolean(true)], more)
  }

  private static func badge(
    _ id: String,
    _ values: [BadgeKey: PropertyValue],
    _ more: [BadgeKey: PropertyValue]
  ) throws -> BadgeState {
    BadgeState(
      id: try BadgeID(id),
      values.merging([.origin: .string("native")]) { $1 }.merging(more) { $1 }
    )
  }

  static func animation(_ event: String, _ name: String) -> BadgeAnimation {
    var animation = BadgeAnimation()
    (animation.event, animation.name) = (event, name)
    return animation
  }
}
