// SPDX-License-Identifier: MIT
@testable import BadgeCore

/// The rules of badges once more, written for clarity and not for speed: one entry for each id, and
/// nothing stored that can be derived.
struct SlowModel {
  struct Native: Equatable {
    var text: String?
    var isDot = false
    var number: Int64 = 0
    var sources: [String: Int64] = [:]
    var isUrgent = false
    var progress = -1.0
    var isPlaceholder = false
    var isDismissed = false
  }

  struct App: Equatable {
    var announcement: AppAnnouncement
    var isUrgent: Bool
    var progress: Double
    var isRemoved = false
  }

  /// The values that were dismissed.
  struct Dismissed: Equatable {
    var native: Native?
    var app: Int64?
  }

  struct Style: Equatable {
    var hidesAtZero = true
    var isDismissable = true
    var max: Int64 = 999
    var background = "#FF0000"
  }

  struct Entry: Equatable {
    var native: Native?
    var app: App?
    var showsApp = false
    var dismissed = Dismissed()
    var style = Style()
    var deadline: Int64?

    var isPresent: Bool { native != nil || showsApp }
  }

  var entries: [String: Entry] = [:]
  var isQuiet = false

  func entry(_ id: String) -> Entry { entries[id] ?? Entry() }

  // MARK: What is read

  func count(_ entry: Entry) -> Int64 {
    guard let native = entry.native else { return entry.app?.announcement.shownCount ?? 0 }
    let own: Int64 = native.text == nil && !native.isDot ? native.number : 0
    let sum = Int128(own) + native.sources.values.reduce(Int128(0)) { $0 + Int128($1) }
    return Int64(min(max(sum, -9_007_199_254_740_991), 9_007_199_254_740_991))
  }

  func kind(_ entry: Entry) -> String {
    guard let native = entry.native else { return "number" }
    if native.text != nil { return "text" }
    if !native.isDot || native.sources.values.reduce(Int128(0), { $0 + Int128($1) }) > 0 {
      return "number"
    }
    return "dot"
  }

  func label(_ entry: Entry) -> String {
    switch kind(entry) {
    case "text": entry.native?.text ?? ""
    case "dot": ""
    default:
      entry.style.max > 0 && count(entry) > entry.style.max
        ? "\(entry.style.max)+" : "\(count(entry))"
    }
  }

  func isVisible(_ entry: Entry) -> Bool {
    guard entry.isPresent, !isQuiet else { return false }
    guard let native = entry.native else {
      return (entry.app?.announcement.isCountShown ?? false) && count(entry) > 0
    }
    if native.isDismissed { return false }
    return kind(entry) != "number" || count(entry) > 0 || !entry.style.hidesAtZero
  }

  var visible: Int { entries.values.count { isVisible($0) } }

  var total: Int64 {
    let sum = entries.values.filter { isVisible($0) && kind($0) == "number" }
      .reduce(Int128(0)) { $0 + Int128(count($1)) }
    return Int64(min(max(sum, -9_007_199_254_740_991), 9_007_199_254_740_991))
  }

  // MARK: What is done

  /// Sets a source, the unnamed one for the empty name.
  mutating func set(
    _ id: String,
    source: String = "",
    isNews: Bool = false,
    _ change: (inout Native) -> Void
  ) {
    var entry = entry(id)
    var native = entry.native ?? Native(isDismissed: entry.dismissed != Dismissed())
    entry.showsApp = false
    native.isPlaceholder = false
    change(&native)
    native.sources = native.sources.filter { $0.value != 0 }
    if native.isDismissed {
      let isSame =
        entry.dismissed.native.map { old in
          source.isEmpty
            ? old.text.map { Array($0.utf8) } == native.text.map { Array($0.utf8) }
              && old.isDot == native.isDot && old.number == native.number
            : old.sources[source] == native.sources[source]
        } ?? false
      if !isSame || isNews {
        native.isDismissed = false
        entry.dismissed.native = nil
      }
    }
    entry.native = native
    entries[id] = entry
  }

  mutating func setNumber(_ id: String, _ number: Int64, isNews: Bool = false) {
    set(id, isNews: isNews) {
      ($0.text, $0.isDot, $0.number) = (nil, false, number)
    }
  }

