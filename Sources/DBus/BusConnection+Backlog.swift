// SPDX-License-Identifier: MIT
import CLinux

extension BusConnection {
  /// Whether a long reply would still fit into this turn.
  var hasRoomForLongReplies: Bool { outgoing.count < ConnectionLimits.bytesBeforeLongReplies }

  /// How many bytes were sent that the bus has not read yet, about: the kernel counts the room they
  /// take.
  ///
  /// What this turn queued does not count, unless the socket was full before.
  public var unreadByteCount: Int {
    let queued = isBlocked ? outgoing.count : 0
    guard isConnected, let socket else { return queued }
    return queued + max(Int(linux_unread_bytes(socket)), 0)
  }
}
