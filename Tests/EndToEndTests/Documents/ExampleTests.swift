// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TestSupport

/// The recipes in badged-panels(7) are parts of the examples, and the examples work.
@Suite struct PanelRecipeTests {
  /// A part of an example that the manual shows.
  struct Recipe: CustomTestStringConvertible {
    var file: String
    var text: String

    var testDescription: String { file }
  }

  /// The blocks of the manual that name their source.
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
  /// The parts of the text after each occurrence of `mark`.
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
  /// The first occurrence of a text.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    firstRange(of: text)
  }
}

/// `examples/maildir-unread` on a real Maildir, with Python's own mailbox code as the mail program and
/// GLib as the subscriber.
@Suite(.privateBus) struct MaildirTests {
  let bus = PrivateBus.current
  let mail: String
  let environment: [String: String]

  init() throws {
    mail = bus.directory.appending("Mail")
    var environment = bus.environment
    let programs = String(try productPath("badged").dropLast("/badged".count))
    environment["PATH"] = "\(programs):/usr/bin:/bin"
    self.environment = environment
  }

  private static let subscriber = """
    from gi.repository import Gio, GLib
    def show(bus, sender, path, interface, signal, arguments):
        id, badge, hint, revision = arguments.unpack()
        print(badge["count"], badge["visible"], hint["event"], hint["direction"], flush=True)
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.signal_subscribe(None, "org.badged.Badges1", "Changed", None, "mail", 0, show)
    bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus.Peer", "Ping", None, None, 0, -1)
    print("ready", flush=True)
    GLib.MainLoop().run()
    """

  /// A mail program: delivers messages, and renames them as they are listed and read.
  private static let mailProgram = """
    import mailbox, os, sys
    folder, actions = sys.argv[1], sys.argv[2:]
    box = mailbox.Maildir(folder)
    for action in actions:
        if action == "deliver":
            box.add(mailbox.MaildirMessage(b"Subject: hello\\n\\nhello\\n"))
            continue
        unread = [k for k in box.keys() if "S" not in box[k].get_flags()]
        key = sorted(unread)[0]
        new, seen = os.path.join(folder, "new", key), os.path.join(folder, "cur", key + ":2,")
        if action == "look": os.rename(new, seen)
        else: os.rename(new if os.path.exists(new) else seen, seen + "S")
    """

  private func mailbox(_ actions: String...) throws {
    let finished = try SpawnedProcess.run(
      "/usr/bin/python3",
      ["-c", Self.mailProgram, mail] + actions,
      environment: environment
    )
    #expect(finished.status == .success, "\(finished.errorOutput)")
  }

  @Test("A subscriber sees mail come, be read, and the badge hide at zero, each with its hint")
  func followsMail() throws {
    // Started before the daemon and the Maildir exist.
    let example = try SpawnedProcess(
      Project.path("examples/maildir-unread"),
      ["--follow", mail],
      environment: environment
    )
    let subscriber = try bus.spawn("/usr/bin/python3", ["-c", Self.subscriber])
    try subscriber.waitForLine(containing: "ready")
    let daemon = try bus.startDaemon()
    try mailbox("deliver")
    #expect(try subscriber.readLine() == "1 True appear none")
    try mailbox("deliver")
    #expect(try subscriber.readLine() == "2 True change up")
    // Listed by the mail program but still unread: no change, so no signal.
    try mailbox("look")
    try mailbox("read")
    #expect(try subscriber.readLine() == "1 True change down")
    try mailbox("read")
    #expect(try subscriber.readLine() == "0 False disappear down")
    try mailbox("deliver")
    #expect(try subscriber.readLine() == "1 True appear up")

    example.send(signal: SIGTERM)
    #expect(try example.wait() == .success)
    #expect(example.errorOutput == "")
    #expect(
      try eventually {
        try SpawnedProcess.run("pgrep", ["-f", mail + "/new"], environment: environment).output
          == ""
      }
    )
    daemon.terminate()
  }

  @Test("Names with spaces, newlines and stars count once; seen, trashed and hidden ones do not")
  func oddNames() throws {
    let daemon = try bus.startDaemon()
    let made = try SpawnedProcess.run(
      "bash",
      [
        "-ec",
        """
        mkdir -p "$1"/{new,cur,tmp}
        cd "$1"
        touch new/'a b' new/$'a\\nb' 'new/*' new/-rf new/7:2,S new/.hidden tmp/unfinished
        touch cur/1:2, cur/2:2,RF cur/no-info cur/3:2,S cur/4:2,RST cur/5:2,T cur/.6:2,
        mkdir new/folder
        """, "sh", mail,
      ],
      environment: environment
    )
    #expect(made.status == .success, "\(made.errorOutput)")
    let counted = try SpawnedProcess.run(
      Project.path("examples/maildir-unread"),
      ["--id", "org.example.Mail", "--source", "work", mail],
      environment: environment
    )
    #expect(counted.status == .success, "\(counted.errorOutput)")
    let count = try bus.badgectl("get", "org.example.Mail", "count")
    #expect(count.output == "8\n")
    daemon.terminate()
  }

  @Test("A folder that is not there is an error in one line, and so is a missing daemon")
  func missingThings() throws {
    let example = Project.path("examples/maildir-unread")
    let missing = try SpawnedProcess.run(example, ["/nowhere"], environment: environment)
    #expect(missing.status == .exited(1))
    #expect(missing.errorOutput == "maildir-unread: no Maildir: '/nowhere'\n")
    let wrong = try SpawnedProcess.run(example, ["--no-such"], environment: environment)
    #expect(wrong.status == .exited(2))
    try mailbox("deliver")
    let alone = try SpawnedProcess.run(example, [mail], environment: environment)
    #expect(alone.status == .exited(4))
  }
}
