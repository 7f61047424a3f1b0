// SPDX-License-Identifier: MIT
internal import CLinux
internal import EventLoop
internal import Glibc

/// Calls back when entries of watched folders change or missing folders appear (`inotify(7)`).
///
/// Each scan of the folders sets anew what is watched: `begin`, then `watch` or `expect` for each
/// folder, then `end`.
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

  /// A watcher of nothing; `onChange` is called from the event loop.
  init(on loop: EventLoop, onChange: @escaping () -> Void) throws(SystemError) {
    let raw = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    guard raw >= 0 else { throw .last("inotify_init1") }
    descriptor = OwnedDescriptor(adopting: raw)
    self.onChange = onChange
    try loop.watch(raw, for: .readable) { [weak self] _ in self?.readEvents() }
  }

  /// Begins a new set of watches.
  func begin() {
    previous = Set(interests.keys)
    interests = [:]
  }

  /// Watches the desktop files and folders in `folder`, if it exists.
  func watch(_ folder: String) {
    guard let number = add(folder) else { return }
    interests[number, default: Interest()].isDesktopFolder = true
  }

  /// Waits for `folder` to appear by watching its nearest existing ancestor.
  ///
  /// - Returns: Whether it exists after all.
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

  /// Ends the set, and removes the watches that are no longer in it.
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

/// One event as `inotify(7)` delivers it.
struct InotifyEvent {
  /// The watch descriptor; -1 where events were lost.
  let watch: CInt

  /// The bits `IN_…`.
  let mask: UInt32

  /// The name within the watched folder; empty for the folder itself.
  let name: String

  /// The size of an event without its name: four 32-bit integers.
  private static let headerSize = 16

  /// Takes the first event off `bytes`; nil unless it is complete.
  init?(takingFrom bytes: inout ArraySlice<UInt8>) {
    guard bytes.count >= Self.headerSize else { return nil }
    let header = unsafe bytes.prefix(Self.headerSize).withUnsafeBytes { header in
      (0..<4).map { unsafe header.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
    let rest = bytes.dropFirst(Self.headerSize)
    guard let length = Int(exactly: header[3]), rest.count >= length else { return nil }
    watch = CInt(bitPattern: header[0])
    mask = header[1]
    name = String(decoding: rest.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
    bytes = rest.dropFirst(length)
  }

  /// Whether the event has a bit of `IN_…`.
  func has(_ bit: some BinaryInteger) -> Bool {
    mask & UInt32(truncatingIfNeeded: bit) != 0
  }
}
