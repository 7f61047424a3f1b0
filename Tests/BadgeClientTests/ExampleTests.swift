// SPDX-License-Identifier: MIT
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
      try #require(contents(ofFile: Self.folder + "/Tests/BadgeClientTests/Examples.swift"))
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
