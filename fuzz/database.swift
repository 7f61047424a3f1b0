// SPDX-License-Identifier: MIT
// A state file with some bytes changed: it is opened, set aside or refused, and the next start works.
import BadgeCore
import Glibc

@testable import BadgeStore

enum DatabaseTarget: FuzzTarget {
  private static let folder = "/dev/shm/badged-fuzz-\(getpid())"
  private static let directory = StateDirectory(path: folder)

  /// The bytes of a good file.
  private static let template: [UInt8] = {
    FileSystem.removeDirectory(folder)
    guard let store = try? BadgeStore.open(directory), let id = try? BadgeID("mail") else {
      preconditionFailure("no file")
    }
    var changes = StoreChanges()
    for number in 0..<20 {
      guard let id = try? BadgeID("badge\(number)") else { continue }
      var record = BadgeRecord(id: id)
      record.native = BadgeRecord.Native(unnamed: .number(Int64(number)))
      record.settings = [BadgeSetting(key: .max, value: .integer(9))]
      changes.badges.append(record)
    }
    changes.senders = [SenderRecord(bus: "b", sender: ":1.1", app: id, ordinal: 1)]
    changes.settings = StoredSettings()
    try? store.save(changes)
    try? store.close()
    return bytes(of: directory.databasePath)
  }()

  static func run(_ input: inout FuzzInput) {
    var bytes = template
    while !input.isEmpty {
      let place = Int(input.byte()) << 8 | Int(input.byte())
      let piece = input.piece()
      guard place < bytes.count else { continue }
      let end = min(place + max(piece.count, 1), bytes.count)
      bytes.replaceSubrange(place..<end, with: piece.prefix(end - place))
    }
    FileSystem.removeDirectory(folder)
    _ = unsafe mkdir(folder, 0o700)
    write(bytes, to: directory.databasePath)
    open()
    // Whatever that left behind, the next start works.
    open()
    FileSystem.removeDirectory(folder)
  }

  private static func open() {
    do throws(StoreError) {
      let store = try BadgeStore.open(directory)
      let state = try store.load(bus: "b")
      _ = BadgeBook(records: state.badges)
      if let id = try? BadgeID("new") { try store.save(StoreChanges(BadgeRecord(id: id))) }
      try store.close()
    } catch {
      precondition(!error.description.contains("\n"))
    }
  }

  private static func bytes(of path: String) -> [UInt8] {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
  }
}
