// SPDX-License-Identifier: MIT
import DBus
import TestSupport
import Testing

@Suite(
  "The real Plank",
  .privateBus,
  .enabled(
    if: Plank.missing.isEmpty,
    "Plank can't be shown here, install what is missing: \(Plank.missing.joined(separator: " "))"
  )
)
struct PlankTests {
  private static let mail = "org.example.mail"
  private static let chat = "org.example.chat"

  @Test("shows numbers on the right icons, after it was restarted too, and none at zero")
  func numbers() throws {
    let session = try LauncherSession()
    let dock = try Plank(in: session, apps: [Self.mail, Self.chat])
    #expect(
      try dock.picture {
        $0.hasIcon(.steelBlue) && $0.hasIcon(.seaGreen) && $0.number(on: .steelBlue) == nil
          && $0.number(on: .seaGreen) == nil
      } != nil
    )

    try session.call("Set", .string(Self.mail), .int64(7))
    let seven = try #require(
      try dock.picture { $0.number(on: .steelBlue) != nil }?.number(on: .steelBlue)
    )
    #expect(seven.joined().contains("#"))

    try session.call("Set", .string(Self.mail), .int64(8))
    let eight = try #require(
      try dock.picture { $0.number(on: .steelBlue) ?? seven != seven }?.number(on: .steelBlue)
    )

    try session.call("Set", .string(Self.chat), .int64(7))
    let both = try #require(try dock.picture { $0.number(on: .seaGreen) != nil })
    #expect(both.number(on: .seaGreen) == seven)
    #expect(both.number(on: .steelBlue) == eight)

    try dock.restart()
    let again = try #require(
      try dock.picture { $0.number(on: .seaGreen) != nil && $0.number(on: .steelBlue) != nil }
    )
    #expect(again.number(on: .seaGreen) == seven)
    #expect(again.number(on: .steelBlue) == eight)

    try session.call("Set", .string(Self.mail), .int64(0))
    try session.call("Remove", .string(Self.chat))
    #expect(
      try dock.picture {
        $0.hasIcon(.steelBlue) && $0.hasIcon(.seaGreen) && $0.number(on: .steelBlue) == nil
          && $0.number(on: .seaGreen) == nil
      } != nil
    )
  }

  @Test("hides numbers while the person is not to be disturbed, and shows the app's own after")
  func quiet() throws {
    let session = try LauncherSession()
    let dock = try Plank(in: session, apps: [Self.mail, Self.chat])
    try session.call("Set", .string(Self.mail), .int64(7))
    #expect(try dock.picture { $0.number(on: .steelBlue) != nil } != nil)
    try session.setQuiet(true)
    #expect(
      try dock.picture { $0.hasIcon(.steelBlue) && $0.number(on: .steelBlue) == nil } != nil
    )
    try session.setQuiet(false)
    #expect(try dock.picture { $0.number(on: .steelBlue) != nil } != nil)
  }
}
