// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore

enum ExportVerb: Verb {
  static let name = "export"
  static let summary = "print all state as JSON"
  static let discussion = [
    "The object holds the settings and, one a line, every badge with its value, sources, policy and "
      + "style, to be kept, moved or mended by hand. What no client can read is not in it: the "
      + "processes that badges live with, and dismissals of badges that are gone."
  ]
  static let examples = [Example("badgectl export > badges.json", "a copy to keep")]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let status = try session.ask { client throws(ClientError) in try client.status() }
    let list = try session.ask { client throws(ClientError) in try client.list() }
    try session.console.write(StateDocument.text(status, list.badges))
    return .done
  }
}

enum ImportVerb: Verb {
  static let name = "import"
  static let summary = "take what export printed, from standard input, all or nothing"
  static let worksInBatch = false
  static let options = [
    CommandOption(name: "replace", summary: "also remove every badge that is not in it")
  ]
  static let discussion = [
    "Each badge becomes exactly as it is written; a key that is left out has its default. Where "
      + "anything is wrong nothing is changed, and where the daemon refuses something, what was "
      + "changed is put back. Of an app's badge only style and policy are taken: the app says the "
      + "rest when it next announces it. A setting that is left out stays, and do-not-disturb that "
      + "was to end at a time that has passed is off."
  ]
  static let examples = [Example("badgectl import < badges.json", "put the copy back")]

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
    // Dismissed, and then set again to the value it had: so it came to be.
    let open = changes.map { ($0.key, $0.key == .dismissable ? .boolean(true) : $0.value) }
    try client.update(id, open)
    try client.dismiss(id)
    try client.update(id, badge.changes(replacing: state))
  }

  private static func remove(_ id: BadgeID, _ client: BadgeClient) throws(ClientError) {
    do {
      try client.remove(id.rawValue)
    } catch .noSuchBadge {
      // Gone since the list was read, which is as well.
      return
    }
  }

  /// Undoes what was done, as far as the daemon lets it.
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
