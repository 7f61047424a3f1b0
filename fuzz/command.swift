// SPDX-License-Identifier: MIT
// Bytes as lines of a batch, and as a command line, of every verb; there is no bus to do it on.
import Glibc

@testable import BadgeCommand

enum CommandTarget: FuzzTarget {
  private static let input = unsafe open("/dev/null", O_RDONLY)
  private static let output = unsafe open("/dev/null", O_WRONLY)

  static func run(_ input: inout FuzzInput) {
    let environment = Environment(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
    let console = Console(input: Self.input, output: output, errors: output)
    let session = Session(console: console, environment: environment)
    var rest = input.remainder()[...]
    let size = max(1, Int(rest.popFirst() ?? 1))
    var lines = LineReader(chunks: {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    })
    while let line = try? lines.next() {
      guard case .text(let bytes) = line, let text = String(validating: bytes, as: UTF8.self),
        let words = try? ShellWords.split(text), let name = words.first
      else { continue }
      _ = try? CommandLineRunner.run(name, words.dropFirst(), in: session, isBatch: true)
      _ = CommandLineRunner.run(words, in: session)
      for word in words { _ = (Numbers.seconds(word), quoted(word), printable(word)) }
    }
  }
}
