// SPDX-License-Identifier: MIT
import BadgeCore

/// The table `badge`: a row per badge, and per id of which something is remembered.
///
/// Named sources, and keys that are not at their defaults, are in ``ChildRows``.
final class BadgeRows {
  /// The columns, in the order of the statements.
  private enum Column {
    static let id: CInt = 0
    static let flags: CInt = 1
    /// The unnamed source: an integer, a text, or NULL for a dot.
    static let value: CInt = 2
    static let progress: CInt = 3
    static let deadline: CInt = 4
    static let ownerPID: CInt = 5
    static let ownerStart: CInt = 6
    static let keptAge: CInt = 7
    static let dismissalAge: CInt = 8
    static let dismissedValue: CInt = 9
    static let dismissedApp: CInt = 10
    static let appProgress: CInt = 11
  }

  /// The column `flags`.
  private struct Flags: OptionSet {
    let rawValue: Int64

    /// There is a native badge; without one, the row only remembers something about the id.
    static let native = Flags(rawValue: 1)
    /// The native badge has had no value set yet.
    static let placeholder = Flags(rawValue: 2)
    static let urgent = Flags(rawValue: 4)
    /// The native badge is hidden, since its value was dismissed.
    static let dismissed = Flags(rawValue: 8)
    /// The value of a native badge was dismissed.
    static let dismissedValue = Flags(rawValue: 16)
    /// The app's badge differs from what the app announces.
    static let app = Flags(rawValue: 32)
    static let appUrgent = Flags(rawValue: 64)
    static let appRemoved = Flags(rawValue: 128)

    static let all = Flags(rawValue: 255)

    mutating func insert(_ flag: Flags, if condition: Bool) {
      if condition { insert(flag) }
    }
  }

  private let database: Database
  private let children: ChildRows
  private let replace: Statement
  private let delete: Statement

