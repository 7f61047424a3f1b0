// SPDX-License-Identifier: MIT
// A text as JSON, and as a state document: what is taken is what the domain takes.
import BadgeCore

@testable import BadgeCommand

enum ImportTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    let text = String(decoding: input.remainder(), as: UTF8.self)
    _ = try? JSONParser.parse(text)
    guard let document = try? StateDocument(text) else { return }
    var book = BadgeBook()
    for badge in document.badges {
      guard
        let update = try? BadgeUpdate(badge.changes(replacing: nil).map { ($0.key.name, $0.value) })
      else { preconditionFailure("an import that was checked is refused") }
      _ = try? book.update(badge.id, with: update, now: 0)
    }
    BookCheck.run(book)
  }
}
