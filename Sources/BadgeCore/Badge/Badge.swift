// SPDX-License-Identifier: MIT

/// One badge: its value, policy and style.
///
/// A plain badge takes 56 bytes. What differs from the defaults beyond that is stored out of line
/// and shared between copies until one is changed. Only a `BadgeBook` makes and changes badges.
public struct Badge: Hashable, Sendable {
  /// What a badge shows.
  public enum Kind: String, CaseIterable, Sendable {
    case number
    case text
    /// Only that there is something.
    case dot
  }

  /// Who set a badge's value.
  public enum Origin: String, CaseIterable, Sendable {
    /// A caller of the daemon's methods.
    case native
    /// The app itself, by the LauncherEntry protocol.
    case launcherEntry = "launcher-entry"
  }

  /// The id, unique in a book.
  public let id: BadgeID

  /// The value of the unnamed source.
  public internal(set) var unnamed = UnnamedValue.number(0)

  /// Who set the value; `native` before any value is set.
  public internal(set) var origin = Origin.native

  /// Whether no value was set yet, so that an app's announcement may replace this badge.
  public internal(set) var isPlaceholder = false

  /// Whether an app wants its number seen; always true for a native badge.
  var showsCount = true

  /// Whether it wants attention.
  public internal(set) var isUrgent = false

  /// Whether it is hidden because it was set again to the value that a person dismissed.
  public internal(set) var isDismissed = false

  /// Whether a number is hidden unless it is above zero.
  public internal(set) var hidesAtZero = true

  /// Whether a person may remove it from a panel.
  public internal(set) var isDismissable = true

  /// The details: none while all are at their defaults, else one element.
  ///
  /// An array because it is `Sendable`, copied on write, and free of allocations when empty.
  private var box: [Details] = []

  init(id: BadgeID) {
    self.id = id
  }

  /// A badge that has every default.
  static let plain = Badge(id: .nobody)
}

/// What most badges leave at its default.
private struct Details: Hashable, Sendable {
  /// Ordered by name; no count is 0.
  var sources: [SourceCount] = []
  var maximum: Int64 = 999
  /// 0 to 1, or −1 for none.
  var progress = -1.0
  var caption = ExactString("")
  var icon = ExactString("")
  var deadline: Int64?
  var owner: OwnerProcess?
  var style = BadgeStyle()

  static let plain = Details()
}

/// The process that a badge lives with.
public struct OwnerProcess: Hashable, Sendable {
  /// The process id.
  public let processID: UInt32
  /// The start time in the caller's unit, which tells a process from a later one of the same id.
  public let startTime: UInt64

  /// Identifies a process by its id and start time.
  public init(processID: UInt32, startTime: UInt64) {
    self.processID = processID
    self.startTime = startTime
  }
}

// MARK: Details

extension Badge {
  /// Whether no detail differs from its default.
  var isPlain: Bool { box.isEmpty }

  /// The named sources, ordered by name; no count is 0.
  public var namedSources: [SourceCount] {
    isPlain ? [] : detail { $0.sources }
  }

  /// The number above which the label reads `<max>+`; 0 for no cap.
  public internal(set) var maximum: Int64 {
    get { isPlain ? Details.plain.maximum : detail { $0.maximum } }
    set { changeDetails { $0.maximum = newValue } }
  }

  /// Progress from 0 to 1; `nil` for none.
  public internal(set) var progress: Double? {
    get {
      let value = isPlain ? -1 : detail { $0.progress }
      return value < 0 ? nil : value
    }
    set {
      guard newValue != progress else { return }
      changeDetails { $0.progress = newValue ?? -1 }
    }
  }

  /// The text for tooltips and screen readers, the key `description`.
  public internal(set) var caption: String {
    get { detail { $0.caption.text } }
    set { changeDetails { $0.caption = ExactString(newValue) } }
  }

  /// The name of an icon.
  public internal(set) var icon: String {
    get { detail { $0.icon.text } }
    set { changeDetails { $0.icon = ExactString(newValue) } }
  }

  /// When it expires, in nanoseconds of `CLOCK_BOOTTIME`; `nil` if it does not.
  public internal(set) var deadline: Int64? {
    get { isPlain ? nil : detail { $0.deadline } }
    set {
      guard newValue != deadline else { return }
      changeDetails { $0.deadline = newValue }
    }
  }

  /// The process whose end removes it.
  public internal(set) var owner: OwnerProcess? {
    get { isPlain ? nil : detail { $0.owner } }
    set {
      guard newValue != owner else { return }
      changeDetails { $0.owner = newValue }
    }
  }

  /// How it is drawn and animated.
  public internal(set) var style: BadgeStyle {
    get { detail { $0.style } }
    set { changeDetails { $0.style = newValue } }
  }

  /// The seconds from `now`, in nanoseconds of `CLOCK_BOOTTIME`, until it expires.
  ///
  /// 0 if it does not expire, and only then.
  func secondsLeft(now: Int64) -> Double {
    guard let deadline else { return 0 }
    return max(Double(deadline) - Double(now), 1) / 1e9
  }