  init(_ database: Database) throws(SQLiteError) {
    self.database = database
    children = ChildRows(database)
    replace = try database.prepare(
      "REPLACE INTO badge VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    delete = try database.prepare("DELETE FROM badge WHERE id = ?")
  }

  /// Whether each record takes a single statement.
  func areOneStatementEach(in changes: StoreChanges) -> Bool {
    changes.badges.allSatisfy(children.areUnchanged(by:))
      && changes.forgotten.allSatisfy(children.areNone(of:))
  }

  /// Replaces the record of an id.
  func save(_ record: BadgeRecord) throws(SQLiteError) {
    var flags: Flags = []
    try replace.bind(record.id.rawValue, at: Column.id)
    if let native = record.native {
      flags.insert(.native)
      flags.insert(.placeholder, if: native.isPlaceholder)
      flags.insert(.urgent, if: native.isUrgent)
      flags.insert(.dismissed, if: native.isDismissed)
      try replace.bind(native.unnamed, at: Column.value)
      try replace.bind(native.progress, at: Column.progress)
    }
    try replace.bind(record.deadline, at: Column.deadline)
    if let owner = record.owner {
      try replace.bind(Int64(owner.processID), at: Column.ownerPID)
      try replace.bind(unsigned: owner.startTime, at: Column.ownerStart)
    }
    try replace.bind(unsigned: record.keptAge, at: Column.keptAge)
    if let dismissal = record.dismissal {
      try replace.bind(unsigned: dismissal.age, at: Column.dismissalAge)
      if let value = dismissal.native {
        flags.insert(.dismissedValue)
        try replace.bind(value.unnamed, at: Column.dismissedValue)
      }
      try replace.bind(dismissal.app, at: Column.dismissedApp)
    }
    if let app = record.app {
      flags.insert(.app)
      flags.insert(.appUrgent, if: app.isUrgent)
      flags.insert(.appRemoved, if: app.isRemoved)
      try replace.bind(app.progress, at: Column.appProgress)
    }
    try replace.bind(flags.rawValue, at: Column.flags)
    try replace.run()
    try children.save(of: record)
  }

  /// Deletes the record of an id.
  func forget(_ id: BadgeID) throws(SQLiteError) {
    try delete.bind(id.rawValue, at: Column.id)
    try delete.run()
    try children.forget(of: id)
  }

  /// Deletes all records.
  func forgetAll() throws(SQLiteError) {
    try database.run("DELETE FROM badge")
    try children.forgetAll()
  }

  /// Must be called when a transaction fails.
  func didRollBack() {
    children.didRollBack()
  }

  /// Loads all records, ordered by the bytes of their ids, and reports those it skips.
  func load(into state: inout StoredState) throws(SQLiteError) {
    var found = try children.load()
    var known: [BadgeID: ChildRows.Children] = [:]
    let rows = try database.prepare(
      """
      SELECT id, flags, value, progress, deadline, owner_pid, owner_start, kept_age,
          dismissal_age, dismissed_value, dismissed_app, app_progress
        FROM badge ORDER BY id
      """
    )
    while try rows.step() {
      guard state.badges.count < StoreLimits.badges else {
        return state.rejectRest(of: "badge", after: StoreLimits.badges)
      }
      do throws(RowError) {
        var record = try Self.record(in: rows)
        if let children = found[record.id] {
          try record.add(children.get())
          known[record.id] = ChildRows.Children(of: record)
          found[record.id] = nil
        }
        state.badges.append(record)
      } catch {
        state.reject(rows.text(at: Column.id), of: "badge", because: error.reason)
      }
    }
    children.didLoad(known, areAll: found.isEmpty)
  }

  private static func record(in row: Statement) throws(RowError) -> BadgeRecord {
    var record = BadgeRecord(id: try row.badgeID(at: Column.id))
    guard let flags = row.integer(at: Column.flags).map(Flags.init(rawValue:)),
      Flags.all.isSuperset(of: flags),
      flags.contains(.app) || flags.isDisjoint(with: [.appUrgent, .appRemoved])
    else { throw RowError("its flags are not possible") }
    record.native = try native(in: row, flags)
    record.deadline = try row.optional(Statement.integer, at: Column.deadline)
    record.keptAge = try row.optional(Statement.unsigned, at: Column.keptAge)
    record.owner = try owner(in: row)
    record.dismissal = try dismissal(in: row, flags)
    let progress = try row.optional(Statement.fraction, at: Column.appProgress)
    if flags.contains(.app) {
      record.app = BadgeRecord.App(
        isUrgent: flags.contains(.appUrgent),
        progress: progress,
        isRemoved: flags.contains(.appRemoved)
      )
    } else if progress != nil {
      throw row.fault(at: Column.appProgress)
    }
    return record
  }

  private static func native(in row: Statement, _ flags: Flags) throws(RowError) -> BadgeRecord
    .Native?
  {
    let progress = try row.optional(Statement.fraction, at: Column.progress)
    guard flags.contains(.native) else {
      guard flags.isDisjoint(with: [.placeholder, .urgent, .dismissed]),
        row.isNull(at: Column.value)
      else { throw .valueWithoutNative }
      if progress != nil { throw row.fault(at: Column.progress) }
      return nil
    }
    return BadgeRecord.Native(
      unnamed: try row.unnamedValue(at: Column.value),
      isPlaceholder: flags.contains(.placeholder),
      isUrgent: flags.contains(.urgent),
      isDismissed: flags.contains(.dismissed),
      progress: progress
    )
  }

  private static func owner(in row: Statement) throws(RowError) -> OwnerProcess? {
    let start = try row.optional(Statement.unsigned, at: Column.ownerStart)
    guard let id = try row.optional(Statement.integer, at: Column.ownerPID) else {
      if start != nil { throw row.fault(at: Column.ownerPID) }
      return nil
    }
    guard let processID = UInt32(exactly: id) else { throw row.fault(at: Column.ownerPID) }
    guard let start else { throw row.fault(at: Column.ownerStart) }
    return OwnerProcess(processID: processID, startTime: start)
  }

  private static func dismissal(
    in row: Statement,
    _ flags: Flags
  ) throws(RowError) -> BadgeRecord.Dismissal? {
    let app = try row.optional(Statement.integer, at: Column.dismissedApp)
    guard let age = try row.optional(Statement.unsigned, at: Column.dismissalAge) else {
      if app != nil || flags.contains(.dismissedValue) { throw row.fault(at: Column.dismissalAge) }
      return nil
    }
    var dismissal = BadgeRecord.Dismissal(age: age, native: nil, app: app)
    if flags.contains(.dismissedValue) {
      dismissal.native = DismissedValue(unnamed: try row.unnamedValue(at: Column.dismissedValue))
    }
    return dismissal
  }
}

extension Statement {
  /// Binds an unnamed source; a dot is NULL.
  fileprivate func bind(_ value: UnnamedValue, at index: CInt) throws(SQLiteError) {
    switch value {
    case .number(let number): try bind(number, at: index)
    case .text(let text): try bind(text.rawValue, at: index)
    case .dot: break
    }
  }

  /// Binds the signed integer of the same bits.
  fileprivate func bind(unsigned value: UInt64?, at index: CInt) throws(SQLiteError) {
    try bind(value.map { Int64(bitPattern: $0) }, at: index)
  }

  fileprivate func unsigned(at column: CInt) -> UInt64? {
    integer(at: column).map { UInt64(bitPattern: $0) }
  }

  fileprivate func fraction(at column: CInt) -> Double? {
    double(at: column).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  fileprivate func unnamedValue(at column: CInt) throws(RowError) -> UnnamedValue {
    if isNull(at: column) { return .dot }
    if let number = integer(at: column), BadgeCount.isValid(number) { return .number(number) }
    // A text that reads as a number would have been stored as one.
    if let text = text(at: column), case .text(let value)? = try? UnnamedValue.reading(text) {
      return .text(value)
    }
    throw RowError("its value is not possible")
  }
}
