// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("A count")
struct CountTests {
  private static let top = BadgeCount.maximum
  private static let bottom = BadgeCount.minimum

  @Test(
    "is read from its plain form",
    arguments: [
      ("0", BadgeCount.Reading.count(0)),
      ("7", .count(7)),
      ("10", .count(10)),
      ("9007199254740991", .count(9_007_199_254_740_991)),
      ("9007199254740992", .outOfBounds),
      ("9999999999999999", .outOfBounds),
      ("10000000000000000", .outOfBounds),
      ("99999999999999999999", .outOfBounds),
      ("-3", .text),
      ("-0", .text),
      ("+3", .text),
      ("007", .text),
      ("00", .text),
      ("3.0", .text),
      (" 3", .text),
      ("3 ", .text),
      ("", .text),
      ("-", .text),
      ("v2", .text),
      ("1e3", .text),
      ("٣", .text),
      ("3\u{301}", .text),
    ]
  )
  func isRead(text: String, reading: BadgeCount.Reading) {
    #expect(BadgeCount.read(text) == reading)
  }

  @Test(
    "is read with a sign where that is allowed",
    arguments: [
      ("-3", BadgeCount.Reading.count(-3)),
      ("-0", .count(0)),
      ("-9007199254740991", .count(-9_007_199_254_740_991)),
      ("-9007199254740992", .outOfBounds),
      ("--3", .text),
      ("-03", .text),
      ("-", .text),
      ("3", .count(3)),
    ]
  )
  func isReadWithSign(text: String, reading: BadgeCount.Reading) {
    #expect(BadgeCount.read(text, allowsSign: true) == reading)
  }

  @Test("is valid within ±(2^53 − 1)")
  func isValid() {
    #expect(BadgeCount.maximum == (1 << 53) - 1)
    #expect(BadgeCount.minimum == -BadgeCount.maximum)
    #expect(
      BadgeCount.isValid(Self.top) && BadgeCount.isValid(Self.bottom) && BadgeCount.isValid(0)
    )
    #expect(!BadgeCount.isValid(Self.top + 1) && !BadgeCount.isValid(Self.bottom - 1))
    #expect(!BadgeCount.isValid(.max) && !BadgeCount.isValid(.min))
  }

  @Test(
    "saturates when it is added to",
    arguments: [
      (0, 1, 1), (top - 1, 1, top), (top, 1, top), (top, .max, top), (0, .max, top),
      (bottom, 1, bottom + 1), (bottom, .max, top), (-3, 0, -3), (bottom, 0, bottom),
    ] as [(Int64, Int64, Int64)]
  )
  func isIncremented(number: Int64, amount: Int64, expected: Int64) {
    #expect(BadgeCount.incremented(number, by: amount) == expected)
  }

  @Test(
    "stops at zero when it is taken from, and stays as it is below",
    arguments: [
      (5, 2, 3), (5, 5, 0), (5, 6, 0), (5, .max, 0), (0, 1, 0), (-3, 1, -3), (bottom, .max, bottom),
      (top, 1, top - 1), (5, 0, 5),
    ] as [(Int64, Int64, Int64)]
  )
  func isDecremented(number: Int64, amount: Int64, expected: Int64) {
    #expect(BadgeCount.decremented(number, by: amount) == expected)
  }

  @Test("saturates from either side and either width")
  func isSaturated() {
    #expect(BadgeCount.saturated(Int64.max) == Self.top)
    #expect(BadgeCount.saturated(Int64.min) == Self.bottom)
    #expect(BadgeCount.saturated(Int64(7)) == 7)
    #expect(BadgeCount.saturated(Int128(Int64.max) * 2) == Self.top)
    #expect(BadgeCount.saturated(Int128(Int64.min) * 2) == Self.bottom)
    #expect(BadgeCount.saturated(Int128(-7)) == -7)
  }
}
