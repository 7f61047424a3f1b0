// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import Glibc
import Testing

@testable import BadgeCommand

/// Feeds events to a printer as `watch` does.
private struct Watching {
  private var printer: any WatchPrinter
  private var state: WatchedBadges

  init(_ words: [String], _ ids: [String]? = nil) throws {
    let ids = try ids.map { try $0.map { try BadgeID($0) } }
    let arguments = try #require(
      try ArgumentParser.parse((["x"] + words)[...], for: WatchVerb.self)
    )
    let session = Session(console: Console(output: -1), environment: Environment([:]))
    printer = try WatchVerb.printer(arguments, ids: ids, session: session)
    state = WatchedBadges(ids: ids)
  }

  mutating func lines(_ event: BadgeEvent) -> [String] {
    let before = state
    state.apply(event)
    return printer.output(for: event, before: before, after: state).map(\.text)
  }
}

@Suite struct WatchPrinterTests {
  private func snapshot(_ badges: BadgeState...) -> BadgeEvent {
    .snapshot(BadgeSnapshot(revision: 7, badges: badges))
  }

  private func changed(_ badge: BadgeState, _ name: String = "none", _ revision: UInt64 = 8)
    -> BadgeEvent
  {
    .changed(badge, Sample.animation(name == "none" ? "none" : "change", name), revision: revision)
  }

  private func removed(_ id: String) throws -> BadgeEvent {
    .removed(
      try BadgeID(id),
      reason: "removed",
      Sample.animation("disappear", "shrink"),
      revision: 9
    )
  }

  @Test("One badge in plain is its label, an empty line while hidden, and never twice the same")
  func plainOne() throws {
    var watching = try Watching([], ["mail"])
    #expect(watching.lines(snapshot()) == ["\n"])
    #expect(watching.lines(changed(try Sample.number("mail", 3))) == ["3\n"])
    #expect(watching.lines(changed(try Sample.number("mail", 3, [.font: .string("Sans")]))) == [])
    #expect(watching.lines(changed(try Sample.dot("mail"))) == ["•\n"])
    #expect(watching.lines(changed(try Sample.number("mail", 0))) == ["\n"])
    #expect(watching.lines(try removed("mail")) == [])
    #expect(watching.lines(changed(try Sample.text("mail", "on air"))) == ["on air\n"])
    #expect(watching.lines(.away) == ["\n"])
    #expect(watching.lines(snapshot(try Sample.text("mail", "on air"))) == ["on air\n"])
  }

  @Test("Several badges in plain have a line each, with the id before the label")
  func plainSeveral() throws {
    var watching = try Watching([])
    let mail = try Sample.number("mail", 3)
    #expect(watching.lines(snapshot(try Sample.dot("chat"), mail)) == ["chat\t•\n", "mail\t3\n"])
    #expect(watching.lines(changed(try Sample.number("mail", 4))) == ["mail\t4\n"])
    #expect(watching.lines(try removed("chat")) == ["chat\t\n"])
    #expect(watching.lines(.away) == ["mail\t\n"])
    #expect(watching.lines(snapshot(mail)) == ["mail\t3\n"])

    var two = try Watching([], ["mail", "chat"])
    #expect(two.lines(snapshot(mail)) == ["mail\t3\n", "chat\t\n"])
  }

  @Test("The total is one number over all")
  func total() throws {
    var watching = try Watching(["--total"])
    let (mail, chat) = (try Sample.number("mail", 3), try Sample.number("chat", 4))
    #expect(watching.lines(snapshot(chat, mail)) == ["7\n"])
    #expect(watching.lines(changed(try Sample.text("note", "x"))) == [])
    #expect(watching.lines(try removed("chat")) == ["3\n"])
    #expect(watching.lines(try removed("mail")) == ["\n"])

    var json = try Watching(["--total", "--json"])
    #expect(json.lines(snapshot(mail)) == [#"{"event":"state","total":3,"visible":1}"# + "\n"])
    #expect(json.lines(.away) == [#"{"event":"down"}"# + "\n"])
  }

