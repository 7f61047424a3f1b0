// SPDX-License-Identifier: MIT

/// One badge: its value, policy and style.
///
/// A plain badge is 56 bytes; what is not at its default besides is shared, copy on write, between
/// all copies. Only a `BadgeBook` makes and changes badges; what is read here is always consistent.
public struct Badge: Hashable, Sendable {
  /// What a badge shows.
  public enum Kind: String, CaseIterable, Sendable {
    /// A count.
    case number
    /// A text.
    case text
    /// Only that there is something.
    case dot
  }

  /// Who set the value.
  public enum Origin: String, CaseIterable, Sendable {
    /// A method of the daemon.
    case native
    /// The app itself, by the LauncherEntry protocol.
    case launcherEntry = "launcher-entry"
  }

  /// What it is called.
  public let id: BadgeID

  /// What the unnamed source holds.
  public internal(set) var unnamed = UnnamedValue.number(0)

  /// Who set the value; a badge without a value yet reads `native`.
  public internal(set) var origin = Origin.native

  /// Whether no value was set yet, so that an app's announcement may take this badge's place.
  public internal(set) var isPlaceholder = false

  /// Whether an app wants its number seen; always true for a native badge.
  var showsCount = true

  /// Whether it wants attention.
  public internal(set) var isUrgent = false

  /// Whether it is back with the value that a person dismissed, and therefore hidden.
  public internal(set) var isDismissed = false

  /// Whether a number is hidden that is not above zero.
  public internal(set) var hidesAtZero = true

  /// Whether a person may remove it from a panel.
  public internal(set) var isDismissable = true

  /// Empty while all details are plain, else one element: an array is the box that is `Sendable`,
  /// copied on write and free when it is empty.
  private var box: [BadgeDetails] = []

  init(id: BadgeID) {
    self.id = id
  }

  /// A badge of which everything is at its default.
  static let plain = Badge(id: .nobody)

  /// Reads what is not stored in line.
  @inline(__always)
  func detail<Value>(_ read: (BadgeDetails) -> Value) -> Value {
    box.isEmpty ? read(.plain) : read(box[0])
  }

  /// Whether no detail is set.
  var isPlain: Bool { box.isEmpty }

  /// Whether the details are those of another badge; quick for copies of one badge.
  func hasSameDetails(as other: Badge) -> Bool {
    box == other.box
  }

  /// Changes details in place.
  mutating func changeDetails(_ body: (inout BadgeDetails) -> Void) {
    if box.isEmpty {
      box.append(.plain)
    }
    body(&box[0])
    if box[0] == .plain {
      box = []
    }
  }
}
