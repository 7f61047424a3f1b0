// SPDX-License-Identifier: MIT

/// Entries of a dictionary of named values, already as bytes; for what is sent over and over.
///
/// An entry starts on a boundary of 8 bytes, so its bytes are the same in every message.
public struct EncodedEntries: Hashable, Sendable {
  /// The bytes, the first on a boundary of 8.
  let bytes: [UInt8]
  /// How many containers are nested in the entries, the entry itself among them.
  let depth: Int
  /// Why the entries cannot be sent.
  public let failure: BusError?

  /// Whether there is no entry.
  public var isEmpty: Bool { bytes.isEmpty }
}
