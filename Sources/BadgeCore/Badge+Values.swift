// SPDX-License-Identifier: MIT

extension Badge {
  /// What it shows.
  public var kind: Kind {
    switch unnamed {
    case .text: .text
    case .number: .number
    case .dot: namedSum > 0 ? .number : .dot
    }
  }

  /// The sum of all sources, saturated; of the named ones under a text or a dot.
  public var count: Int64 {
    Count.saturated(unnamedNumber + namedSum)
  }

  /// The text of the unnamed source; empty where it holds none.
  public var text: String {
    guard case .text(let text) = unnamed else { return "" }
    return text.rawValue
  }

  /// Each source that is not zero, ordered by name, the unnamed one first and as the empty name;
  /// empty where there are no named ones.
  public var sources: [(name: String, count: Int64)] {
    let named = namedSources
    guard !named.isEmpty else { return [] }
    let first = unnamedNumber
    return (first == 0 ? [] : [("", first)]) + named.map { ($0.name.rawValue, $0.count) }
  }

  /// What a panel draws: the number or `<max>+`, the text, or nothing for a dot.
  public var label: String {
    switch kind {
    case .text: text
    case .dot: ""
    case .number: numberLabel
    }
  }

  /// Whether it shows.
  ///
  /// A text or dot does, a number if it is above zero or need not be; an app's number if the app
  /// wants it seen and it is above zero. Nothing does that is dismissed, or while it is quiet.
  ///
  /// - Parameter quiet: Whether the person is not to be disturbed.
  /// - Returns: Whether panels draw it.
  public func isVisible(quiet: Bool) -> Bool {
    guard !quiet, !isDismissed else { return false }
    guard origin == .native else { return showsCount && count > 0 }
    return kind != .number || !hidesAtZero || count > 0
  }

  /// The number of the unnamed source; 0 under a text or a dot.
  var unnamedNumber: Int64 {
    guard case .number(let number) = unnamed else { return 0 }
    return number
  }

  /// The named sources added up; 64 counts can't overflow.
  private var namedSum: Int64 {
    isPlain ? 0 : detail { $0.sources.reduce(0) { $0 + $1.count } }
  }

  private var numberLabel: String {
    let (number, isCapped) = shownNumber
    return isCapped ? "\(number)+" : String(number)
  }

  /// The number that the label of a number shows, and whether it is only the cap.
  private var shownNumber: (number: Int64, isCapped: Bool) {
    let limit = maximum
    let number = count
    return limit > 0 && number > limit ? (limit, true) : (number, false)
  }

  /// Whether a panel draws the same; makes no text where both are numbers.
  func hasSameLabel(as other: Badge) -> Bool {
    if kind == .number, other.kind == .number { return shownNumber == other.shownNumber }
    return ExactString(label) == ExactString(other.label)
  }

  /// The count of a named source; 0 where there is none.
  func count(of name: SourceName) -> Int64 {
    isPlain ? 0 : detail { $0.sources.first { $0.name == name }?.count ?? 0 }
  }

  /// Sets a named source; 0 drops it.
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
        details.sources.insert(NamedCount(name: name, count: count), at: position)
      }
    }
  }

  /// Makes the value number 0 and ends named sources, urgency and progress.
  mutating func clearValue() {
    unnamed = .number(0)
    isUrgent = false
    progress = nil
    guard !namedSources.isEmpty else { return }
    changeDetails { $0.sources = [] }
  }

  /// This badge as it is kept while there is none: style and policy alone.
  var look: Badge {
    var look = self
    look.clearValue()
    look.origin = .native
    look.isPlaceholder = false
    look.showsCount = true
    look.isDismissed = false
    look.deadline = nil
    look.owner = nil
    return look
  }

  /// Whether all but the id is at its default.
  var isDefault: Bool {
    self == Badge(id: id)
  }
}
