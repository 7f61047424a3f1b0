// SPDX-License-Identifier: MIT
import EventLoop
import Glibc

/// The program `badgectl`.
public enum Badgectl {
  /// Runs the command line of this process and ends it with the status.
  public static func main() -> Never {
    StandardDescriptors.reserve()
    let session = Session(console: Console(), environment: .process)
    let status = run(in: session)
    // The connection is left to the kernel, which takes it apart faster.
    withExtendedLifetime(session) { exit(status.rawValue) }
  }

  private static func run(in session: Session) -> CommandStatus {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let raw = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: raw) else {
        let shown = unsafe String(cString: raw)
        session.report(.usage("argument \(index) is not UTF-8", shown))
        return .wrongUsage
      }
      words.append(word)
    }
    return CommandLineRunner.run(words, in: session)
  }
}