  /// Whether the details equal another badge's; fast for copies of one badge.
  func hasSameDetails(as other: Badge) -> Bool {
    box == other.box
  }

  @inline(__always)
  private func detail<Value>(_ read: (Details) -> Value) -> Value {
    box.isEmpty ? read(.plain) : read(box[0])
  }

  private mutating func changeDetails(_ body: (inout Details) -> Void) {
    if box.isEmpty {
      box.append(.plain)
    }
    body(&box[0])
    if box[0] == .plain {
      box = []
    }
  }
}

// MARK: The value

extension Badge {
  /// What it shows: under a dot, the sum of the named sources if that is above zero.
  public var kind: Kind {
    switch unnamed {
    case .text: .text
    case .number: .number
    case .dot: namedSum > 0 ? .number : .dot
    }
  }

  /// The sum of all sources, saturated; a text or a dot counts 0.
  public var count: Int64 {
    BadgeCount.saturated(unnamedNumber + namedSum)
  }

  /// The text of the unnamed source; empty if it is a number or a dot.
  public var text: String {
    guard case .text(let text) = unnamed else { return "" }
    return text.rawValue
  }

  /// Each source that is not zero, ordered by name, with the unnamed one first as the empty name.
  ///
  /// Empty if there are no named sources.
  public var sources: [(name: String, count: Int64)] {
    let named = namedSources
    guard !named.isEmpty else { return [] }
    let first = unnamedNumber
    return (first == 0 ? [] : [("", first)]) + named.map { ($0.name.rawValue, $0.count) }
  }

  /// What a panel draws: the number or `<max>+`, the text, or nothing for a dot.
  public var label: String {
    switch kind {
    case .text: return text
    case .dot: return ""
    case .number:
      let (number, isCapped) = shownNumber
      return isCapped ? "\(number)+" : String(number)
    }
  }

  /// Whether panels draw it.
  ///
  /// A native text or dot is visible, and a number if it is above zero or `hide-at-zero` is off. An
  /// app's number is visible if it is above zero and the app wants it seen. A dismissed badge is
  /// never visible, nor is any while Quiet is on.
  public func isVisible(quiet: Bool) -> Bool {
    guard !quiet, !isDismissed else { return false }
    guard origin == .native else { return showsCount && count > 0 }
    return kind != .number || !hidesAtZero || count > 0
  }

  /// The number of the unnamed source; 0 if it is a text or a dot.
  var unnamedNumber: Int64 {
    guard case .number(let number) = unnamed else { return 0 }
    return number
  }

  /// The sum of the named sources; 64 counts can't overflow.
  private var namedSum: Int64 {
    isPlain ? 0 : detail { $0.sources.reduce(0) { $0 + $1.count } }
  }

  /// The number in a number's label, and whether `+` follows it.
  private var shownNumber: (number: Int64, isCapped: Bool) {
    let limit = maximum
    let number = count
    return limit > 0 && number > limit ? (limit, true) : (number, false)
  }

  /// Whether the labels are equal; compares numbers without formatting them.
  func hasSameLabel(as other: Badge) -> Bool {
    if kind == .number, other.kind == .number { return shownNumber == other.shownNumber }
    return ExactString(label) == ExactString(other.label)
  }

  /// The count of a named source; 0 if there is none of that name.
  func count(of name: SourceName) -> Int64 {
    isPlain ? 0 : detail { $0.sources.first { $0.name == name }?.count ?? 0 }
  }

  /// Sets a named source; 0 removes it.
  mutating func setCount(_ count: Int64, of name: SourceName) {
    guard count != self.count(of: name) else { return }
    changeDetails { details in
      let position = details.sources.firstIndex { $0.name >= name } ?? details.sources.endIndex
      let isKnown = position < details.sources.endIndex && details.sources[position].name == name
      if isKnown && count == 0 {
        details.sources.remove(at: position)
      } else if isKnown {
        details.sources[position].count = count
      } else {
        details.sources.insert(SourceCount(name: name, count: count), at: position)
      }
    }
  }

  /// Whether it has the value, urgency and progress of a cleared badge.
  var isCleared: Bool {
    unnamed == .number(0) && namedSources.isEmpty && !isUrgent && progress == nil
  }

  /// Makes the value number 0, and ends named sources, urgency and progress.
  mutating func clearValue() {
    unnamed = .number(0)
    isUrgent = false
    progress = nil
    guard !namedSources.isEmpty else { return }
    changeDetails { $0.sources = [] }
  }

  /// A native badge at number 0 that has this one's style and policy and nothing else.
  var styleOnly: Badge {
    var badge = self
    badge.clearValue()
    badge.origin = .native
    badge.isPlaceholder = false
    badge.showsCount = true
    badge.isDismissed = false
    badge.deadline = nil
    badge.owner = nil
    return badge
  }

  /// Whether everything but the id is at its default.
  var isDefault: Bool {
    self == Badge(id: id)
  }
}
