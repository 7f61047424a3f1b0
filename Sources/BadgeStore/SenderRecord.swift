// SPDX-License-Identifier: MIT
public import BadgeCore

/// What one sender on the bus has announced of one app by `LauncherEntry.Update`, merged; nil is
/// what it has not said.
public struct SenderRecord: Hashable, Sendable {
  /// The bus it is on, by its GUID.
  public var bus: String
  /// Its unique name, `:1.42`.
  public var sender: String
  /// The app.
  public var app: BadgeID
  /// Tells which of an app's senders announced last: the highest.
  public var ordinal: Int64
  /// The `count`.
  public var count: Int64?
  /// The `count-visible`.
  public var countVisible: Bool?
  /// The `progress`, finite.
  public var progress: Double?
  /// The `progress-visible`.
  public var progressVisible: Bool?
  /// The `urgent`.
  public var urgent: Bool?

  /// A sender that has not said anything yet.
  public init(bus: String, sender: String, app: BadgeID, ordinal: Int64) {
    self.bus = bus
    self.sender = sender
    self.app = app
    self.ordinal = ordinal
  }
}
