// SPDX-License-Identifier: MIT
import BadgeCore
import EventLoop

@testable import BadgeService

/// Takes down what the publisher sends, one line a signal.
final class RecordingSink: ChangeSink {
  var unreadBytes = 0
  var lines: [String] = []
  var keys: [BadgeKeySet] = []

  func send(_ notice: ChangedNotice) {
    let badge = notice.new.badge
    let label = badge.kind == .dot ? "•" : badge.label
    let hint = notice.hint
    lines.append(
      "#\(notice.revision) \(notice.id) \(label) \(hint.event) \(hint.animation) \(hint.direction)"
    )
    keys.append(notice.keys)
  }

  func send(_ notice: RemovedNotice) {
    let hint = notice.hint
    lines.append(
      "#\(notice.revision) \(notice.id) \(notice.reason.rawValue) \(hint.event) \(hint.animation)"
    )
  }

  /// The lines since the last time.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A publisher and a book, on a clock that stands still until it is moved.
final class PublisherFixture {
  var book = BadgeBook()
  var now = Instant(nanoseconds: 1_000_000_000_000)
  let sink = RecordingSink()
  let publisher: FramePublisher

  init(_ prepare: (inout BadgeBook) throws -> Void = { _ in }) throws {
    try prepare(&book)
    publisher = FramePublisher(sink: sink)
    publisher.begin(with: book)
  }

  func change(
    _ raw: String = "mail",
    _ body: (inout BadgeBook, BadgeID) throws(BadgeError) -> Change
  ) throws(BadgeError) {
    let id = try BadgeID(raw)
    let subject = publisher.prepare(id, in: book)
    switch try body(&book, id) {
    case .none, .several: break
    case .updated: publisher.note(subject)
    case .removed(_, let reason): publisher.note(subject, removed: reason)
    }
  }

  func set(_ count: Int64, _ id: String = "mail") throws {
    try change(id) { (book, id) throws(BadgeError) in try book.setCount(count, for: id) }
  }

  func remove(_ id: String = "mail") throws {
    try change(id) { (book, id) throws(BadgeError) in try book.remove(id) }
  }

  /// Ends the turn, `milliseconds` after the one before.
  ///
  /// - Returns: In how many milliseconds the publisher wants to come again.
  @discardableResult
  func endTurn(after milliseconds: Double = 0) -> Double? {
    now = now.advanced(byNanoseconds: Int64(milliseconds * 1e6))
    let next = publisher.publish(book, at: now)
    return next.map { Double($0.nanoseconds - now.nanoseconds) / 1e6 }
  }
}
