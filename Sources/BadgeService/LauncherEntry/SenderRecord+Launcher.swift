// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import BadgeStore
internal import LauncherEntry

extension SenderRecord {
  /// A record, with nothing said, of a sender and app; nil where that is no id.
  init?(_ key: SenderStates.Key, on bus: String) {
    guard let app = try? BadgeID(key.app) else { return nil }
    self.init(bus: bus, sender: key.sender, app: app, ordinal: 0)
  }

  /// Takes over what the sender said.
  mutating func take(_ record: SenderStates.Record) {
    ordinal = record.order
    count = record.said.count
    countVisible = record.said.isCountVisible
    progress = record.said.progress
    progressVisible = record.said.isProgressVisible
    urgent = record.said.isUrgent
  }
}

extension SenderStates.Key {
  /// The sender and app of a stored record.
  init(_ record: SenderRecord) {
    self.init(sender: record.sender, app: record.app.rawValue)
  }
}

extension SenderStates.Record {
  /// What a stored record says.
  init(_ record: SenderRecord) {
    var said = LauncherUpdate()
    said.count = record.count
    said.isCountVisible = record.countVisible
    if let progress = record.progress { said.setProgress(progress) }
    said.isProgressVisible = record.progressVisible
    said.isUrgent = record.urgent
    self.init(said: said, order: record.ordinal)
  }
}

extension Announcement {
  /// What an app announces, as the book takes it.
  init(_ announcement: LauncherAnnouncement) {
    self.init(
      count: announcement.count,
      isCountVisible: announcement.isCountVisible,
      isUrgent: announcement.isUrgent,
      progress: announcement.progress
    )
  }
}
