// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import BadgeStore
internal import EventLoop

extension BadgeService {
  /// The properties of the manager that change.
  var managerState: ManagerState {
    ManagerState(
      total: publisher.signalled.total,
      visible: publisher.signalled.visible,
      animations: journal.settings.animations,
      animating: publisher.animating,
      quiet: journal.settings.quiet,
      quietUntil: journal.settings.quietUntil,
      durable: journal.isDurable
    )
  }

  /// Takes the person's wish for animations.
  func setAnimations(_ animations: Bool) {
    var settings = journal.settings
    settings.animations = animations
    journal.set(settings)
    applyMotion()
  }

  func applyMotion() {
    publisher.animating = journal.settings.animations && !(motion?.isReduced ?? false)
  }

  /// Turns do-not-disturb on or off, until it is changed again or for a time.
  ///
  /// - Parameters:
  ///   - quiet: Whether it is on.
  ///   - until: When it ends, in seconds since the epoch; 0 for never.
  func setQuiet(_ quiet: Bool, until: UInt64 = 0) {
    var settings = journal.settings
    settings.quiet = quiet
    settings.quietUntil = until
    journal.set(settings)
    if quiet != book.isQuiet {
      changeSeveral { _ in
        true
      } _: {
        $0.setQuiet(quiet)
      }
    }
    followQuiet()
  }

  func followQuiet() {
    let until = journal.settings.quietUntil
    if until > 0 && quietAlarm == nil {
      do throws(SystemError) {
        quietAlarm = try WallClockAlarm(loop: loop) { [weak self] in self?.quietMayBeOver() }
      } catch {
        log.warning("the end of quiet can't be waited for: \(error)")
      }
    }
    quietAlarm?.set(until > 0 ? until : nil)
  }

  func quietMayBeOver() {
    let until = journal.settings.quietUntil
    guard until > 0, WallClock.seconds() >= until else { return }
    setQuiet(false)
  }
}
