// SPDX-License-Identifier: MIT
internal import BadgeCore

extension BadgeService {
  /// Changes the badge `id`, or refuses to.
  func change(
    _ id: BadgeID,
    _ body: (inout BadgeBook) throws(BadgeError) -> Change
  ) throws(BadgeError) {
    let subject = publisher.prepare(id, in: book)
    let change = try body(&book)
    journal.note()
    switch change {
    case .none: return
    case .updated: publisher.note(subject)
    case .removed(_, let reason): publisher.note(subject, removed: reason)
    case .several: note(change)
    }
    touch(subject)
  }

  /// Changes any number of badges, of those that `mayChange` says may change.
  func changeSeveral(
    where mayChange: (Badge) -> Bool,
    _ body: (inout BadgeBook) -> Change
  ) {
    // What subscribers saw of a badge is what the book holds until it is changed.
    for badge in book.badges where mayChange(badge) { publisher.prepare(badge.id, in: book) }
    let change = body(&book)
    journal.note()
    note(change)
  }

  func note(_ change: Change) {
    switch change {
    case .none: return
    case .updated(let id):
      let subject = publisher.prepare(id, in: book)
      publisher.note(subject)
      touch(subject)
    case .removed(let id, let reason):
      let subject = publisher.prepare(id, in: book)
      publisher.note(subject, removed: reason)
      touch(subject)
    case .several(let changes):
      for change in changes { note(change) }
    }
  }

  /// Has the listener told of a badge at the end of the turn.
  private func touch(_ subject: Subject) {
    guard listener != nil, !subject.isTouched else { return }
    subject.isTouched = true
    touched.append(subject)
  }

  /// The badges that changed since the last time.
  func takeTouched() -> [BadgeID] {
    defer { touched = [] }
    return touched.map { subject in
      subject.isTouched = false
      return subject.id
    }
  }

  func takeSenderChanges() {
    guard let changes = listener?.takeSenderChanges() else { return }
    for record in changes.saved { journal.save(record) }
    for record in changes.departed { journal.forget(record) }
  }
}
