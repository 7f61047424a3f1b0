// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("A colour")
struct ColorTests {
  @Test(
    "reads back in upper case, with as much opacity as was given",
    arguments: [
      ("#09f", "#0099FF"), ("#FFF", "#FFFFFF"), ("#09bb07", "#09BB07"), ("#0a0B0c", "#0A0B0C"),
      ("#00000000", "#00000000"), ("#123456ff", "#123456FF"), ("#AbCdEf80", "#ABCDEF80"),
    ]
  )
  func readsBack(text: String, expected: String) {
    #expect(BadgeColor(text)?.description == expected)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "#", "blue", "#12", "#1234", "#12345", "#1234567", "#123456789", "09f", "x09f", "#09g",
      "#0 9", "#-12", "#+12345", "#١٢٣", "#é1", "#123456\n", " #123456", "#12345６", "rgb(0,0,0)",
    ]
  )
  func isNothingElse(text: String) {
    #expect(BadgeColor(text) == nil)
  }

  @Test("differs with and without opacity")
  func keepsOpacity() {
    #expect(BadgeColor("#123456") != BadgeColor("#123456FF"))
    #expect(BadgeColor("#123456")?.alpha == nil)
    #expect(BadgeColor("#12345678") == BadgeColor(red: 0x12, green: 0x34, blue: 0x56, alpha: 0x78))
  }
}
