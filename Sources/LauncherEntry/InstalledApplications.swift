// SPDX-License-Identifier: MIT
public import EventLoop

/// The apps whose desktop files are installed.
///
/// The folders are read on first use. From then on `inotify` reports changes, folders that appear
/// later included, so that nothing is done while there are none.
public final class InstalledApplications {
  /// How long after a change to read the folders again: package managers make many changes.
  public static let settlingTime = Duration.milliseconds(100)

  private let loop: EventLoop
  private let directories: [String]
  private var watcher: DirectoryWatcher?
  private var current: DesktopEntryIndex?
  private var flatpakFiles: [DesktopEntryScan.FlatpakFile] = []
  private var pendingRescan: Timer?

  /// Called after the installed apps have changed.
  public var onChange: (() -> Void)?

  /// The apps installed in `directories`, which take precedence in this order.
  public init(on loop: EventLoop, directories: [String]) {
    self.loop = loop
    self.directories = directories
  }

  /// Whether the folders have been read.
  public var isLoaded: Bool { current != nil }

  /// The installed ids.
  public var index: DesktopEntryIndex {
    if let current { return current }
    rescan()
    return current ?? DesktopEntryIndex()
  }

  /// The installed id that `uri` means, or else the id it spells.
  public func id(for uri: ApplicationURI) -> String {
    if let id = index.resolve(uri) { return id }
    // Desktop files are opened only once a name matches none of them.
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

  private func rescan() {
    if watcher == nil {
      // Without inotify the first scan stands.
      watcher = try? DirectoryWatcher(on: loop) { [weak self] in self?.scheduleRescan() }
    }
    if scan() {
      // A folder appeared after it was found missing and before it was watched for.
      _ = scan()
    }
  }

  /// - Returns: Whether a missing folder has appeared.
  private func scan() -> Bool {
    watcher?.begin()
    let scan = DesktopEntryScan(of: directories) { [watcher] in watcher?.watch($0) }
    let hasAppeared = scan.missing.map { watcher?.expect($0) == true }.contains(true)
    watcher?.end()
    current = scan.index
    flatpakFiles = scan.flatpakFiles
    return hasAppeared
  }

  private func scheduleRescan() {
    guard pendingRescan == nil else { return }
    pendingRescan = loop.schedule(after: Self.settlingTime) { [weak self] in
      guard let self else { return }
      pendingRescan = nil
      rescan()
      onChange?()
    }
  }
}
