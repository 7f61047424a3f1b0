// SPDX-License-Identifier: MIT
import BadgeCore

/// Why a row can't be what this program wrote.
struct RowError: Error, Hashable {
  /// What is wrong with it, for a log.
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  /// An id as a row holds it: the id's own spelling, not one that only leads to it.
  static func id(_ text: String?) throws(RowError) -> BadgeID {
    guard let text else { throw RowError("its id is not a text") }
    // An id only ever takes something off what it is made of.
    guard let id = try? BadgeID(text), id.rawValue.utf8.count == text.utf8.count else {
      throw RowError("its id is not a badge's id")
    }
    return id
  }
}

extension Statement {
  /// A truth column; nil if it holds anything but 0 or 1.
  func flag(at column: CInt) -> Bool? {
    switch integer(at: column) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// A number column; nil if it holds anything else, or no finite number.
  func finite(at column: CInt) -> Double? {
    double(at: column).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A column that may be NULL and otherwise has to be of one kind.
  func optional<Value>(
    at column: CInt,
    _ read: (Statement, CInt) -> Value?
  ) throws(RowError) -> Value? {
    if kind(at: column) == .null { return nil }
    guard let value = read(self, column) else {
      throw RowError("its '\(name(at: column))' is not possible")
    }
    return value
  }
}

extension StoredState {
  /// Notes that a row was left out.
  mutating func reject(_ key: String?, of table: String, because reason: String) {
    guard rejected.count < StoreLimits.namedRejections else {
      if rejected.count == StoreLimits.namedRejections { rejected.append("and more") }
      return
    }
    // Quoted and shortened, since the row may hold anything.
    let name = key.map { PropertyValue.string($0).description } ?? "?"
    rejected.append("\(table) \(name): \(reason)")
  }

  /// Notes that a table goes on beyond what is read of it.
  mutating func rejectRest(of table: String, after count: Int) {
    rejected.append("\(table): more than \(count) rows")
  }
}
