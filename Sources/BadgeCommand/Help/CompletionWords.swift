// SPDX-License-Identifier: MIT
import BadgeCore

/// What completions offer besides the ids of badges.
enum CompletionWords {
  /// The keys `get` can print.
  static var keys: [String] {
    BadgeKey.allCases.filter(\.isReadable).map(\.name)
  }
}
