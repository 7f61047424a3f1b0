// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("An app's badge")
struct AnnouncementTests {
  @Test("is a number, whose app may say that it is not seen")
  func isNumber() throws {
    var book = BadgeBook()
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .updated("app"))
    #expect(book["app"]?.origin == .launcherEntry)
    #expect(book.read(.origin, of: "app") == .string("launcher-entry"))
    #expect(book["app"]?.kind == .number && book["app"]?.count == 5 && book.shows("app"))
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .none)
    #expect(
      try book.announce(AppAnnouncement(count: 5, isCountVisible: false), for: "app")
        == .updated("app")
    )
    #expect(!book.shows("app") && book["app"]?.count == 5)
    #expect(book.announcement(for: "app") == AppAnnouncement(count: 5, isCountVisible: false))
    #expect(book.announcement(for: "other") == nil)
  }

  @Test(
    "is visible above zero alone, whatever hide-at-zero says",
    arguments: [(-5, false), (0, false), (1, true)] as [(Int64, Bool)]
  )
  func isVisible(count: Int64, expected: Bool) throws {
    for hidesAtZero in [true, false] {
      var book = BadgeBook()
      _ = try book.announce(AppAnnouncement(count: count), for: "app")
      _ = try book.update("app", [("hide-at-zero", .boolean(hidesAtZero))])
      #expect(book.shows("app") == expected)
      #expect(book["app"]?.origin == .launcherEntry)
    }
  }

  @Test(
    "takes what can be wrong into range",
    arguments: [
      (.max, nil, BadgeCount.maximum, nil), (.min, .nan, BadgeCount.minimum, nil),
      (1, .infinity, 1, nil),
      (1, -1, 1, 0), (1, 7, 1, 1), (1, 0.5, 1, 0.5), (1, -0.0, 1, 0),
    ] as [(Int64, Double?, Int64, Double?)]
  )
  func takesIntoRange(count: Int64, progress: Double?, expected: Int64, kept: Double?) {
    let announcement = AppAnnouncement(count: count, progress: progress)
    #expect(announcement.shownCount == expected)
    #expect(announcement.shownProgress == kept)
    #expect(announcement.isCountShown && !announcement.wantsAttention)
  }

  @Test("goes with its last sender, and its style is kept")
  func goes() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    #expect(try book.update("app", [("background", .string("#123"))]) == .updated("app"))
    #expect(book["app"]?.origin == .launcherEntry)
    #expect(try book.announce(nil, for: "app") == .removed("app", .ownerGone))
    #expect(try book.announce(nil, for: "app") == .none)
    #expect(book["app"] == nil && book.record(for: "app")?.settings.count == 1)
    _ = try book.announce(AppAnnouncement(count: 1), for: "app")
    #expect(book.read(.background, of: "app") == .string("#112233"))
    _ = try book.announce(nil, for: "app")
    _ = try book.setCount(3, for: "app")
    #expect(book.read(.background, of: "app") == .string("#112233"))
    #expect(book["app"]?.origin == .native)
  }

  @Test("lies under a native one and shows again after it")
  func liesUnder() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5, isUrgent: true, progress: 0.5), for: "app")
    _ = try book.update("app", [("background", .string("#123"))])
    #expect(try book.increment("app", by: 2).count == 2)
    #expect(book["app"]?.origin == .native)
    #expect(book["app"]?.isUrgent == false && book["app"]?.progress == nil)
    #expect(book.read(.background, of: "app") == .string("#112233"))
    #expect(
      try book.announce(AppAnnouncement(count: 7, isUrgent: true, progress: 0.6), for: "app")
        == .none
    )
    #expect(book["app"]?.count == 2)
    #expect(try book.remove("app") == .updated("app"))
    let badge = try book.badge("app")
    #expect(badge.origin == .launcherEntry && badge.count == 7)
    #expect(badge.isUrgent && badge.progress == 0.6)
    #expect(badge.style == BadgeStyle())
    #expect(book.total == 7 && book.visibleCount == 1)
  }

  @Test(
    "is covered by every method that sets a value, and by no other",
    arguments: [
      ("set", true), ("text", true), ("dot", true), ("source", true), ("increment", true),
      ("decrement", true), ("incrementSource", true), ("decrementSource", true),
      ("count key", true),
      ("sources key", true), ("style key", false), ("urgent key", false), ("acknowledge", false),
    ]
  )
  func isCovered(method: String, expected: Bool) throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    switch method {
    case "set": _ = try book.setCount(5, for: "app")
    case "text": _ = try book.setText("v2", for: "app")
    case "dot": _ = try book.setDot(for: "app")
    case "source": _ = try book.setSource("a", to: 0, for: "app")
    case "increment": #expect(try book.increment("app").count == 1)
    case "decrement": #expect(try book.decrement("app").count == 0)
    case "incrementSource": #expect(try book.incrementSource("a", of: "app", by: 4).count == 4)
    case "decrementSource": #expect(try book.decrementSource("a", of: "app").count == 0)
    case "count key": _ = try book.update("app", [("count", .integer(5))])
    case "sources key": _ = try book.update("app", [("sources", .counts(["a": 5]))])
    case "style key": _ = try book.update("app", [("grow", .string("head"))])
    case "urgent key": _ = try book.update("app", [("urgent", .boolean(true))])
    default: _ = book.acknowledge("app")
    }
    #expect((book["app"]?.origin == .native) == expected)
    _ = try book.announce(nil, for: "app")
    #expect((book["app"] != nil) == expected)
  }

  @Test("takes the place of a badge that has no value, with that style")
  func takesPlace() throws {
    var book = BadgeBook()
    #expect(
      try book.update("app", [("background", .string("#123")), ("hide-at-zero", .boolean(false))])
        == .updated("app")
    )
    #expect(book["app"]?.origin == .native && book["app"]?.isPlaceholder == true)
    #expect(book["app"]?.count == 0 && book.shows("app"))
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .updated("app"))
    #expect(book["app"]?.origin == .launcherEntry && book["app"]?.isPlaceholder == false)
    #expect(book.read(.background, of: "app") == .string("#112233"))
    #expect(try book.announce(nil, for: "app") == .removed("app", .ownerGone))
    _ = try book.update("app", [])
    #expect(book["app"]?.isPlaceholder == true)
    #expect(book.read(.background, of: "app") == .string("#112233"))
    // The same number, but now a value: the app's can't take this place.
    #expect(try book.setCount(0, for: "app") == .none)
    #expect(book["app"]?.isPlaceholder == false && book.unsaved.contains("app"))
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .none)
  }

  @Test("that is dismissed stays away until its number changes")
  func staysDismissed() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5, isUrgent: true), for: "app")
    _ = try book.update("app", [("background", .string("#123"))])
    #expect(try book.dismiss("app") == .removed("app", .dismissed))
    for announcement in [
      AppAnnouncement(count: 5, isUrgent: true), AppAnnouncement(count: 5, isCountVisible: false),
      AppAnnouncement(count: 5, isUrgent: true, progress: 0.5),
    ] {
      #expect(try book.announce(announcement, for: "app") == .none)
    }
    // The app leaves and starts again with the same number.
    #expect(try book.announce(nil, for: "app") == .none)
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .none)
    #expect(book["app"] == nil)
    #expect(try book.announce(AppAnnouncement(count: 6), for: "app") == .updated("app"))
    #expect(book.shows("app") && book["app"]?.isDismissed == false)
    #expect(book.read(.background, of: "app") == .string("#112233"))
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .updated("app"))
  }

  @Test("that is dismissed has urgency and progress again when the app says something new of them")
  func endsUrgency() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5, isUrgent: true, progress: 0.5), for: "app")
    _ = try book.dismiss("app")
    _ = try book.announce(AppAnnouncement(count: 6, isUrgent: true, progress: 0.5), for: "app")
    #expect(book["app"]?.isUrgent == false && book["app"]?.progress == nil)
    _ = try book.announce(AppAnnouncement(count: 6, isUrgent: false, progress: 0.6), for: "app")
    #expect(book["app"]?.isUrgent == false && book["app"]?.progress == 0.6)
    _ = try book.announce(AppAnnouncement(count: 6, isUrgent: true, progress: 0.6), for: "app")
    #expect(book["app"]?.isUrgent == true)
  }

  @Test("under a native one is dismissed with it")
  func isDismissedUnder() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    _ = try book.setCount(3, for: "app")
    _ = try book.dismiss("app")
    #expect(book["app"] == nil)
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .none)
    _ = try book.setCount(3, for: "app")
    #expect(book["app"]?.isDismissed == true && book["app"]?.origin == .native)
    _ = try book.dismiss("app")
    #expect(try book.announce(AppAnnouncement(count: 6), for: "app") == .updated("app"))
    #expect(book.shows("app") && book["app"]?.origin == .launcherEntry)
    // The native value is still dismissed, and a native badge covers the app's.
    var other = book
    _ = try book.setCount(3, for: "app")
    #expect(book["app"]?.isDismissed == true && !book.shows("app"))
    _ = try other.setCount(4, for: "app")
    #expect(other["app"]?.isDismissed == false && other.shows("app"))
  }

  @Test("that was dismissed leaves a native one its own way")
  func leavesNative() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    _ = try book.dismiss("app")
    _ = try book.update("app", [("hide-at-zero", .boolean(false))])
    #expect(book["app"]?.isPlaceholder == true && !book.shows("app"))
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .none)
    var other = book
    #expect(try other.announce(AppAnnouncement(count: 6), for: "app") == .updated("app"))
    #expect(other["app"]?.isPlaceholder == false && other.shows("app"))
    _ = try book.setCount(5, for: "app")
    #expect(book.shows("app") && book["app"]?.isDismissed == false)
    // Removing the native badge ends the dismissal.
    #expect(try book.remove("app") == .updated("app"))
    #expect(book["app"]?.origin == .launcherEntry)
  }

  @Test(
    "that is cleared or removed is gone until the app announces it again",
    arguments: ["clear", "empty text", "text key", "text key with style", "remove"]
  )
  func isGone(method: String) throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    _ = try book.update("app", [("background", .string("#123"))])
    let change =
      switch method {
      case "clear": book.clear("app")
      case "empty text": try book.setText("", for: "app")
      case "text key": try book.update("app", [("text", .string(""))])
      case "text key with style":
        try book.update("app", [("text", .string("")), ("background", .string("#123"))])
      default: try book.remove("app")
      }
    #expect(change == .removed("app", .removed))
    #expect(book["app"] == nil)
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app", renewed: false) == .none)
    #expect(book["app"] == nil)
    #expect(try book.announce(AppAnnouncement(count: 5), for: "app") == .updated("app"))
    let background = method == "remove" ? "#FF0000" : "#112233"
    #expect(book.read(.background, of: "app") == .string(background))
  }

  @Test("that was removed does not show when a native one goes")
  func staysRemoved() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    _ = try book.remove("app")
    _ = try book.setCount(3, for: "app")
    #expect(try book.remove("app") == .removed("app", .removed))
    _ = try book.setCount(3, for: "app")
    _ = try book.dismiss("app")
    #expect(book.record(for: "app")?.dismissal?.app == nil)
    #expect(try book.announce(nil, for: "app") == .none)
  }

  @Test("is acknowledged until the app wants attention anew")
  func isAcknowledged() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5, isUrgent: true), for: "app")
    #expect(book["app"]?.isUrgent == true)
    #expect(book.acknowledge("app") == .updated("app"))
    #expect(
      try book.announce(AppAnnouncement(count: 6, isUrgent: true), for: "app") == .updated("app")
    )
    #expect(book["app"]?.isUrgent == false)
    // Also when a native one covers it in between.
    _ = try book.setCount(1, for: "app")
    _ = try book.remove("app")
    #expect(book["app"]?.isUrgent == false)
    _ = try book.announce(AppAnnouncement(count: 6), for: "app")
    _ = try book.announce(AppAnnouncement(count: 6, isUrgent: true), for: "app")
    #expect(book["app"]?.isUrgent == true)
    _ = try book.setCount(1, for: "app")
    book.markSaved()
    #expect(book.acknowledge("app") == .none)
    #expect(book.unsaved == ["app"])
    _ = try book.remove("app")
    #expect(book["app"]?.isUrgent == false)
  }

  @Test("keeps urgency and progress that somebody set until the app says something new of them")
  func keepsSettings() throws {
    var book = BadgeBook()
    _ = try book.announce(AppAnnouncement(count: 5), for: "app")
    _ = try book.update("app", [("urgent", .boolean(true)), ("progress", .double(0.5))])
    #expect(try book.announce(AppAnnouncement(count: 6), for: "app") == .updated("app"))
    #expect(book["app"]?.isUrgent == true && book["app"]?.progress == 0.5)
    _ = try book.announce(AppAnnouncement(count: 6, isUrgent: true, progress: 0.7), for: "app")
    #expect(book["app"]?.isUrgent == true && book["app"]?.progress == 0.7)
    _ = try book.announce(AppAnnouncement(count: 6), for: "app")
    #expect(book["app"]?.isUrgent == false && book["app"]?.progress == nil)
  }

  @Test("counts toward its own limit, not toward that of native ones")
  func isBounded() throws {
    var book = BadgeBook()
    for number in 0..<BadgeLimits.announcedBadges {
      _ = try book.announce(AppAnnouncement(count: 1), for: BadgeID("app\(number)"))
    }
    let error = failure { () throws(BadgeError) in
      try book.announce(AppAnnouncement(count: 1), for: "more")
    }
    #expect(error?.name == "LimitsExceeded")
    #expect(book["more"] == nil)
    #expect(try book.announce(AppAnnouncement(count: 2), for: "app0") == .updated("app0"))
    _ = try book.setCount(1, for: "more")
    #expect(book.badges.count == BadgeLimits.announcedBadges + 1)
    _ = try book.announce(nil, for: "app0")
    _ = try book.announce(AppAnnouncement(count: 1), for: "app-new")
    #expect(book["app-new"]?.count == 1)
  }

  @Test("that left leaves its style for 4,096 ids, the oldest forgotten first")
  func keepsStyles() throws {
    var book = BadgeBook()
    for number in 0...BadgeLimits.keptStyles {
      let id = try BadgeID("app\(number)")
      _ = try book.announce(AppAnnouncement(count: 1), for: id)
      _ = try book.update(id, [("max", .integer(7))])
      _ = try book.announce(nil, for: id)
    }
    #expect(book.record(for: "app0") == nil && book.unsaved.contains("app0"))
    #expect(book.record(for: "app1")?.settings == [BadgeSetting(key: .max, value: .integer(7))])
    _ = try book.announce(AppAnnouncement(count: 1), for: "app1")
    #expect(book["app1"]?.maximum == 7)
  }
}
