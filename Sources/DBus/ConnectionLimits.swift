// SPDX-License-Identifier: MIT

/// What a connection bounds, so that no peer can grow it or keep it from others.
public enum ConnectionLimits {
  /// Messages handled in one turn, before what they caused goes out.
  public static let messagesPerTurn = 512

  /// Bytes queued to be sent at which a turn ends.
  public static let bytesPerTurn = 4 << 20

  /// Bytes queued above which a call that replies at length waits for a later turn.
  public static let bytesBeforeLongReplies = 1 << 18

  /// Calls that may wait for such a turn, of one caller.
  public static let waitingCallsPerCaller = 256

  /// Calls that may wait for such a turn.
  public static let waitingCalls = 2_048

  /// Bytes of messages read ahead, though a single message may be longer; the rest waits in the bus.
  public static let receivedBytes = 4 << 20

  /// Descriptors in messages read ahead.
  public static let receivedDescriptors = 64

  /// Bytes asked of the socket at once.
  static let bytesPerRead = 1 << 14

  /// Calls of our own whose replies are still to come.
  public static let pendingCalls = 16_384

  /// Parts of a value that is read whole: elements, members, keys and what is in variants.
  public static let valueParts = 65_536

  /// Characters of a peer's text that an error repeats.
  static let quotedCharacters = 128
}
