// SPDX-License-Identifier: MIT
// Dictionaries of an Update, applied one after another: all or nothing, and every badge reads well.
import BadgeCore

@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start, count)
  var book = BadgeBook()
  while !input.isEmpty {
    let id = input.choice(of: ["mail", "chat", "org.example.App"])
    guard let id = try? BadgeID(id) else { continue }
    let changes = (0..<input.byte() % 4).map { _ in (key(&input), value(&input)) }
    guard let update = try? BadgeUpdate(changes) else { continue }
    _ = try? book.update(id, with: update, now: 0)
    guard let badge = book[id] else { continue }
    for key in BadgeKey.allCases where key.isReadable {
      _ = badge.value(of: key, now: 0, quiet: false)
    }
    precondition(badge.count.magnitude < 1 << 53)
  }
  return 0
}

private func key(_ input: inout FuzzInput) -> String {
  let index = Int(input.byte())
  return index < BadgeKey.allCases.count ? BadgeKey.allCases[index].name : input.text()
}

private func value(_ input: inout FuzzInput) -> PropertyValue {
  switch input.byte() % 7 {
  case 0: .boolean(input.byte() & 1 == 1)
  case 1: .integer(Int64(bitPattern: input.integer()))
  case 2: .unsigned(input.integer())
  case 3: .double(Double(bitPattern: input.integer()))
  case 4: .string(input.text())
  case 5:
    .sources(
      (0..<input.byte() % 8).map { _ in
        SourceEntry(name: input.text(), value: .integer(Int64(bitPattern: input.integer())))
      }
    )
  default: .unsupported(input.text())
  }
}
