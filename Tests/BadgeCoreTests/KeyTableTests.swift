// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("The key table")
struct KeyTableTests {
  /// The contract's table: name, property, signature, access, resettable, default.
  private static let golden = """
    kind Kind s rw - -
    count Count x rw - 0
    text Text s rw - ''
    sources Sources a{sx} rw - {}
    label Label s r - -
    visible Visible b r - -
    hide-at-zero HideAtZero b rw - true
    max Max x rw - 999
    urgent Urgent b rw - false
    dismissable Dismissable b rw - true
    dismissed Dismissed b r - false
    progress Progress d rw - -1.0
    description Description s rw - ''
    icon Icon s rw - ''
    ttl Ttl d rw - 0.0
    while-pid WhilePid u w - -
    origin Origin s r - -
    animate Animate b rw reset true
    animation-appear AnimationAppear s rw reset 'none'
    animation-change AnimationChange s rw reset 'bounce'
    animation-disappear AnimationDisappear s rw reset 'shrink'
    background Background s rw reset '#FF0000'
    foreground Foreground s rw reset '#FFFFFF'
    font Font s rw reset ''
    font-size FontSize d rw reset 12.0
    padding Padding d rw reset 6.0
    min-size MinSize d rw reset 8.0
    fit Fit s rw reset 'grow'
    anchor Anchor s rw reset 'top-right'
    grow Grow s rw reset 'tail'
    offset-x OffsetX d rw reset -10.0
    offset-y OffsetY d rw reset -4.0
    preset Preset s w - -
    """

  @Test("is the contract's")
  func isTheContracts() {
    let lines = BadgeKey.allCases.map { key in
      [
        key.name, key.propertyName, key.signature,
        (key.isReadable ? "r" : "") + (key.isWritable ? "w" : ""),
        key.isResettable ? "reset" : "-", key.defaultValue?.description ?? "-",
      ].joined(separator: " ")
    }
    #expect(lines.joined(separator: "\n") == Self.golden)
  }

  @Test("has a row for each key, in the order of the keys", arguments: BadgeKey.allCases)
  func hasRows(key: BadgeKey) {
    #expect(key.row.key == key)
    #expect(KeyRow.table.count == BadgeKey.allCases.count)
    #expect(BadgeKey(name: key.name) == key)
  }

  @Test(
    "documents each key, and says what it takes where it can be written",
    arguments: BadgeKey.allCases
  )
  func documents(key: BadgeKey) {
    #expect(key.summary.hasSuffix("."))
    #expect(key.expected.isEmpty == !key.isWritable)
  }

  @Test(
    "finds no key by another name",
    arguments: ["", "Count", "counts", "hide_at_zero", "hide-at-zero "]
  )
  func findsNoOther(name: String) {
    #expect(BadgeKey(name: name) == nil)
  }

  @Test("gives a new badge the defaults")
  func givesDefaults() throws {
    var book = BadgeBook()
    _ = try book.setCount(0, for: "mail")
    for key in BadgeKey.allCases {
      guard let expected = key.defaultValue else { continue }
      #expect(book.read(key, of: "mail") == expected, "\(key.name)")
    }
    #expect(book.read(.kind, of: "mail") == .string("number"))
    #expect(book.read(.label, of: "mail") == .string("0"))
    #expect(book.read(.visible, of: "mail") == .boolean(false))
    #expect(book.read(.origin, of: "mail") == .string("native"))
    #expect(book.read(.preset, of: "mail") == nil)
    #expect(book.read(.whilePID, of: "mail") == nil)
  }
}

@Suite("A set of keys")
struct BadgeKeySetTests {
  @Test("holds what was put in and iterates in the order of the table")
  func holds() {
    var keys: BadgeKeySet = [.preset, .kind]
    keys.insert(.count)
    keys.insert(.count)
    #expect(Array(keys) == [.kind, .count, .preset])
    #expect(keys.contains(.count) && !keys.contains(.text))
    #expect(!keys.isEmpty && BadgeKeySet().isEmpty)
  }

  @Test("knows the keys that are always signalled and those that can be read")
  func knows() {
    #expect(Array(BadgeKeySet.always) == [.kind, .count, .label, .visible, .urgent])
    #expect(Array(BadgeKeySet.readable).count == 31)
    #expect(!BadgeKeySet.readable.contains(.preset) && !BadgeKeySet.readable.contains(.whilePID))
  }
}
