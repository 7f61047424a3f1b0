// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum ExportVerb: Verb {
  static let name = "export"
  static let summary = "print all badges and settings as JSON"
  static let discussion = [
    "The output holds the settings and, one per line, every badge with its value, sources, policy and "
      + "style. It can be kept, moved to another machine or edited. It does not include what no "
      + "client can read: the processes set with --while-pid, and dismissals of removed badges."
  ]
  static let examples = [Example("badgectl export > badges.json", "make a backup")]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let status = try session.ask { client throws(ClientError) in try client.status() }
    let list = try session.ask { client throws(ClientError) in try client.list() }
    try session.console.write(StateDocument.text(status, list.badges))
    return .done
  }
}

enum ImportVerb: Verb {
  static let name = "import"
  static let summary = "restore the output of export from standard input"
  static let worksInBatch = false
  static let options = [
    CommandOption(name: "replace", summary: "also remove every badge that is not in the input")
  ]
  static let discussion = [
    "Each badge becomes exactly what the input says; a missing key gets its default. If anything in "
      + "the input is wrong, nothing is changed. If the daemon refuses something, all changes are "
      + "undone. For an app's badge only style and policy are imported; the rest comes from the "
      + "app's next announcement. A missing setting keeps its value, and do-not-disturb whose end "
      + "has passed is turned off."
  ]
  static let examples = [Example("badgectl import < badges.json", "restore the backup")]

  private static let limit = 64 << 20

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let document = try StateDocument(try read(session.console))
    let settings = ImportedSettings(
      try session.ask { client throws(ClientError) in try client.status() }
    )
    let before = try session.ask { client throws(ClientError) in try client.list().badges }
    let present = Dictionary(before.map { ($0.id, $0) }) { $1 }
    var done: [BadgeID] = []
    do {
      for badge in document.badges {
        done.append(badge.id)
        try session.ask { client throws(ClientError) in
          try apply(badge, replacing: present[badge.id], client)
        }
      }
      let kept = Set(document.badges.map(\.id))
      for badge in before where arguments.has("replace") && !kept.contains(badge.id) {
        done.append(badge.id)
        try session.ask { client throws(ClientError) in try remove(badge.id, client) }
      }
      try session.ask { client throws(ClientError) in try document.settings.apply(client) }
    } catch {
      putBack(done, present, in: session)
      _ = try? session.ask { client throws(ClientError) in try settings.apply(client) }
      throw error
    }
    return .done
  }

  private static func read(_ console: Console) throws(CommandError) -> String {
    var bytes: [UInt8] = []
    while true {
      let chunk = try console.read(upTo: 65_536)
      if chunk.isEmpty { break }
      bytes += chunk
      guard bytes.count <= limit else { throw .failed("too large to import", "\(limit) bytes") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .failed("not JSON", "not UTF-8")
    }
    return text
  }

  private static func apply(
    _ badge: ImportedBadge,
    replacing state: BadgeState?,
    _ client: BadgeClient
  ) throws(ClientError) {
    let id = badge.id.rawValue
    let changes = badge.changes(replacing: state)
    guard badge.isDismissed else { return try client.update(id, changes) }
    // Dismiss it, then set the same value again: that keeps it dismissed.
    let open = changes.map { ($0.key, $0.key == .dismissable ? .boolean(true) : $0.value) }
    try client.update(id, open)
    try client.dismiss(id)
    try client.update(id, badge.changes(replacing: state))
  }

  private static func remove(_ id: BadgeID, _ client: BadgeClient) throws(ClientError) {
    do {
      try client.remove(id.rawValue)
    } catch .noSuchBadge {
      // It was removed since the list was read.
      return
    }
  }

  /// Undoes the changes, as far as the daemon allows.
  private static func putBack(
    _ ids: [BadgeID],
    _ present: [BadgeID: BadgeState],
    in session: Session
  ) {
    for id in ids.reversed() {
      _ = try? session.ask { client throws(ClientError) in
        guard let state = present[id] else { return try client.remove(id.rawValue) }
        let now = try? client.get(id.rawValue)
        try apply(ImportedBadge(state), replacing: now, client)
      }
    }
  }
}
