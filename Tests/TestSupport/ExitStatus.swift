// SPDX-License-Identifier: MIT

/// How a process ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// It returned this status, 0 for success.
  case exited(CInt)
  /// This signal ended it.
  case signalled(CInt)

  /// The status 0.
  public static let success = ExitStatus.exited(0)

  /// Decodes what `waitpid(2)` reports.
  init(raw: CInt) {
    let signal = raw & 0x7f
    self = signal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(signal)
  }

  /// Says it in words.
  public var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .signalled(let signal): "signal \(signal)"
    }
  }
}
