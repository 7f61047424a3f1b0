// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus
internal import EventLoop

extension BadgeService {
  func endTurn() {
    takeSenderChanges()
    if processes.count > 0 { processes.keepOnly(book.watchedProcesses) }
    followDeadlines()
    journal.commit(&book)
    publish()
    guard !touched.isEmpty else { return }
    listener?.badgesChanged(takeTouched())
  }

  func publish() {
    let now = Instant.now()
    var next = publisher.publish(book, at: now)
    if manager.isFollowed {
      let due = manager.publish(managerState, at: now) { names in
        _ = try? server.sendPropertiesChanged(
          names,
          of: ManagerInterface.table,
          target: self,
          at: .manager
        )
      }
      if let due { next = min(next ?? due, due) }
    }
    wake(at: next)
  }

  /// Sees to a turn at `instant`, whose end sends what waits.
  func wake(at instant: Instant?) {
    if let timer = frameTimer, timer.isScheduled {
      guard let instant else { return timer.cancel() }
      if timer.deadline <= instant { return }
      timer.cancel()
    }
    frameTimer = instant.map { loop.schedule(at: $0) {} }
  }

  func followDeadlines() {
    let deadline = book.nextDeadline.map { Instant(nanoseconds: $0) }
    // The wall clock may have been set since, and after a reboot only that tells what is left.
    if deadline != nil { journal.refreshEpoch() }
    if let timer = deadlineTimer, timer.isScheduled {
      if timer.deadline == deadline { return }
      timer.cancel()
    }
    guard let deadline else { return }
    deadlineTimer = loop.schedule(at: deadline) { [weak self] in
      let now = Instant.now().nanoseconds
      self?.changeSeveral {
        $0.deadline ?? .max <= now
      } _: {
        $0.expire(now: now)
      }
    }
  }
}

extension BadgeService {
  /// Sends what waits for a badge that is about to be read.
  func flush(_ id: BadgeID) {
    if publisher.isWaiting { publisher.flush(id, book, at: .now()) }
  }

  /// Sends all that waits, since everything is about to be read.
  func flush() {
    if publisher.isWaiting { publisher.flush(book, at: .now()) }
  }

  func propertiesCalled(at path: ObjectPath) {
    if path == .manager {
      flush()
      manager.follow(managerState)
    } else {
      objects?.propertiesCalled(at: path)
    }
  }
}
