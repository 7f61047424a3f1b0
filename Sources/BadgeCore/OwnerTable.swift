// SPDX-License-Identifier: MIT

/// The processes that badges live with, and which badges those are; there are few of them.
struct OwnerTable: Sendable {
  private struct Entry: Sendable {
    let process: OwnerProcess
    var ids: Set<BadgeID>
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  var processes: [OwnerProcess] { entries.map { $0.process } }

  func contains(_ process: OwnerProcess) -> Bool { position(of: process) != nil }

  /// The badges that live with a process, in order.
  func ids(of process: OwnerProcess) -> [BadgeID] {
    position(of: process).map { entries[$0].ids.sorted() } ?? []
  }

  mutating func insert(_ id: BadgeID, of process: OwnerProcess) {
    if let position = position(of: process) {
      entries[position].ids.insert(id)
    } else {
      entries.append(Entry(process: process, ids: [id]))
    }
  }

  mutating func remove(_ id: BadgeID, of process: OwnerProcess) {
    guard let position = position(of: process) else { return }
    entries[position].ids.remove(id)
    if entries[position].ids.isEmpty { entries.remove(at: position) }
  }

  private func position(of process: OwnerProcess) -> Int? {
    entries.firstIndex { $0.process == process }
  }
}
