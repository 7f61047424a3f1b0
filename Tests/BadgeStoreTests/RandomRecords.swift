// SPDX-License-Identifier: MIT
import BadgeCore
import BadgeStore

/// Records of every shape a book could give, the same for the same seed.
struct RandomRecords: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  mutating func next() -> UInt64 {
    // xorshift64*
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

  mutating func count() -> Int64 {
    switch Int.random(in: 0..<6, using: &self) {
    case 0: 0
    case 1: BadgeCount.maximum
    case 2: BadgeCount.minimum
    default: Int64.random(in: -5...1_000, using: &self)
    }
  }

  mutating func word(upTo limit: Int) -> String {
    let pieces = ["a", "b", "=", "ü", "€", "😀", " ", "é", "e\u{301}", "'", "\"", "%", "x-", "7"]
    var text = "w"
    for _ in 0..<Int.random(in: 0..<12, using: &self) {
      let piece = pieces.randomElement(using: &self) ?? "a"
      if text.utf8.count + piece.utf8.count < limit { text += piece }
    }
    return text + "."
  }

  mutating func id(among count: Int = 40) -> BadgeID {
    let number = Int.random(in: 0..<count, using: &self)
    let names = ["org.example.App\(number)", "mail \(number)", "ü=\(number)", "e\u{301}\(number)"]
    guard let id = try? BadgeID(names[number % names.count]) else { preconditionFailure() }
    return id
  }

  mutating func unnamed() -> UnnamedValue {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: .dot
    case 1: (try? UnnamedValue.reading(word(upTo: 256))) ?? .dot
    default: .number(count())
    }
  }

  /// Named sources, ordered by name as in a book.
  mutating func sources() -> [SourceCount] {
    guard chance(3) else { return [] }
    let most = chance(10) ? 64 : 4
    let sources = (0..<Int.random(in: 1...most, using: &self)).compactMap { index in
      let name = try? SourceName("s\(index)" + word(upTo: 200), key: "sources")
      return name.map { SourceCount(name: $0, count: Int64.random(in: 1...9, using: &self)) }
    }
    return sources.sorted { $0.name < $1.name }
  }

  mutating func settings() -> [BadgeSetting] {
    guard chance(3) else { return [] }
    let all: [(String, String)] = [
      ("hide-at-zero", "false"), ("max", "99"), ("dismissable", "false"),
      ("description", word(upTo: 256)), ("icon", word(upTo: 128)), ("animate", "false"),
      ("animation-appear", "spring"), ("background", "#0099FF80"), ("font", word(upTo: 128)),
      ("font-size", "14.25"), ("padding", "0.1"), ("fit", "shrink"), ("anchor", "center"),
      ("grow", "head"), ("offset-x", "-1e-05"), ("offset-y", "0.0"),
    ]
    return all.compactMap { chance(3) ? BadgeSetting(name: $0, text: $1) : nil }
  }

  mutating func record(_ id: BadgeID) -> BadgeRecord {
    var record = BadgeRecord(id: id)
    record.settings = settings()
    if !chance(5) {
      record.native = BadgeRecord.Native(
        unnamed: unnamed(),
        sources: sources(),
        isPlaceholder: chance(8),
        isUrgent: chance(4),
        isDismissed: chance(6),
        progress: chance(4) ? Double.random(in: 0...1, using: &self) : nil
      )
    } else {
      record.keptAge = chance(2) ? next() : nil
    }
    if chance(6) { record.deadline = Int64.random(in: 0...Int64.max, using: &self) }
    if chance(8) {
      record.owner = OwnerProcess(
        processID: UInt32.random(in: 1...9999, using: &self),
        startTime: next()
      )
    }
    if chance(5) {
      record.dismissal = BadgeRecord.Dismissal(
        age: next(),
        native: chance(2) ? DismissedValue(unnamed: unnamed(), sources: sources()) : nil,
        app: chance(2) ? count() : nil
      )
    }
    if chance(7) {
      record.app = BadgeRecord.App(
        isUrgent: chance(2),
        progress: chance(2) ? 0.25 : nil,
        isRemoved: chance(2)
      )
    }
    return record
  }

  mutating func sender() -> SenderRecord {
    var record = SenderRecord(
      bus: chance(5) ? "other-bus" : "this-bus",
      sender: ":1.\(next() % 5)",
      app: id(),
      ordinal: Int64(next() % 100)
    )
    if chance(2) { record.announcement.count = count() }
    if chance(2) { record.announcement.isCountVisible = chance(2) }
    if chance(3) { record.announcement.setProgress(Double.random(in: 0...1, using: &self)) }
    if chance(3) { record.announcement.isProgressVisible = chance(2) }
    if chance(3) { record.announcement.isUrgent = chance(2) }
    return record
  }
}
