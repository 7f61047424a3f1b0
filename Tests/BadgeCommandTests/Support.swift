// SPDX-License-Identifier: MIT
import CLinux
import BadgeClient
import BadgeCore
import Glibc
import TestSupport

@testable import BadgeCommand

/// A command line run inside the test, with descriptors of its own.
struct CommandRun {
  let status: ExitCode
  let output: String
  let errors: String

  /// Runs the words after the program's name.
  init(_ words: [String], input: String = "", environment: [String: String] = [:]) throws {
    let descriptors = try (0..<3).map { _ in try MemoryFile() }
    try descriptors[0].write(input)
    let console = Console(
      input: descriptors[0].descriptor,
      output: descriptors[1].descriptor,
      errors: descriptors[2].descriptor
    )
    var variables = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
    variables.merge(environment) { $1 }
    let session = Session(console: console, environment: Environment(variables))
    status = CommandLineRunner.run(words, in: session)
    output = try descriptors[1].contents()
    errors = try descriptors[2].contents()
  }
}

/// A file without a name.
final class MemoryFile {
  let descriptor: CInt

  init() throws {
    var path = Array("/tmp/badgectl-test-XXXXXX".utf8CString)
    descriptor = unsafe mkostemp(&path, O_CLOEXEC)
    if descriptor < 0 { throw TestFailure("mkostemp: \(errno)") }
    _ = unsafe unlink(path)
  }

  deinit { close(descriptor) }

  /// Writes a text and goes back to its start.
  func write(_ text: String) throws {
    var bytes = Array(text.utf8)
    guard unsafe Glibc.write(descriptor, &bytes, bytes.count) == bytes.count else {
      throw TestFailure("write: \(errno)")
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// All that was written.
  func contents() throws -> String {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    guard unsafe pread(descriptor, &bytes, size, 0) == size else {
      throw TestFailure("pread: \(errno)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A checked-in text that the code must print exactly; `BADGED_RENEW_GOLDEN=1` writes it anew.
func golden(_ name: String, for text: String) throws -> String {
  if unsafe getenv("BADGED_RENEW_GOLDEN") != nil {
    let output = unsafe open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { close(output) }
    var bytes = Array(text.utf8)
    _ = unsafe write(output, &bytes, bytes.count)
  }
  return try checkedIn(name)
}

/// A file of the repository, by its path from this folder.
func checkedIn(_ name: String) throws -> String {
  guard let text = contents(ofFile: path(of: name)) else { throw TestFailure("no file: \(name)") }
  return text
}

private func path(of name: String, file: String = #filePath) -> String {
  file[...(file.lastIndex(of: "/") ?? file.startIndex)] + name
}

/// Badges as the daemon would tell of them.
enum Sample {
  static func id(_ text: String) throws -> BadgeID { try BadgeID(text) }

  /// A visible number, or a hidden zero.
  static func number(
    _ id: String,
    _ count: Int64,
    _ more: [BadgeKey: PropertyValue] = [:]
  ) throws -> BadgeState {
    try badge(
      id,
      [
        .kind: .string("number"), .count: .integer(count), .label: .string(String(count)),
        .visible: .boolean(count > 0),
      ],
      more
    )
  }

  static func text(_ id: String, _ text: String, _ more: [BadgeKey: PropertyValue] = [:]) throws
    -> BadgeState
  {
    try badge(
      id,
      [
        .kind: .string("text"), .text: .string(text), .label: .string(text),
        .visible: .boolean(true),
      ],
      more
    )
  }

  static func dot(_ id: String, _ more: [BadgeKey: PropertyValue] = [:]) throws -> BadgeState {
    try badge(id, [.kind: .string("dot"), .visible: .boolean(true)], more)
  }

  private static func badge(
    _ id: String,
    _ values: [BadgeKey: PropertyValue],
    _ more: [BadgeKey: PropertyValue]
  ) throws -> BadgeState {
    BadgeState(
      id: try BadgeID(id),
      values.merging([.origin: .string("native")]) { $1 }.merging(more) { $1 }
    )
  }

  static func animation(_ event: String, _ name: String) -> BadgeAnimation {
    var animation = BadgeAnimation()
    (animation.event, animation.name) = (event, name)
    return animation
  }
}
