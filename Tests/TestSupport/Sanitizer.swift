// SPDX-License-Identifier: MIT
internal import Glibc

/// What the tests, and the programs built with them, are watched by.
public enum Sanitizer {
  /// Whether they are: memory is the sanitizer's then, which keeps what was freed.
  public static let isPresent = ["__asan_init", "__tsan_init"].contains { (name: String) in
    unsafe dlsym(nil, name) != nil
  }
}
