// SPDX-License-Identifier: MIT

/// A style by name, which resets every style and animation key.
public enum StylePreset: String, CaseIterable, Sendable {
  /// The defaults: a small red pill at the top right.
  case badge
  /// A green counter in the middle whose text shrinks to fit.
  case counter

  /// The whole style.
  public var style: Style {
    var style = Style()
    switch self {
    case .badge:
      break
    case .counter:
      style.background = Color(red: 0x09, green: 0xBB, blue: 0x07)
      style.fontSize = 14
      style.fit = .shrink
      style.minimumSize = 20
      style.padding = 0
      style.anchor = .center
      style.grow = .middle
      style.offsetX = 0
      style.offsetY = 0
      style.appear = .spring
      style.change = .spring
      style.disappear = .none
    }
    return style
  }
}
