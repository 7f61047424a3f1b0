// SPDX-License-Identifier: MIT
internal import DBus
internal import EventLoop

/// Hears what apps announce on the bus, and says what their badges are to show.
final class LauncherListener {
  private let loop: EventLoop
  private let applications: InstalledApplications
  private let announce: (String, LauncherAnnouncement?, Bool) -> Void
  private let removed: () -> [String]
  private let log: (String) -> Void
  private var states = SenderStates()
  private var timer: Timer?

  /// Calls `announce` with an app's id, with what its badge is to show, nil where it is gone, and
  /// with whether the app spoke just now.
  ///
  /// `removed` tells which apps' badges somebody removed.
  init(
    loop: EventLoop,
    applications: InstalledApplications,
    announce: @escaping (String, LauncherAnnouncement?, Bool) -> Void,
    removed: @escaping () -> [String],
    log: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.applications = applications
    self.announce = announce
    self.removed = removed
    self.log = log
  }

  /// Takes over what was stored of senders that still live.
  func restore(_ records: [SenderStates.Key: SenderStates.Record]) {
    tell(states.restore(records), renewed: false)
  }

  /// Hears an `Update`.
  func hear(_ message: Message) {
    guard let sender = message.sender?.rawValue else { return }
    guard let (uri, update) = LauncherUpdate.read(message) else {
      return report(sender, "is not understood")
    }
    // Menus, and keys that are not known, say nothing of a badge.
    guard !update.isEmpty else { return }
    var outcome = apply(update, to: uri, from: sender)
    if case .refused(let refusal) = outcome, makeRoom(for: sender, refusal) {
      outcome = apply(update, to: uri, from: sender)
    }
    switch outcome {
    case .announced(let id): tell([id], renewed: true)
    case .postponed:
      report(sender, "is too fast, and is heard less often")
      setTimer()
    case .refused(let refusal): report(sender, refusal.complaint)
    }
  }

  private func apply(_ update: LauncherUpdate, to uri: String, from sender: String)
    -> SenderStates.Outcome
  {
    states.apply(update, to: uri, from: sender, now: .now()) { applications.id(for: $0) }
  }

  /// Forgets apps whose badges were removed, where there are too many.
  ///
  /// - Returns: Whether there were any.
  private func makeRoom(for sender: String, _ refusal: SenderStates.Refusal) -> Bool {
    let forgotten: [String]
    switch refusal {
    case .invalidURI: return false
    case .tooManyAppsOfSender: forgotten = states.forget(removed(), of: sender)
    case .tooManyApps: forgotten = states.forget(removed())
    }
    tell(forgotten, renewed: false)
    return !forgotten.isEmpty
  }

  /// A connection has left the bus.
  func senderVanished(_ sender: String) {
    guard states.knows(sender: sender) else { return }
    tell(states.remove(sender: sender), renewed: false)
    setTimer()
  }

  /// Desktop files have come or gone.
  func applicationsChanged() {
    tell(states.resolveAgain { applications.id(for: $0) }, renewed: false)
  }

  /// What is to be stored.
  func takeChanges() -> [SenderStates.Key: SenderStates.Record?] {
    states.takeChanges()
  }

  private func tell(_ ids: [String], renewed: Bool) {
    for id in ids { announce(id, states.announcement(for: id), renewed) }
  }

  private func setTimer() {
    let now = Instant.now()
    guard let next = states.nextRelease(now: now) else {
      timer?.cancel()
      timer = nil
      return
    }
    guard timer?.isScheduled != true else { return }
    timer = loop.schedule(at: next) { [weak self] in
      guard let self else { return }
      tell(states.releaseDue(now: .now()), renewed: true)
      setTimer()
    }
  }

  private func report(_ sender: String, _ complaint: String) {
    guard states.isFirstReport(of: sender) else { return }
    log("what a launcher-entry sender says \(complaint): '\(sender)'")
  }
}

extension SenderStates.Refusal {
  /// What the log says of a sender that was refused.
  fileprivate var complaint: String {
    switch self {
    case .invalidURI: "names no app"
    case .tooManyAppsOfSender:
      "is of more than \(SenderStates.maximumAppsOfSender) apps, and the rest is not heard"
    case .tooManyApps: "is not heard, since there are too many apps"
    }
  }
}
