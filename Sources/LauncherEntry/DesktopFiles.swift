// SPDX-License-Identifier: MIT
internal import Glibc

/// Where desktop files are installed, in order of precedence (XDG Base Directory and Desktop Entry
/// Specifications).
public enum DesktopEntryDirectories {
  /// How many folders are used.
  public static let maximum = LauncherLimits.directories

  /// The `applications` folders for `environment`: of the user's data, of `XDG_DATA_DIRS`, and of
  /// Flatpak and snap, which a session may lack.
  ///
  /// Relative paths are ignored, as the specification asks.
  public static func paths(environment: (String) -> String?) -> [String] {
    var data: [String] = []
    let home = environment("HOME").map { $0 + "/.local/share" }
    let own = nonEmpty(environment("XDG_DATA_HOME")) ?? home
    if let own { data.append(own) }
    let shared = nonEmpty(environment("XDG_DATA_DIRS")) ?? "/usr/local/share:/usr/share"
    data += shared.split(separator: ":").map(String.init)
    if let own { data.append(own + "/flatpak/exports/share") }
    data += ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"]
    var paths: [String] = []
    for folder in data where folder.hasPrefix("/") {
      let path = normalized(folder) + "/applications"
      if !paths.contains(path), paths.count < maximum { paths.append(path) }
    }
    return paths
  }

  private static func nonEmpty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `path` without doubled and trailing slashes.
  private static func normalized(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    var bytes: [UInt8] = []
    for byte in path.utf8 where byte != slash || bytes.last != slash { bytes.append(byte) }
    if bytes.last == slash { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The installed desktop-file ids, without suffix, and the ways to find one.
///
/// A value that does no I/O.
public struct DesktopEntryIndex: Sendable {
  /// What a spelling leads to: one id, or several, which counts as none.
  private enum Target: Equatable, Sendable {
    case one(String)
    case several

    var id: String? {
      guard case .one(let id) = self else { return nil }
      return id
    }
  }

  private var ids: Set<String> = []
  private var byFoldedID: [String: Target] = [:]
  private var bySnapName: [String: Target] = [:]
  private var byFormerID: [String: Target] = [:]

  /// An empty index.
  public init() {}

  /// The number of ids.
  public var count: Int { ids.count }

  /// Adds an installed id.
  public mutating func insert(_ id: String) {
    guard ids.insert(id).inserted else { return }
    let folded = id.lowercased()
    Self.add(id, for: folded, to: &byFoldedID)
    if let underscore = folded.firstIndex(of: "_") {
      let name = folded[folded.index(after: underscore)...]
      if !name.isEmpty { Self.add(id, for: String(name), to: &bySnapName) }
    }
  }

  /// Adds a former id of the installed `id` (`X-Flatpak-RenamedFrom`).
  public mutating func insert(formerID: String, of id: String) {
    Self.add(id, for: formerID.lowercased(), to: &byFormerID)
  }

  /// Whether exactly this id is installed, byte for byte.
  public func contains(_ id: String) -> Bool {
    guard let index = ids.firstIndex(of: id) else { return false }
    return ids[index].utf8.elementsEqual(id.utf8)
  }

  /// The installed id that `uri` means, as its file spells it; nil if there is none.
  ///
  /// In this order: the same name, the same except for case, the only snap with an app of this name
  /// (`<snap>_<name>`), the app whose former name it is.
  public func resolve(_ uri: ApplicationURI) -> String? {
    for candidate in uri.candidates {
      if let index = ids.firstIndex(of: candidate) { return ids[index] }
    }
    let folded = uri.candidates.map { $0.lowercased() }
    for table in [byFoldedID, bySnapName, byFormerID] {
      for name in folded {
        if let id = table[name]?.id { return id }
      }
    }
    return nil
  }

  private static func add(_ id: String, for name: String, to table: inout [String: Target]) {
    let known = table[name]
    if known == nil {
      table[name] = .one(id)
    } else if known != .one(id) {
      table[name] = .several
    }
  }
}

/// One scan of all folders that desktop files are installed in.
struct DesktopEntryScan {
  /// A desktop file exported by Flatpak, which may name its app's former ids.
  struct FlatpakFile {
    let id: String
    let path: String
  }

  static let maximumEntries = LauncherLimits.desktopEntries
  static let maximumFolders = LauncherLimits.folders
  static let maximumDepth = LauncherLimits.folderDepth
  static let maximumFlatpakFiles = LauncherLimits.flatpakFiles

  private(set) var index = DesktopEntryIndex()
  private(set) var flatpakFiles: [FlatpakFile] = []

  /// The folders that exist, and those that don't.
  private(set) var folders: [String] = []
  private(set) var missing: [String] = []

  private var entries = 0
  private let willRead: (String) -> Void

  /// Scans `directories`; calls `willRead` before reading each folder, so that a watch on it sees
  /// every later change.
  init(of directories: [String], willRead: @escaping (String) -> Void) {
    self.willRead = willRead
    missing = directories.filter { !read($0, prefix: "", depth: 0) }
  }

  private mutating func read(_ folder: String, prefix: String, depth: Int) -> Bool {
    guard folders.count < Self.maximumFolders else { return true }
    willRead(folder)
    let remaining = Self.maximumEntries - entries
    guard let found = DirectoryListing.entries(of: folder, limit: remaining) else { return false }
    folders.append(folder)
    entries += found.count
    for entry in found {
      switch entry.kind {
      case .file: add(entry.name, in: folder, prefix: prefix)
      case .directory where depth < Self.maximumDepth:
        _ = read(folder + "/" + entry.name, prefix: prefix + entry.name + "-", depth: depth + 1)
      case .directory: break
      }
    }
    return true
  }

  private mutating func add(_ name: String, in folder: String, prefix: String) {
    guard name.utf8.count > Self.suffix.utf8.count, name.hasSuffix(Self.suffix) else { return }
    let id = prefix + name.dropLast(Self.suffix.count)
    guard id.utf8.count <= ApplicationURI.maximumIDLength else { return }
    if folder.split(separator: "/").contains("flatpak"),
      flatpakFiles.count < Self.maximumFlatpakFiles
    {
      flatpakFiles.append(FlatpakFile(id: id, path: folder + "/" + name))
    }
    index.insert(id)
  }

  static let suffix = ".desktop"
}

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

  /// Up to `limit` entries of the folder at `path`; nil if it cannot be read.
  ///
  /// Links are followed. Hidden entries and dangling links are left out.
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

  /// The name in `record`; nil if it is not UTF-8.
  private static func name(of record: UnsafeMutablePointer<dirent>) -> String? {
    unsafe withUnsafeBytes(of: &record.pointee.d_name) { bytes in
      unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The kind for a `d_type` of `readdir(3)`; nil if `stat(2)` has to tell.
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

/// The former ids of an app, from the desktop file that Flatpak exported.
enum FlatpakFormerIDs {
  static let maximumSize = LauncherLimits.flatpakFileBytes
  static let maximumNames = LauncherLimits.formerNames

  private static let key = "X-Flatpak-RenamedFrom="

  /// The former ids in the file at `path`, without suffix.
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
