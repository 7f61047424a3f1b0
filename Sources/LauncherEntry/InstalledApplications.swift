// SPDX-License-Identifier: MIT
public import EventLoop

/// The apps whose desktop files are installed now.
///
/// Nothing is read before the first question. From then on changes are noticed as they happen,
/// folders that appear later included, and cost nothing while there are none.
public final class InstalledApplications {
  /// How long after a change the folders are looked at again: package managers make many.
  public static let settlingTime = Duration.milliseconds(100)

  private let loop: EventLoop
  private let directories: [String]
  private var watcher: DirectoryWatcher?
  private var current: DesktopEntryIndex?
  private var flatpakFiles: [DesktopEntryScan.FlatpakFile] = []
  private var pendingLook: Timer?

  /// Called after the installed apps have changed.
  public var onChange: (() -> Void)?

  /// The apps installed in `directories`, those that come first being the more important.
  public init(on loop: EventLoop, directories: [String]) {
    self.loop = loop
    self.directories = directories
  }

  /// Whether the folders have been read.
  public var isLoaded: Bool { current != nil }

  /// The installed ids.
  public var index: DesktopEntryIndex {
    if let current { return current }
    look()
    return current ?? DesktopEntryIndex()
  }

  /// The installed id that `uri` means, or else what it says.
  public func id(for uri: ApplicationURI) -> String {
    if let id = index.resolve(uri) { return id }
    // Desktop files are opened only now, when one name at least is not that of any.
    guard !flatpakFiles.isEmpty else { return uri.fallback }
    readFormerIDs()
    return index.resolve(uri) ?? uri.fallback
  }

  private func readFormerIDs() {
    for file in flatpakFiles {
      for formerID in FlatpakFormerIDs.read(file.path) {
        current?.insert(formerID: formerID, of: file.id)
      }
    }
    flatpakFiles = []
  }

  private func look() {
    if watcher == nil {
      // Without inotify the apps are those of the first look.
      watcher = try? DirectoryWatcher(on: loop) { [weak self] in self?.lookSoon() }
    }
    if scan() {
      // A folder appeared between being looked for and being waited for.
      _ = scan()
    }
  }

  /// - Returns: whether a folder that was missing has appeared.
  private func scan() -> Bool {
    watcher?.begin()
    let scan = DesktopEntryScan(of: directories) { [watcher] in watcher?.watch($0) }
    let hasAppeared = scan.missing.map { watcher?.expect($0) == true }.contains(true)
    watcher?.end()
    current = scan.index
    flatpakFiles = scan.flatpakFiles
    return hasAppeared
  }

  private func lookSoon() {
    guard pendingLook == nil else { return }
    pendingLook = loop.schedule(after: Self.settlingTime) { [weak self] in
      guard let self else { return }
      pendingLook = nil
      look()
      onChange?()
    }
  }
}
