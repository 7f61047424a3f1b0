// SPDX-License-Identifier: MIT
// Rows of a state file that somebody edited: read or left out, and what is read is written as it was.
import BadgeCore
@testable import BadgeStore

@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start, count)
  do {
    let database = try Database(path: ":memory:")
    try Schema.migrate(database, from: 0)
    let insert = try database.prepare("REPLACE INTO badge VALUES (?1, ?2, ?3, ?4, ?5)")
    while !input.isEmpty {
      try insert.bind(utf8: input.piece(), at: 1)
      try insert.bind(Int64(input.byte() % 20), at: 2)
      switch input.byte() % 4 {
      case 0: break
      case 1: try insert.bind(Int64(bitPattern: input.integer()), at: 3)
      case 2: try insert.bind(Double(bitPattern: input.integer()), at: 3)
      default: try insert.bind(utf8: input.piece(), at: 3)
      }
      if input.byte() & 1 == 1 { try insert.bind(utf8: lines(&input, sources), at: 4) }
      if input.byte() & 1 == 1 { try insert.bind(utf8: lines(&input, details), at: 5) }
      try insert.run()
    }
    try check(database)
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}

/// What is read is written as it was, and a book of it too.
private func check(_ database: Database) throws {
  let table = try BadgeTable(database)
  var found = StoredState()
  try table.load(into: &found)
  let book = BadgeBook(records: found.badges)
  let kept = book.recordedIDs.sorted().compactMap { book.record(for: $0) }
  for records in [found.badges, kept] {
    try table.forgetAll()
    for record in records { try table.save(record) }
    var again = StoredState()
    try table.load(into: &again)
    precondition(again.badges == records && again.rejected.isEmpty, "\(again.rejected)")
  }
}

private let sources = ["1", "-1", "9007199254740991", "0"]
private let details =
  [
    "progress", "deadline", "owner", "kept", "dismissal", "dismissed-unnamed", "dismissed-source",
    "dismissed-app", "app", "app-progress",
  ] + BadgeKey.allCases.map(\.name)
private let values = [
  "true", "false", "0", "0.5", "-1", "number 5", "text new", "dot", "2 home", "true false", "42 17",
  "#FF0000", "none", "center",
]

/// Lines with likely names and values, and a piece of anything now and then.
private func lines(_ input: inout FuzzInput, _ names: [String]) -> [UInt8] {
  var bytes: [UInt8] = []
  for _ in 0..<input.byte() % 8 {
    bytes += input.byte() % 8 == 0 ? input.piece() : Array(input.choice(of: names).utf8)
    bytes.append(UInt8(ascii: "="))
    bytes += input.byte() % 3 == 0 ? input.piece() : Array(input.choice(of: values).utf8)
    bytes.append(UInt8(ascii: "\n"))
  }
  return bytes
}
