// SPDX-License-Identifier: MIT
import EventLoop
import TestSupport
import Testing

@testable import DBus
@testable import LauncherEntry

@Suite("A sender that means no good")
struct HostileSenderTests {
  @Test("spells an app in ever new ways, and few of them are remembered")
  func spellings() {
    var states = SenderStates()
    var update = LauncherUpdate()
    for number in 0..<2_000 {
      update.count = Int64(number)
      let slashes = String(repeating: "/", count: number % 2 == 0 ? 1 : 4_000)
      let uri = "application://\(number)\(slashes)app.desktop"
      _ = states.apply(update, to: uri, from: ":1.1", now: .now()) { _ in "app" }
    }
    let spellings = states.senders[":1.1"]?.idBySpelling ?? [:]
    #expect((1...4).contains(spellings.count))
    #expect(spellings.keys.allSatisfy { $0.utf8.count <= LauncherLimits.rememberedSpellingBytes })
  }

  @Test("says a thousand keys at once, and none is heard", arguments: [256, 257, 1_000])
  func keys(count: Int) throws {
    var writer = MessageWriter()
    writer.append("application://app.desktop")
    writer.appendDictionary { entries in
      entries.appendEntry("count", variant: 3 as Int64)
      for number in 1..<count { entries.appendEntry("k\(number)", variant: true) }
    }
    var buffer = ByteBuffer()
    let header = OutgoingHeader(
      kind: .signal,
      serial: 1,
      path: .root,
      interface: LauncherNames.interface,
      member: LauncherNames.update
    )
    header.compose(writer, into: &buffer)
    let message = try Message(bytes: buffer.array(from: 0, upTo: buffer.count))
    #expect(LauncherUpdate.read(message)?.update.count == (count > LauncherLimits.keys ? nil : 3))
  }
}
