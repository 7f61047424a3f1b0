// SPDX-License-Identifier: MIT
public import DBus

extension Value {
  /// The entries of a dictionary by their text keys, without their variants.
  public var entries: [String: Value] {
    guard case .dictionary(_, _, let list) = self else { return [:] }
    var entries: [String: Value] = [:]
    for entry in list {
      guard case .string(let key) = entry.key else { continue }
      if case .variant(let value) = entry.value {
        entries[key] = value
      } else {
        entries[key] = entry.value
      }
    }
    return entries
  }
}
