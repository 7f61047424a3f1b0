// SPDX-License-Identifier: MIT
import CSQLite
import Glibc
import Synchronization

/// Lets one of the system calls that SQLite makes fail.
///
/// By the door that its Unix VFS keeps open for tests (`xSetSystemCall`). Holds for the whole process, so only for one that runs a single test.
enum SystemCallFaults {
  private static let countdown = Atomic<Int>(0)
  private static let error = Atomic<CInt>(0)

  /// Fails the so-many-th call from now on with an error number.
  static func arm(_ call: Int, error number: CInt) {
    error.store(number, ordering: .relaxed)
    countdown.store(call, ordering: .relaxed)
  }

  /// Whether the call that was to fail has not come yet; none fails any more.
  static func disarm() -> Bool {
    countdown.exchange(0, ordering: .relaxed) > 0
  }

  /// Takes the place of the calls.
  static func install() {
    guard let vfs = unsafe sqlite3_vfs_find(nil), let set = unsafe vfs.pointee.xSetSystemCall
    else { preconditionFailure() }
    let write: @convention(c) (CInt, UnsafeRawPointer?, Int, off_t) -> Int = {
      unsafe SystemCallFaults.fails() ? -1 : pwrite($0, $1, $2, $3)
    }
    let read: @convention(c) (CInt, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
      unsafe SystemCallFaults.fails() ? -1 : pread($0, $1, $2, $3)
    }
    let truncate: @convention(c) (CInt, off_t) -> CInt = {
      SystemCallFaults.fails() ? -1 : ftruncate($0, $1)
    }
    let opening: @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> CInt = { path, flags, mode in
      guard let path = unsafe path, !SystemCallFaults.fails() else { return -1 }
      return unsafe open(path, flags, mode_t(mode))
    }
    let remove: @convention(c) (UnsafePointer<CChar>?) -> CInt = {
      guard let path = unsafe $0, !SystemCallFaults.fails() else { return -1 }
      return unsafe unlink(path)
    }
    typealias Call = @convention(c) () -> Void
    for name in ["pwrite", "pwrite64"] {
      unsafe _ = set(vfs, name, unsafeBitCast(write, to: Call.self))
    }
    for name in ["pread", "pread64"] {
      unsafe _ = set(vfs, name, unsafeBitCast(read, to: Call.self))
    }
    unsafe _ = set(vfs, "ftruncate", unsafeBitCast(truncate, to: Call.self))
    unsafe _ = set(vfs, "open", unsafeBitCast(opening, to: Call.self))
    unsafe _ = set(vfs, "unlink", unsafeBitCast(remove, to: Call.self))
  }

  private static func fails() -> Bool {
    guard countdown.load(ordering: .relaxed) > 0,
      countdown.subtract(1, ordering: .relaxed).newValue == 0
    else { return false }
    errno = error.load(ordering: .relaxed)
    return true
  }
}
