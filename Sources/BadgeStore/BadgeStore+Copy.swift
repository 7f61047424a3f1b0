// SPDX-License-Identifier: MIT
private import Glibc

extension BadgeStore {
  /// Reads the state of a directory that can't be opened for writing, by way of a copy.
  ///
  /// For a start on a disk that is read-only, or while another program has the file open: it lets
  /// the badges be seen until ``open(_:waiting:)`` succeeds. The files themselves are not touched.
  ///
  /// - Parameters:
  ///   - directory: The directory that could not be opened.
  ///   - bus: The GUID of the present bus.
  ///   - scratch: Directories that may be writable; the first that is holds the copy for a moment.
  /// - Returns: What is there, as far as it can be read; nil if nothing can.
  public static func readCopy(
    of directory: StateDirectory,
    bus: String,
    scratch: [String] = ["/dev/shm", "/tmp"]
  ) -> StoredState? {
    guard FileSystem.status(of: directory.databasePath) != nil else { return nil }
    for place in scratch {
      let copy = StateDirectory(path: "\(place)/badged-copy-\(getpid())")
      guard FileSystem.makeDirectory(copy.path, permissions: 0o700) == 0 else { continue }
      defer { copy.remove() }
      let main = FileSystem.copy(directory.databasePath, to: copy.databasePath)
      let log = FileSystem.copy(directory.databasePath + "-wal", to: copy.databasePath + "-wal")
      guard main == 0, log == 0 || log == ENOENT else { continue }
      guard let store = try? open(copy, lock: nil, faults: nil) else { return nil }
      defer { try? store.close() }
      return try? store.load(bus: bus)
    }
    return nil
  }
}
