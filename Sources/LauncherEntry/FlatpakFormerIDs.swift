// SPDX-License-Identifier: MIT
internal import Glibc

/// What a desktop file exported by Flatpak says its app was called before.
enum FlatpakFormerIDs {
  /// How much of a file is read, in bytes, and how many names are taken from it.
  static let maximumSize = LauncherLimits.flatpakFileBytes
  static let maximumNames = LauncherLimits.formerNames

  private static let key = "X-Flatpak-RenamedFrom="

  /// The former ids in the file at `path`, without suffix; none where there are none to read.
  static func read(_ path: String) -> [String] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximumSize)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }
    return count > 0 ? parse(bytes[..<count]) : []
  }

  /// The former ids in the text of a desktop file.
  static func parse(_ text: some Collection<UInt8>) -> [String] {
    for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: key.utf8) {
      let names = line.dropFirst(key.utf8.count).split(separator: UInt8(ascii: ";"))
      return names.prefix(maximumNames).compactMap { name in
        String(validating: name, as: UTF8.self).flatMap { ApplicationURI($0)?.fallback }
      }
    }
    return []
  }
}
