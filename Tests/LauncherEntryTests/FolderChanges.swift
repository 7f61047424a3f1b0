// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

extension TemporaryDirectory {
  /// Writes a desktop file, or whatever `name` says, and makes the folders above it.
  func install(_ name: String, _ text: String = "[Desktop Entry]\n") throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try write(text, to: name)
  }

  /// Removes a file.
  func remove(_ name: String) {
    _ = unsafe unlink(appending(name))
  }

  /// Gives a file or folder another name.
  func rename(_ name: String, to newName: String) {
    _ = unsafe Glibc.rename(appending(name), appending(newName))
  }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) {
    _ = unsafe symlink(target, appending(name))
  }
}
