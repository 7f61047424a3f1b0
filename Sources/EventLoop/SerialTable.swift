// SPDX-License-Identifier: MIT

/// Values by numbers that mostly grow: found by halving, without hashing.
package struct SerialTable<Value> {
  private var entries: [(serial: UInt64, value: Value)] = []

  /// An empty table.
  package init() {}

  /// Whether there are no values.
  package var isEmpty: Bool { entries.isEmpty }

  /// How many values there are.
  package var count: Int { entries.count }

  /// The values, by rising numbers.
  package var values: [Value] { entries.map { $0.value } }

  /// The value of a number; nil where there is none.
  package subscript(serial: UInt64) -> Value? {
    let position = position(of: serial)
    return isAt(position, serial) ? entries[position].value : nil
  }

  /// Gives a number a value.
  package mutating func set(_ value: Value, for serial: UInt64) {
    let position = position(of: serial)
    if isAt(position, serial) {
      entries[position].value = value
    } else {
      entries.insert((serial, value), at: position)
    }
  }

  /// Takes a number's value out.
  @discardableResult
  package mutating func remove(_ serial: UInt64) -> Value? {
    let position = position(of: serial)
    return isAt(position, serial) ? entries.remove(at: position).value : nil
  }

  /// Takes all values out.
  package mutating func removeAll() {
    entries = []
  }

  private func isAt(_ position: Int, _ serial: UInt64) -> Bool {
    position < entries.count && entries[position].serial == serial
  }

  /// Where the number is, or belongs.
  private func position(of serial: UInt64) -> Int {
    if let last = entries.last, last.serial < serial { return entries.count }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].serial < serial { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
