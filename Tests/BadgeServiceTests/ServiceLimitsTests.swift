// SPDX-License-Identifier: MIT
import BadgeService
import TestSupport
import Testing

@Suite struct ServiceLimitsTests {
  /// badged-dbus(5).
  private static func manual() throws -> String {
    let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return try #require(contents(ofFile: folder + "/man/badged-dbus.5"))
  }

  @Test func theManualHasEachBoundAndNoOther() throws {
    let manual = try Self.manual()
    let section = try #require(
      manual.split(separator: ".Sh LIMITS\n").last?.split(separator: ".El").first
    )
    let rows = section.split(separator: "\n").filter { $0.hasPrefix(".It ") }
    #expect(rows.map { String($0) } == ServiceLimits.all.map { ".It \($0.what) Ta \($0.bound)" })
  }
}
