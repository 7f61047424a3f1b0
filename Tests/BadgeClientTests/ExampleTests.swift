// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import TestSupport
import Testing

@Suite struct ExampleTests {
  private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  @Test(
    "The examples of the documentation are code that compiles",
    arguments: [
      "Sources/BadgeClient/BadgeClient.swift", "Sources/BadgeClient/BadgeEvents.swift", "README.md",
    ]
  )
  func areCompiled(file: String) throws {
    let text = try #require(contents(ofFile: Self.folder + "/" + file))
    let compiled = Self.lines(
      try #require(contents(ofFile: Self.folder + "/Tests/BadgeClientTests/ExampleTests.swift"))
    )
    var examples = 0
    var block: [String]?
    for line in Self.lines(text) {
      if line == "```swift" {
        block = []
      } else if line == "```", let finished = block {
        examples += 1
        block = nil
        #expect(compiled.contains(finished), "\(finished)")
      } else if line != "import BadgeClient", !line.isEmpty {
        block?.append(line)
      }
    }
    #expect(examples > 0)
  }

  /// The lines without comment marks and indentation.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      let bare = line.drop { $0 == " " }
      return String(bare.hasPrefix("///") ? bare.dropFirst(3).drop { $0 == " " } : bare)
    }
  }
}

/// The examples of the documentation, so that they are known to compile; a test compares.
enum Examples {
  static func requests() throws {
    let client = try BadgeClient()
    try client.set("mail", to: 3)
    try client.update("mail", [(.description, .string("3 unread")), (.urgent, .boolean(true))])
    for badge in try client.list().badges where badge.isVisible {
      print(badge.id, badge.label)
    }
  }

  static func events() throws {
    for event in try BadgeClient().events(of: ["mail"]) {
      switch event {
      case .snapshot(let list): print("mail:", list.badges.first?.label ?? "")
      case .changed(let badge, let animation, _): print("mail:", badge.label, animation.name)
      case .removed, .away: print("mail:")
      case .disconnected: print("the session is over")
      }
    }
  }
}
