// SPDX-License-Identifier: MIT
import BadgeCore

/// What a badge's row holds in `sources` and `details`: the parts of a record that most lack.
///
/// `sources` has a line a source, its name first. `details` has the settings by their keys' names,
/// and the lines below; a dismissed value is written source by source.
struct BadgeDetails {
  private static let progress = "progress"
  private static let deadline = "deadline"
  private static let owner = "owner"
  private static let kept = "kept"
  private static let dismissal = "dismissal"
  private static let dismissedUnnamed = "dismissed-unnamed"
  private static let dismissedSource = "dismissed-source"
  private static let dismissedApp = "dismissed-app"
  private static let app = "app"
  private static let appProgress = "app-progress"

  /// The text of `sources`; empty where there are none.
  static func sources(of record: BadgeRecord) -> [UInt8] {
    guard let sources = record.native?.sources, !sources.isEmpty else { return [] }
    var lines = Lines()
    for source in sources {
      lines.add("\(source.count)", source.name.rawValue)
    }
    return lines.bytes
  }

  /// The text of `details`; empty where there are none.
  static func details(of record: BadgeRecord) -> [UInt8] {
    var lines = Lines()
    for setting in record.settings {
      lines.add(setting.key.name, setting.text)
    }
    lines.add(progress, record.native?.progress)
    lines.add(deadline, record.deadline)
    lines.add(kept, record.keptAge)
    if let process = record.owner {
      lines.add(owner, "\(process.processID) \(process.startTime)")
    }
    if let state = record.dismissal {
      lines.add(dismissal, state.age)
      if let value = state.native {
        lines.add(dismissedUnnamed, text(of: value.unnamed))
        for source in value.sources {
          lines.add(dismissedSource, "\(source.count) \(source.name.rawValue)")
        }
      }
      lines.add(dismissedApp, state.app)
    }
    if let state = record.app {
      lines.add(app, "\(state.isUrgent) \(state.isRemoved)")
      lines.add(appProgress, state.progress)
    }
    return lines.bytes
  }

  /// Reads the text of `sources`.
  static func parse(sources text: String) throws(RowError) -> [SourceCount] {
    var sources: [SourceCount] = []
    for line in try Lines.parse(text) {
      sources.append(try source(count: line.name, name: line.value))
    }
    return sources
  }

  /// Reads the text of `details` into a record whose native part, if any, is there already.
  static func parse(details text: String, into record: inout BadgeRecord) throws(RowError) {
    for (name, value) in try Lines.parse(text) {
      guard try take(name, value, into: &record) else {
        throw RowError("its \(PropertyValue.string(name)) is not possible")
      }
    }
  }

  private static func take(
    _ name: String,
    _ value: String,
    into record: inout BadgeRecord
  ) throws(RowError) -> Bool {
    switch name {
    case progress:
      guard record.native != nil, let number = fraction(value) else { return false }
      record.native?.progress = number
    case deadline:
      guard let number = Int64(value) else { return false }
      record.deadline = number
    case kept:
      guard let number = UInt64(value) else { return false }
      record.keptAge = number
    case owner:
      let (first, second) = words(value)
      guard let processID = UInt32(first), let startTime = UInt64(second) else { return false }
      record.owner = OwnerProcess(processID: processID, startTime: startTime)
    case dismissal:
      guard let number = UInt64(value) else { return false }
      record.dismissal = BadgeRecord.Dismissal(age: number, native: nil, app: nil)
    case dismissedUnnamed:
      guard record.dismissal != nil, let unnamed = unnamed(value) else { return false }
      record.dismissal?.native = DismissedValue(unnamed: unnamed)
    case dismissedSource:
      let (count, name) = words(value)
      guard let dismissed = record.dismissal?.native else { return false }
      record.dismissal?.native = DismissedValue(
        unnamed: dismissed.unnamed,
        sources: dismissed.sources + [try source(count: count, name: name)]
      )
    case dismissedApp:
      guard record.dismissal != nil, let number = Int64(value) else { return false }
      record.dismissal?.app = number
    case app:
      let (urgent, removed) = words(value)
      guard let isUrgent = Bool(urgent), let isRemoved = Bool(removed) else { return false }
      record.app = BadgeRecord.App(isUrgent: isUrgent, progress: nil, isRemoved: isRemoved)
    case appProgress:
      guard record.app != nil, let number = fraction(value) else { return false }
      record.app?.progress = number
    default:
      guard let setting = BadgeSetting(name: name, text: value) else { return false }
      record.settings.append(setting)
    }
    return true
  }

  private static func source(count: String, name: String) throws(RowError) -> SourceCount {
    guard let count = Int64(count), count != 0, BadgeCount.isValid(count),
      let id = try? SourceName(name, key: "sources"), id.rawValue.utf8.count == name.utf8.count
    else { throw RowError("it holds a source that is none") }
    return SourceCount(name: id, count: count)
  }

  private static func text(of unnamed: UnnamedValue) -> String {
    switch unnamed {
    case .number(let number): "number \(number)"
    case .text(let text): "text \(text.rawValue)"
    case .dot: "dot"
    }
  }

  private static func unnamed(_ text: String) -> UnnamedValue? {
    let (kind, value) = words(text)
    switch kind {
    case "number": return Int64(value).flatMap { BadgeCount.isValid($0) ? .number($0) : nil }
    case "text": return Self.text(value)
    case "dot": return value.isEmpty ? .dot : nil
    default: return nil
    }
  }

  /// A text that is one: a count would not have been kept as text.
  static func text(_ value: String) -> UnnamedValue? {
    guard case .text(let text)? = try? UnnamedValue.reading(value) else { return nil }
    return .text(text)
  }

  private static func fraction(_ text: String) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  private static func words(_ text: String) -> (String, String) {
    guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")) else { return (text, "") }
    return (String(text[..<space]), String(text[text.utf8.index(after: space)...]))
  }
}
