// SPDX-License-Identifier: MIT
internal import Glibc

/// The entries of one folder.
enum DirectoryListing {
  enum Kind {
    case file
    case directory
  }

  struct Entry {
    let name: String
    let kind: Kind
  }

  /// Up to `limit` entries of the folder at `path`; nil where it cannot be read.
  ///
  /// Links are what they lead to. Hidden entries, and links that lead nowhere, are left out.
  static func entries(of path: String, limit: Int) -> [Entry]? {
    guard let stream = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while entries.count < limit, let record = unsafe readdir(stream) {
      guard let name = unsafe Self.name(of: record), !name.hasPrefix(".") else { continue }
      let type = unsafe Int(record.pointee.d_type)
      if let kind = Self.kind(of: type) ?? Self.kind(of: path + "/" + name) {
        entries.append(Entry(name: name, kind: kind))
      }
    }
    return entries
  }

  /// The name in `record`; nil where it is no UTF-8.
  private static func name(of record: UnsafeMutablePointer<dirent>) -> String? {
    unsafe withUnsafeBytes(of: &record.pointee.d_name) { bytes in
      unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// What a type of `readdir(3)` says; nil where one has to look.
  private static func kind(of type: Int) -> Kind? {
    switch type {
    case Int(DT_REG): .file
    case Int(DT_DIR): .directory
    default: nil
    }
  }

  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return nil
    }
  }
}
