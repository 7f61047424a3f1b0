// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus
internal import EventLoop

/// Receives announcements from apps and works out what their badges show.
final class Listener {
  private let loop: EventLoop
  private let applications: InstalledApplications
  private let announce: (String, AppAnnouncement?, Bool) -> Void
  private let removed: () -> [String]
  private let log: (String) -> Void
  private var senders = Senders()
  private var timer: Timer?

  /// Calls `announce` with an app's id, its announcement (nil once it has none) and whether the app
  /// sent an update; `removed` returns the apps whose badges were removed.
  init(
    loop: EventLoop,
    applications: InstalledApplications,
    announce: @escaping (String, AppAnnouncement?, Bool) -> Void,
    removed: @escaping () -> [String],
    log: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.applications = applications
    self.announce = announce
    self.removed = removed
    self.log = log
  }

  /// Restores the stored announcements of senders that are still connected.
  func restore(_ records: [Senders.Key: Senders.Record]) {
    publish(senders.restore(records), renewed: false)
  }

  /// Handles an `Update` signal.
  func receive(_ message: Message) {
    guard let sender = message.sender?.rawValue else { return }
    guard let (uri, update) = AppAnnouncement.read(message) else {
      return report(sender, "is not understood")
    }
    // Quicklists and unknown keys do not concern a badge.
    guard !update.isEmpty else { return }
    var outcome = apply(update, to: uri, from: sender)
    if case .refused(let refusal) = outcome, evictRemoved(for: sender, refusal) {
      outcome = apply(update, to: uri, from: sender)
    }
    switch outcome {
    case .announced(let id): publish([id], renewed: true)
    case .postponed:
      report(sender, "is too fast, and is heard less often")
      setTimer()
    case .refused(let refusal): report(sender, refusal.complaint)
    }
  }

  private func apply(_ update: AppAnnouncement, to uri: String, from sender: String)
    -> Senders.Outcome
  {
    senders.apply(update, to: uri, from: sender, now: .now()) { applications.id(for: $0) }
  }

  /// Forgets apps whose badges were removed, once there are too many.
  ///
  /// - Returns: Whether there were any.
  private func evictRemoved(for sender: String, _ refusal: Senders.Refusal) -> Bool {
    let forgotten: [String]
    switch refusal {
    case .invalidURI: return false
    case .tooManyAppsOfSender: forgotten = senders.forget(removed(), of: sender)
    case .tooManyApps: forgotten = senders.forget(removed())
    }
    publish(forgotten, renewed: false)
    return !forgotten.isEmpty
  }

  /// Handles the end of a connection.
  func senderVanished(_ sender: String) {
    guard senders.knows(sender: sender) else { return }
    publish(senders.remove(sender: sender), renewed: false)
    setTimer()
  }

  /// Handles added or removed desktop files.
  func applicationsChanged() {
    publish(senders.resolveAgain { applications.id(for: $0) }, renewed: false)
  }

  /// The records that changed since the last call; nil for one to be deleted.
  func takeChanges() -> [Senders.Key: Senders.Record?] {
    senders.takeChanges()
  }

  private func publish(_ ids: [String], renewed: Bool) {
    for id in ids { announce(id, senders.announcement(for: id), renewed) }
  }

  private func setTimer() {
    let now = Instant.now()
    guard let next = senders.nextRelease(now: now) else {
      timer?.cancel()
      timer = nil
      return
    }
    guard timer?.isScheduled != true else { return }
    timer = loop.schedule(at: next) { [weak self] in
      guard let self else { return }
      publish(senders.releaseDue(now: .now()), renewed: true)
      setTimer()
    }
  }

  private func report(_ sender: String, _ complaint: String) {
    guard senders.isFirstReport(of: sender) else { return }
    log("what a launcher-entry sender says \(complaint): '\(sender)'")
  }
}

extension Senders.Refusal {
  fileprivate var complaint: String {
    switch self {
    case .invalidURI: "names no app"
    case .tooManyAppsOfSender:
      "is of more than \(Senders.maximumAppsOfSender) apps, and the rest is not heard"
    case .tooManyApps: "is not heard, since there are too many apps"
    }
  }
}
