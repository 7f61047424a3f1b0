// SPDX-License-Identifier: MIT
import Glibc

/// The descriptors 0, 1 and 2, which may be closed when a program starts.
public enum StandardDescriptors {
  /// Opens those that are closed, so that no socket or file of the program's own takes their place
  /// and is written to as if it were standard output.
  ///
  /// What is opened can be read, and ends at once; writing to it fails, as it would have before.
  public static func reserve() {
    var descriptor: CInt
    repeat {
      descriptor = unsafe open("/dev/null", O_RDONLY)
    } while (0...2).contains(descriptor)
    if descriptor > 2 { _ = close(descriptor) }
  }
}
