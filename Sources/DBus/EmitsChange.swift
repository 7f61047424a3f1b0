// SPDX-License-Identifier: MIT

/// Whether `PropertiesChanged` tells of a property's changes.
///
/// Source: D-Bus specification, the annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`.
public enum EmitsChange: String, Hashable, Sendable {
  /// It tells the new value.
  case `true`
  /// It tells that there is a new value.
  case invalidates
  /// The value never changes.
  case const
  /// It tells nothing.
  case `false`
}
