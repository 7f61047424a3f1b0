// SPDX-License-Identifier: MIT
internal import Glibc

/// A crash tells nothing of badges.
enum CrashPrivacy {
  /// Makes sure of it: no core dump, which would hold their texts, and no report of the Swift runtime,
  /// which would show memory.
  static func keep() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      _ = signal(number, SIG_DFL)
    }
  }
}
