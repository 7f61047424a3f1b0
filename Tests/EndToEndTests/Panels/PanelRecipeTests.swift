// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// What badged-panels(7) says to copy is what the examples hold, and those run.
@Suite struct PanelRecipeTests {
  /// A part of a file that the manual shows.
  struct Recipe: CustomTestStringConvertible {
    var file: String
    var text: String

    var testDescription: String { file }
  }

  /// The blocks of the manual that say where they are from.
  static func recipes() throws -> [Recipe] {
    let manual = try Project.text("man/badged-panels.7")
    return manual.components(after: ".\\\" from ").compactMap { part -> Recipe? in
      guard let newline = part.firstIndex(of: "\n"),
        let start = part.range(of: ".Bd -literal -offset indent\n"),
        let end = part.range(of: ".Ed\n")
      else { return nil }
      let text = part[start.upperBound..<end.lowerBound]
      return Recipe(
        file: String(part[..<newline]),
        text: String(text).replacing("\\&", with: "").replacing("\\-", with: "-").replacing(
          "\\e",
          with: "\\"
        )
      )
    }
  }

  @Test("The manual's recipes are parts of the examples, line by line")
  func recipesAreExamples() throws {
    let recipes = try Self.recipes()
    #expect(Set(recipes.map(\.file)).count >= 6)
    for recipe in recipes {
      let example = try Project.text(recipe.file)
      #expect(example.contains(recipe.text), "\(recipe.file): \(recipe.text)")
    }
  }

  @Test("The README's recipe for Waybar is part of the example")
  func readmeRecipe() throws {
    let readme = try Project.text("README.md")
    let example = try Project.text("examples/waybar/config.jsonc")
    for line in [
      #""custom/mail": {"#, #""exec": "badgectl watch --format waybar mail""#,
      #""return-type": "json""#, #""format": "{}""#,
    ] {
      #expect(readme.contains(line) && example.contains(line), "\(line)")
    }
  }

  @Test("The example in Swift compiles against BadgeClient", .privateBus)
  func swiftExampleCompiles() throws {
    let environment = PrivateBus.current.environment
    let flags = try SpawnedProcess.run(
      "pkg-config",
      ["--cflags", "dbus-1"],
      environment: environment
    )
    let programs = try productPath("badgectl").dropLast("badgectl".count)
    let compiler = try SpawnedProcess.run(
      "swiftc",
      [
        "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library",
        "-module-cache-path", "\(programs)ModuleCache", "-I", "\(programs)Modules",
        "-I", Project.path("Sources/CLinux"), "-I", Project.path("Sources/CDBus"),
      ] + flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
        + [Project.path("examples/swift-client/Sources/badge-bell/BadgeBell.swift")],
      environment: environment,
      within: .seconds(120)
    )
    #expect(compiler.status == .success, "\(compiler.errorOutput)")
  }

  @Test("Every command of badgectl in the examples is one it takes", .privateBus)
  func commandsAreKnown() throws {
    let stage = CommandStage()
    let daemon = try stage.startDaemon()
    defer { daemon.terminate() }
    try stage.done("set", "mail", "3")
    let files = [
      "waybar/config.jsonc", "polybar/config.ini", "i3blocks/config",
      "i3status-rs/config.toml", "yambar/config.yml", "eww/eww.yuck",
    ]
    var watched = 0
    for file in files {
      let text = try Project.text("examples/" + file)
      for match in text.matches(of: #/badgectl ((watch|acknowledge|dismiss)[-a-z0-9 ]*)/#) {
        let words = match.1.split(separator: " ").map(String.init)
        guard words[0] == "watch" else {
          #expect(try stage.bus.run(productPath("badgectl"), words + ["--help"]).status == .success)
          continue
        }
        let watch = try stage.bus.spawn(productPath("badgectl"), words)
        #expect(try watch.readLine() != nil, "\(file): \(words)")
        watch.terminate()
        watched += 1
      }
    }
    #expect(watched >= 11)
  }
}

extension String {
  /// What follows each occurrence of a text, up to the next.
  fileprivate func components(after mark: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let found = rest.range(of: mark) {
      rest = rest[found.upperBound...]
      parts.append(rest[..<(rest.range(of: mark)?.lowerBound ?? rest.endIndex)])
    }
    return parts
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Where a text occurs first.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    firstRange(of: text)
  }
}
