// SPDX-License-Identifier: MIT

/// The calls of SQLite that can fail, as the seam for fault injection names them.
package enum SQLiteCall: String, CaseIterable, Sendable {
  case open, configure, prepare, bind, step, checkpoint, sync, close
}

/// Decides, before a call into SQLite, whether it is to fail.
///
/// Gives a result code in place of the call, or nil to let it happen. For tests only; costs one
/// comparison where there is none.
package typealias FaultHook = (SQLiteCall) -> SQLiteCode?
