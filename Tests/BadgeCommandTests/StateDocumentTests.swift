// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import Testing

@testable import BadgeCommand

@Suite struct StateDocumentTests {
  private func document(_ badges: String) throws -> StateDocument {
    try StateDocument(#"{"format":"badged","version":1,"badges":["# + badges + "]}")
  }

  private func value(of badge: String, replacing state: BadgeState? = nil) throws -> [String] {
    try document(badge).badges[0].value(replacing: state).map { "\($0.key.name)=\($0.value)" }
  }

  @Test(
    "A badge's value is what its keys say, with its sources",
    arguments: [
      (#"{"id":"a"}"#, ["count=0"]), (#"{"id":"a","count":5}"#, ["count=5"]),
      (#"{"id":"a","text":"x"}"#, ["text='x'"]), (#"{"id":"a","kind":"dot"}"#, ["kind='dot'"]),
      (#"{"id":"a","kind":"text","text":"x","count":0}"#, ["text='x'"]),
      (
        #"{"id":"a","kind":"number","count":5,"sources":{"":2,"w":3}}"#, ["sources={'': 2, 'w': 3}"]
      ),
      (#"{"id":"a","kind":"number","sources":{"w":3}}"#, ["sources={'': 0, 'w': 3}"]),
      (
        #"{"id":"a","kind":"text","text":"x","sources":{"w":3}}"#, ["text='x'", "sources={'w': 3}"]
      ),
    ]
  )
  func readsValues(badge: String, changes: [String]) throws {
    #expect(try value(of: badge) == changes)
  }

  @Test("Sources that are there already and are not in the document end")
  func endsSources() throws {
    let state = try Sample.number(
      "a",
      3,
      [.sources: .sources([SourceEntry(name: "old", value: .integer(3))])]
    )
    #expect(
      try value(of: #"{"id":"a","count":5}"#, replacing: state) == ["sources={'': 5, 'old': 0}"]
    )
    #expect(
      try value(of: #"{"id":"a","kind":"dot"}"#, replacing: state) == [
        "kind='dot'", "sources={'old': 0}",
      ]
    )
  }

  @Test("What export prints, import takes, and it is the same")
  func roundTrips() throws {
    let sources = PropertyValue.sources([
      SourceEntry(name: "", value: .integer(2)), SourceEntry(name: "w=x", value: .integer(3)),
    ])
    let badges = [
      try Sample.number("a", 5, [.sources: sources, .urgent: .boolean(true), .max: .integer(9)]),
      try Sample.text("b", "\"\\xä", [.background: .string("#112233"), .ttl: .double(1.5)]),
      try Sample.dot("c", [.dismissed: .boolean(true), .animationAppear: .string("spring")]),
      try Sample.number("d", 7, [.origin: .string("launcher-entry"), .font: .string("Sans")]),
    ]
    let text = StateDocument.text(try serviceStatus(), badges)
    let document = try StateDocument(text)
    #expect(document.badges.map(\.id) == badges.map(\.id))
    for (read, badge) in zip(document.badges, badges) {
      let expected = ImportedBadge(badge).changes(replacing: nil)
      #expect(read.changes(replacing: nil).map(\.key) == expected.map(\.key))
      #expect(read.changes(replacing: nil).map(\.value) == expected.map(\.value))
    }
    #expect(document.badges[2].isDismissed)
    #expect(!document.badges[3].changes(replacing: nil).contains { $0.key == .count })
    #expect(try StateDocument(StateDocument.text(try serviceStatus(), [])).badges == [])
    // A badge a line, so that it can be mended by hand.
    #expect(text.split(separator: "\n").count == badges.count + 2)
  }

  private func serviceStatus() throws -> ServiceStatus { ServiceStatus() }

  @Test(
    "A document that is wrong anywhere is refused, with the place",
    arguments: [
      ("[]", "expected an object, found: 'an array'"),
      ("{", "not JSON: line 1, column 2: a name in quotes is missing"),
      (
        "{}",
        #"not a known export format, which has "format": "badged": 'no "format"'"#
      ),
      (
        #"{"format":"badged","version":2}"#,
        #"not a known export format, which has "version": 1: '2'"#
      ),
      (#"{"format":"badged","version":1,"x":1}"#, "unknown member: 'x'"),
      (
        #"{"format":"badged","version":1,"quiet":1}"#,
        "expected true or false at 'quiet', found a number: '1'"
      ),
      (
        #"{"format":"badged","version":1,"animations":"true"}"#,
        "expected true or false at 'animations', found a string: 'true'"
      ),
      (
        #"{"format":"badged","version":1,"quiet-until":-5}"#,
        "expected whole seconds since the epoch at 'quiet-until', found a number: '-5'"
      ),
      (
        #"{"format":"badged","version":1,"quiet-until":9223372036854775808}"#,
        "expected whole seconds since the epoch at 'quiet-until', found a number: "
          + "'9223372036854775808'"
      ),
      (
        #"{"format":"badged","version":1,"quiet":false,"quiet-until":4102444800}"#,
        "'quiet' is false, and 'quiet-until' is not 0: '4102444800'"
      ),
      (
        #"{"format":"badged","version":1,"badges":{}}"#,
        "expected an array at 'badges', found: 'an object'"
      ),
    ]
  )
  func refusesDocuments(text: String, message: String) throws {
    let run = try CommandRun(["import"], input: text)
    #expect(run.errors == "badgectl: \(message)\n")
    #expect(run.status == .failed)
  }

  @Test(
    "A badge that is wrong is refused by its id and key",
    arguments: [
      (#""x""#, "expected an object at 'badges[0]', found a string: 'x'"),
      ("{}", "badge without an id: 'badges[0]'"),
      (#"{"id":"a"},{"kind":"dot"}"#, "badge without an id: 'badges[1]'"),
      (#"{"id":5}"#, "expected a string at 'badges[0].id', found a number: '5'"),
      (#"{"id":"a/b"}"#, "cannot import 'a/b': id: 'a/b' holds a '/'"),
      (#"{"id":"a","colour":"x"}"#, "cannot import 'a': 'colour' is not a key"),
      (#"{"id":"a","preset":"counter"}"#, "cannot import 'a': 'preset' can only be written"),
      (#"{"id":"a","while-pid":1}"#, "cannot import 'a': 'while-pid' can only be written"),
      (#"{"id":"a","max":-1}"#, "cannot import 'a': max: '-1' is not"),
      (#"{"id":"a","max":"7"}"#, "cannot import 'a': max: the text '7' is not a whole number"),
      (
        #"{"id":"a","progress":1.10}"#, "cannot import 'a': progress: '1.10' is not a number from 0"
      ),
      (#"{"id":"a","ttl":-5}"#, "cannot import 'a': ttl: '-5' is not a finite number of 0 or"),
      (#"{"id":"a","label":5}"#, "cannot import 'a': label: the number '5' is not a text"),
      (#"{"id":"a","visible":"x"}"#, "cannot import 'a': visible: the text 'x' is not true or"),
      (#"{"id":"a","dismissed":1}"#, "cannot import 'a': dismissed: '1' is not true or false"),
      (#"{"id":"a","origin":"app"}"#, "cannot import 'a': origin: 'app' is not one of native, "),
      (#"{"id":"a","origin":true}"#, "cannot import 'a': origin: the boolean 'true' is not one of"),
      (#"{"id":"a","kind":5}"#, "cannot import 'a': kind: the number '5' is not one of number, "),
      (#"{"id":"a","text":5}"#, "cannot import 'a': text: the number '5' is not a text"),
      (#"{"id":"a","text":"x","count":"0"}"#, "cannot import 'a': count: the text '0' is not"),
      (#"{"id":"a","sources":5}"#, "cannot import 'a': sources: the number '5' is not a dict"),
      (#"{"id":"a","sources":{"w":"x"}}"#, "cannot import 'a': sources: {'w': 'x'} is not a dict"),
      (
        #"{"id":"a","origin":"launcher-entry","urgent":"no"}"#,
        "cannot import 'a': urgent: the text 'no' is not true or false"
      ),
      (#"{"id":"a","max":null}"#, "cannot import 'a': max: a value of type 'null' is not"),
      (#"{"id":"a","background":"red"}"#, "cannot import 'a': background: 'red' is not a colour"),
      (#"{"id":"a","kind":"bar"}"#, "cannot import 'a': kind: 'bar' is not"),
      (#"{"id":"a","count":1e3}"#, "cannot import 'a': count: '1e3' is not"),
      (#"{"id":"a","kind":"dot","count":2}"#, "cannot import 'a': count: '2' is not the sum"),
      (#"{"id":"a","kind":"text","count":2}"#, "cannot import 'a': text: '' does not go with"),
      (#"{"id":"a","kind":"number","text":"hi"}"#, "cannot import 'a': text: 'hi' does not go"),
      (#"{"id":"a","text":"hi","count":5}"#, "cannot import 'a': count: '5' is not the sum"),
      (#"{"id":"a","kind":"dot","sources":{"":4}}"#, "cannot import 'a': sources: the unnamed"),
      (
        #"{"id":"a","count":4,"sources":{"":2,"w":3}}"#,
        "cannot import 'a': count: '4' is not the sum"
      ),
      (#"{"id":"a"},{"id":"a.desktop"}"#, "badge given twice: 'a'"),
    ]
  )
  func refusesBadges(badge: String, message: String) {
    let error = #expect(throws: CommandError.self) { try document(badge) }
    #expect(error?.message.hasPrefix(message) ?? false, "\(error?.message ?? "")")
    #expect(error?.status == .failed)
  }
}
