// SPDX-License-Identifier: MIT

/// Why a badge is gone, as the signal `Removed` says it.
public enum RemovalReason: String, CaseIterable, Sendable {
  /// Somebody removed it, or cleared an app's.
  case removed
  /// A person removed it from a panel.
  case dismissed
  /// Everything was removed.
  case clearedAll = "cleared-all"
  /// The process it lived with ended, or the app that announced it left.
  case ownerGone = "owner-gone"
  /// Its time was over.
  case expired
}