  mutating func clear(_ id: String) {
    guard var entry = entries[id] else { return }
    let wasZero =
      entry.dismissed.native.map { old in
        old.text == nil && !old.isDot && old.number == 0 && old.sources.isEmpty
      } ?? false
    if entry.showsApp {
      entry.app?.isRemoved = true
      entry.showsApp = false
      entry.deadline = nil
    } else if let native = entry.native {
      let staysDismissed = native.isDismissed && wasZero
      if native.isDismissed && !wasZero { entry.dismissed.native = nil }
      entry.native = Native(isPlaceholder: native.isPlaceholder, isDismissed: staysDismissed)
    } else if !wasZero {
      entry.dismissed.native = nil
    }
    entries[id] = entry
  }

  /// Sets style or policy; makes a badge without a value where there is none.
  mutating func setStyle(_ id: String, _ change: (inout Style) -> Void) {
    touch(id)
    change(&entries[id, default: Entry()].style)
  }

  mutating func touch(_ id: String) {
    var entry = entry(id)
    if !entry.isPresent {
      entry.native = Native(
        isPlaceholder: true,
        isDismissed: entry.dismissed != Dismissed()
      )
    }
    entries[id] = entry
  }

  mutating func setUrgent(_ id: String, _ urgent: Bool) {
    touch(id)
    if entry(id).showsApp {
      entries[id]?.app?.isUrgent = urgent
    } else {
      entries[id]?.native?.isUrgent = urgent
    }
  }

  mutating func setProgress(_ id: String, _ progress: Double) {
    touch(id)
    if entry(id).showsApp {
      entries[id]?.app?.progress = progress
    } else {
      entries[id]?.native?.progress = progress
    }
  }

  mutating func acknowledge(_ id: String) {
    guard entry(id).isPresent else { return }
    entries[id]?.app?.isUrgent = false
    entries[id]?.native?.isUrgent = false
  }

  mutating func remove(_ id: String) {
    guard var entry = entries[id], entry.isPresent else { return }
    entry.dismissed = Dismissed()
    end(&entry)
    entries[id] = entry
  }

  mutating func expire(_ now: Int64) {
    for (id, old) in entries {
      guard old.isPresent, let deadline = old.deadline, deadline <= now else { continue }
      var entry = old
      let style = entry.style
      let isNative = entry.native != nil
      end(&entry)
      if isNative && !entry.showsApp && entry.dismissed != Dismissed() { entry.style = style }
      entries[id] = entry
    }
  }

  private func end(_ entry: inout Entry) {
    if entry.native != nil {
      entry.native = nil
      entry.showsApp = mayShow(entry)
    } else {
      entry.app?.isRemoved = true
      entry.showsApp = false
    }
    entry.style = Style()
    entry.deadline = nil
  }

  mutating func removeAll() {
    for (id, old) in entries {
      var entry = Entry(app: old.app)
      entry.app?.isRemoved = true
      entries[id] = entry
    }
  }

  mutating func dismiss(_ id: String) {
    guard var entry = entries[id], entry.isPresent, entry.style.isDismissable else { return }
    if var native = entry.native {
      for (name, count) in entry.dismissed.native?.sources ?? [:] where native.sources[name] == nil
      {
        native.sources[name] = count
      }
      entry.dismissed.native = native
    }
    if let app = entry.app, !app.isRemoved { entry.dismissed.app = app.announcement.shownCount }
    entry.app?.isUrgent = false
    entry.app?.progress = -1
    entry.native = nil
    entry.showsApp = false
    entry.deadline = nil
    entries[id] = entry
  }

  mutating func announce(_ id: String, _ announcement: AppAnnouncement?, renewed: Bool) {
    var entry = entry(id)
    guard let announcement else {
      entry.app = nil
      if entry.showsApp { entry.deadline = nil }
      entry.showsApp = false
      entries[id] = entry
      return
    }
    var app =
      entry.app
      ?? App(
        announcement: announcement,
        isUrgent: announcement.wantsAttention,
        progress: announcement.shownProgress ?? -1
      )
    if app.announcement.wantsAttention != announcement.wantsAttention {
      app.isUrgent = announcement.wantsAttention
    }
    if app.announcement.shownProgress != announcement.shownProgress {
      app.progress = announcement.shownProgress ?? -1
    }
    app.announcement = announcement
    if renewed { app.isRemoved = false }
    entry.app = app
    if entry.dismissed.app != announcement.shownCount { entry.dismissed.app = nil }
    if mayShow(entry), entry.native?.isPlaceholder ?? true {
      entry.native = nil
      entry.showsApp = true
    }
    entries[id] = entry
  }

  private func mayShow(_ entry: Entry) -> Bool {
    guard let app = entry.app else { return false }
    return !app.isRemoved && entry.dismissed.app == nil
  }
}
