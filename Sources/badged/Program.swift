// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import BadgeService
internal import CLinux
internal import EventLoop
internal import Glibc

/// The program as the shell sees it: arguments in, lines and an exit status out.
enum Program {
  /// Runs the program named and asked for by `arguments`.
  ///
  /// - Returns: The exit status: 0 ended as asked, 1 failed, 2 wrong usage.
  static func run(_ arguments: [String]) -> CInt {
    StandardDescriptors.reserve()
    let options: Options
    do throws(UsageError) {
      options = try Options(parsing: Array(arguments.dropFirst()))
    } catch {
      Log.writeToStandardError("badged: \(error.message)\n")
      return 2
    }
    switch options.action {
    case .help: return write(Options.help)
    case .version: return write("badged \(Version.current)\n")
    case .serve: return serve(options)
    }
  }

  private static func serve(_ options: Options) -> CInt {
    // One long message would else leave its size behind.
    linux_return_large_memory(1 << 18)
    let log = Log(
      style: Log.standardErrorIsJournal(environment) ? .priorities : .program("badged"),
      isVerbose: options.isVerbose
    )
    do throws(StartFailure) {
      let daemon = try Daemon(options, environment: environment, log: log)
      try daemon.run()
      return 0
    } catch {
      log.error(error.message)
      return 1
    }
  }

  /// A variable of the environment.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static func write(_ text: String) -> CInt {
    var text = text
    return text.withUTF8 { bytes in
      unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count) == bytes.count ? 0 : 1
    }
  }
}