  @Test("A template is filled in for each change; one badge that is hidden is an empty line")
  func template() throws {
    var one = try Watching(["--template", "{{{label}}} {count} {id:sh}"], ["mail"])
    #expect(one.lines(snapshot(try Sample.number("mail", 3))) == ["{3} 3 'mail'\n"])
    #expect(one.lines(changed(try Sample.number("mail", 0))) == ["\n"])

    var all = try Watching(["--template", "{id} {label} {count} {urgent} {sources}"])
    let sources = PropertyValue.sources([SourceEntry(name: "w", value: .integer(3))])
    #expect(
      all.lines(snapshot(try Sample.number("mail", 3, [.sources: sources]))) == [
        "mail 3 3 false w 3\n"
      ]
    )
    #expect(all.lines(changed(try Sample.number("mail", 0))) == ["mail  0 false \n"])
  }

  @Test(
    "A template's filters make a value safe for where it goes",
    arguments: [
      ("{description}", "<a> 'b'\n"), ("{description:markup}", "&lt;a&gt; &#39;b&#39;\n"),
      ("{description:json}", "\"<a> 'b'\"\n"), ("{description:sh}", "'<a> '\\''b'\\'''\n"),
      ("{count:json}", "3\n"), ("{progress}", "-1\n"), ("{background}", "#FF0000\n"),
    ]
  )
  func templateFilters(template: String, line: String) throws {
    var watching = try Watching(["--template", template], ["mail"])
    let badge = try Sample.number("mail", 3, [.description: .string("<a> 'b'")])
    #expect(watching.lines(snapshot(badge)) == [line])
  }

  @Test("JSON has an event a line, each with the whole badge")
  func json() throws {
    var watching = try Watching(["--json"], ["mail", "chat"])
    let lines = watching.lines(snapshot(try Sample.number("mail", 3)))
    #expect(lines.count == 2)
    #expect(
      lines[0].hasPrefix(#"{"event":"state","id":"mail","badge":{"id":"mail","kind":"number""#)
    )
    #expect(lines[0].hasSuffix(#","revision":7}"# + "\n"))
    #expect(lines[1] == #"{"event":"state","id":"chat","revision":7}"# + "\n")

    let line = watching.lines(changed(try Sample.number("mail", 4), "bounce", 8))
    #expect(line.count == 1)
    #expect(line[0].hasPrefix(#"{"event":"changed","id":"mail","badge":{"#))
    #expect(
      line[0].hasSuffix(
        #","animation":{"event":"change","name":"bounce","direction":"none"},"revision":8}"# + "\n"
      )
    )
    #expect(
      watching.lines(try removed("mail")) == [
        #"{"event":"removed","id":"mail","animation":{"event":"disappear","name":"shrink","#
          + #""direction":"none"},"reason":"removed","revision":9}"# + "\n"
      ]
    )
    #expect(watching.lines(.away) == [#"{"event":"down"}"# + "\n"])
    #expect(watching.lines(snapshot(try Sample.number("mail", 4))).count == 2)
  }

  @Test("JSON says after a gap what was missed, and nothing twice")
  func jsonAfterGap() throws {
    var watching = try Watching(["--format", "json"])
    let (mail, chat) = (try Sample.number("mail", 3), try Sample.dot("chat"))
    #expect(watching.lines(snapshot(chat, mail)).count == 2)
    #expect(watching.lines(snapshot(chat, mail)) == [])
    #expect(watching.lines(changed(mail)) == [])
    let lines = watching.lines(snapshot(try Sample.number("mail", 4)))
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix(#"{"event":"state","id":"mail""#))
    #expect(lines[1] == #"{"event":"removed","id":"chat","revision":7}"# + "\n")
  }

  @Test("JSON carries a hint complete enough to play")
  func jsonHint() throws {
    var hint = Sample.animation("attention", "shake")
    hint.property = "rotation"
    hint.keyframes = [.init(offset: 0, value: -5), .init(offset: 0.5, value: 5)]
    (hint.duration, hint.plays) = (0.25, 0)
    hint.timing = [0.4, 1.3, 1, 1]
    var json = JSONText()
    json.append(hint)
    #expect(
      json.text == """
        {"event":"attention","name":"shake","direction":"none","property":"rotation",\
        "keyframes":[[0,-5],[0.5,5]],"duration":0.25,"repeat":0,"timing":[0.4,1.3,1,1]}
        """
    )
  }

  @Test("Waybar's class differs with each animation, and ends with a change that has none")
  func waybarMotion() throws {
    var watching = try Watching(["--format", "waybar"], ["mail"])
    func classes(_ event: BadgeEvent) throws -> [String] {
      let line = try #require(watching.lines(event).first)
      guard case .object(let members) = try JSONParser.parse(line),
        case .array(let classes)? = members.first(where: { $0.name == "class" })?.value
      else { return [] }
      return classes.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
    #expect(try classes(snapshot(try Sample.number("mail", 1))) == ["badge", "number"])
    #expect(try classes(changed(try Sample.number("mail", 2), "bounce")).last == "bounce-a")
    #expect(try classes(changed(try Sample.number("mail", 3), "bounce")).last == "bounce-b")
    #expect(try classes(changed(try Sample.number("mail", 4), "pop")).last == "pop-a")
    let calm = Sample.animation("calm", "none")
    let event = BadgeEvent.changed(try Sample.number("mail", 4), calm, revision: 9)
    #expect(try classes(event) == ["badge", "number"])
    let down = try classes(.away)
    #expect(down == ["badge", "number", "hidden", "disconnected"])
  }

  @Test("eww gets one object with all of the state")
  func eww() throws {
    var watching = try Watching(["--format", "eww"], ["mail", "chat"])
    let lines = watching.lines(snapshot(try Sample.number("mail", 3)))
    let line = try #require(lines.first)
    #expect(
      line.hasPrefix(
        #"{"connected":true,"visible":true,"label":"3","count":3,"urgent":false,"shown":["mail"],"#
          + #""badges":{"mail":{"id":"mail","#
      )
    )
    #expect(line.contains(#""chat":{"id":"chat","#))
    #expect(throws: Never.self) { try JSONParser.parse(line) }
    #expect(watching.lines(.away).first?.hasPrefix(#"{"connected":false,"visible":false"#) ?? false)
  }

  @Test(
    "Every format begins with the state, also of a badge that is absent",
    arguments: WatchFormat.allCases
  )
  func beginsWithState(format: WatchFormat) throws {
    var watching = try Watching(["--format", format.rawValue], ["mail"])
    #expect(watching.lines(snapshot()).count == 1)
    #expect(watching.lines(changed(try Sample.number("mail", 3))).count == 1)
    #expect(watching.lines(.away).count == 1)
  }
}

/// How a watch ends.
@Suite struct WatchRunTests {
  /// How many descriptors the process has open.
  private static var openDescriptors: Int {
    (0..<1_024).count { fcntl($0, F_GETFD) >= 0 }
  }

  @Test("A watch that cannot begin leaves nothing open")
  func leavesNothing() async {
    // A watch takes over the signals of its process.
    await #expect(processExitsWith: .success) {
      // Meanwhile the concurrency runtime opens a few descriptors of its own, on another thread and
      // whenever that gets to run. A leak would add one for each watch.
      let watches = 20
      let before = Self.openDescriptors
      for _ in 0..<watches {
        let run = try CommandRun(["watch"])
        #expect(run.status == .unreachable)
      }
      #expect(Self.openDescriptors - before < watches / 2)
    }
  }
}
