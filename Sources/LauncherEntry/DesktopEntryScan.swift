// SPDX-License-Identifier: MIT

/// One look at the names in all folders that desktop files are installed in.
struct DesktopEntryScan {
  /// A desktop file that Flatpak made, which may tell what its app was called before.
  struct FlatpakFile {
    let id: String
    let path: String
  }

  /// How many entries of folders are looked at, and how deep folders may lie in one another.
  static let maximumEntries = LauncherLimits.desktopEntries
  static let maximumFolders = LauncherLimits.folders
  static let maximumDepth = LauncherLimits.folderDepth
  static let maximumFlatpakFiles = LauncherLimits.flatpakFiles

  private(set) var index = DesktopEntryIndex()
  private(set) var flatpakFiles: [FlatpakFile] = []

  /// The folders there are, and those there are not.
  private(set) var folders: [String] = []
  private(set) var missing: [String] = []

  private var entries = 0
  private let willRead: (String) -> Void

  /// Looks at `directories`; calls `willRead` with each folder before it is read, so that what
  /// changes in the meantime can be noticed.
  init(of directories: [String], willRead: @escaping (String) -> Void) {
    self.willRead = willRead
    missing = directories.filter { !read($0, prefix: "", depth: 0) }
  }

  private mutating func read(_ folder: String, prefix: String, depth: Int) -> Bool {
    guard folders.count < Self.maximumFolders else { return true }
    willRead(folder)
    let room = Self.maximumEntries - entries
    guard let found = DirectoryListing.entries(of: folder, limit: room) else { return false }
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
