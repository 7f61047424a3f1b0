// SPDX-License-Identifier: MIT
// The bodies of Update calls as the bus delivers them, down to the book.
import BadgeCore
import DBus

@testable import BadgeBus
@testable import BadgeService

enum ServiceTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    var book = BadgeBook()
    while !input.isEmpty {
      guard let message = input.signal(signature: "sa{sv}") else { continue }
      var reader = message.makeReader()
      guard let text = try? reader.readString(), let id = try? BadgeID(text),
        let changes = try? reader.readChanges()
      else { continue }
      do throws(BadgeError) {
        _ = try book.update(id, with: BadgeUpdate(changes), now: 0)
      } catch {
        precondition(error.message.utf8.count < 1_024 && !error.message.contains("\n"))
      }
    }
    BookCheck.run(book)
  }
}
