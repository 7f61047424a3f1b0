// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc

/// Says when the names in some folders change, or when folders that are missing appear (`inotify`).
///
/// What it watches is told anew with each look at the folders: `begin`, `watch` and `expect` for each
/// of them, `end`.
final class DirectoryWatcher {
  /// Which names matter in a watched folder.
  private struct Interest {
    var isDesktopFolder = false
    var names: Set<String> = []
  }

  private static let mask =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

  private let descriptor: OwnedDescriptor
  private var interests: [CInt: Interest] = [:]
  private var previous: Set<CInt> = []
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  private let onChange: () -> Void

  /// A watcher of nothing; `onChange` is called in the loop's own time.
  init(on loop: EventLoop, onChange: @escaping () -> Void) throws(SystemError) {
    let raw = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    guard raw >= 0 else { throw .last("inotify_init1") }
    descriptor = OwnedDescriptor(adopting: raw)
    self.onChange = onChange
    try loop.watch(raw, for: .readable) { [weak self] _ in self?.readEvents() }
  }

  /// Begins to tell what is to be watched from now on.
  func begin() {
    previous = Set(interests.keys)
    interests = [:]
  }

  /// Watches the desktop files and folders in `folder`, if that is there.
  func watch(_ folder: String) {
    guard let number = add(folder) else { return }
    interests[number, default: Interest()].isDesktopFolder = true
  }

  /// Waits for `folder` to appear: watches the nearest folder above it that is there.
  ///
  /// - Returns: whether it is there after all.
  func expect(_ folder: String) -> Bool {
    var components = folder.split(separator: "/")
    while let missing = components.popLast() {
      let parent = "/" + components.joined(separator: "/")
      guard let number = add(parent) else { continue }
      interests[number, default: Interest()].names.insert(String(missing))
      let path = (parent == "/" ? "" : parent) + "/" + missing
      return unsafe access(path, F_OK) == 0
    }
    return false
  }

  /// Ends the watches that were not asked for again.
  func end() {
    for number in previous where interests[number] == nil {
      _ = inotify_rm_watch(descriptor.rawValue, number)
    }
    previous = []
  }

  private func add(_ folder: String) -> CInt? {
    let number = unsafe inotify_add_watch(descriptor.rawValue, folder, Self.mask)
    return number >= 0 ? number : nil
  }

  private func readEvents() {
    var isChanged = false
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor.rawValue, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { break }
      var rest = buffer[..<count]
      while let event = InotifyEvent(takingFrom: &rest) {
        if matters(event) { isChanged = true }
      }
    }
    if isChanged { onChange() }
  }

  private func matters(_ event: InotifyEvent) -> Bool {
    if event.has(IN_Q_OVERFLOW) { return true }
    guard let interest = interests[event.watch] else { return false }
    if event.has(IN_IGNORED) {
      interests[event.watch] = nil
      return true
    }
    if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) { return true }
    return interest.names.contains(event.name)
      || interest.isDesktopFolder
        && (event.has(IN_ISDIR) || event.name.hasSuffix(DesktopEntryScan.suffix))
  }
}
