// SPDX-License-Identifier: MIT

/// What is kept beside the badges: the person's wishes, and what says which boot this is.
public struct StoredSettings: Hashable, Sendable {
  /// Whether the person wants animations.
  public var animations = true
  /// Whether nothing is to be shown.
  public var quiet = false
  /// When quiet ends, in seconds since the epoch; 0 for never.
  public var quietUntil: UInt64 = 0
  /// The boot to which deadlines on `CLOCK_BOOTTIME` refer, as in
  /// `/proc/sys/kernel/random/boot_id`; empty where none has been kept.
  public var bootID = ""
  /// When the clock of that boot was zero, in nanoseconds since the epoch; tells after a reboot how
  /// much of a deadline is left.
  public var bootEpoch: Int64 = 0

  /// What holds where nothing has been kept.
  public init() {}

  /// The name and value of each row of the `setting` table.
  var rows: [(name: String, value: StoredValue)] {
    [
      ("animations", .integer(animations ? 1 : 0)),
      ("quiet", .integer(quiet ? 1 : 0)),
      ("quiet-until", .integer(Int64(clamping: quietUntil))),
      ("boot", .text(bootID)),
      ("boot-epoch", .integer(bootEpoch)),
    ]
  }

  /// Takes over a row.
  ///
  /// - Returns: Whether the value was a possible one. A name that is not known is let be.
  mutating func take(name: String, value: StoredValue?) -> Bool {
    switch (name, value) {
    case ("animations", .integer(let number)) where 0...1 ~= number: animations = number == 1
    case ("quiet", .integer(let number)) where 0...1 ~= number: quiet = number == 1
    case ("quiet-until", .integer(let number)) where number >= 0: quietUntil = UInt64(number)
    case ("boot", .text(let text)) where text.utf8.count <= 64: bootID = text
    case ("boot-epoch", .integer(let number)): bootEpoch = number
    case ("animations", _), ("quiet", _), ("quiet-until", _), ("boot", _), ("boot-epoch", _):
      return false
    default: break
    }
    return true
  }
}

/// A value of a setting's row.
enum StoredValue: Hashable, Sendable {
  case integer(Int64)
  case text(String)
}
