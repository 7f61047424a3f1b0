// SPDX-License-Identifier: MIT

/// The dismissals that are remembered, within the contract's bound, the oldest forgotten first.
struct DismissalMemory: Sendable {
  private var table = AgedTable<Dismissal>()
  private var sources = 0

  var ids: some Sequence<BadgeID> { table.ids }

  subscript(id: BadgeID) -> Dismissal? {
    table[id]
  }

  func age(of id: BadgeID) -> UInt64? {
    table.age(of: id)
  }

  /// Remembers a dismissal as the newest.
  ///
  /// - Returns: The ids that were forgotten for it.
  mutating func insert(
    _ dismissal: Dismissal,
    for id: BadgeID,
    age: UInt64? = nil
  ) -> [BadgeID] {
    forget(id)
    table.insert(dismissal, for: id, age: age)
    sources += Self.weight(of: dismissal)
    var forgotten: [BadgeID] = []
    while table.count > Limits.dismissals || sources > Limits.dismissals,
      let oldest = table.removeOldest()
    {
      sources -= Self.weight(of: oldest.value)
      forgotten.append(oldest.id)
    }
    return forgotten
  }

  /// Changes what is remembered and leaves it as old as it is; what is over is forgotten.
  ///
  /// - Returns: The style that was kept with a dismissal that is over.
  mutating func change(_ id: BadgeID, _ body: (inout Dismissal) -> Void) -> Badge? {
    guard var dismissal = table[id] else { return nil }
    sources -= Self.weight(of: dismissal)
    body(&dismissal)
    if dismissal.isOver {
      _ = table.remove(id)
      return dismissal.look
    }
    sources += Self.weight(of: dismissal)
    table.replace(dismissal, for: id)
    return nil
  }

  mutating func forget(_ id: BadgeID) {
    guard let dismissal = table.remove(id) else { return }
    sources -= Self.weight(of: dismissal)
  }

  /// Named sources are bounded too: 4,096 dismissals of 64 long names would be 64 MB.
  private static func weight(of dismissal: Dismissal) -> Int {
    dismissal.native?.sources.count ?? 0
  }
}
