// SPDX-License-Identifier: MIT
import Glibc

/// The program `badgectl`.
public enum Badgectl {
  /// Runs the command line of this process.
  ///
  /// - Returns: The exit status.
  public static func main() -> CInt {
    let session = Session(console: Console(), environment: .process)
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let raw = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: raw) else {
        let shown = unsafe String(cString: raw)
        session.report(.usage("argument \(index) is not UTF-8", shown))
        return CommandStatus.wrongUsage.rawValue
      }
      words.append(word)
    }
    return CommandLineRunner.run(words, in: session).rawValue
  }
}
