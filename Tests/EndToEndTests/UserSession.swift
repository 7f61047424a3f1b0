// SPDX-License-Identifier: MIT
import TestSupport

/// A throwaway session with a real `systemd --user` and a real session bus.
enum UserSession {
  /// What a script in the session reported.
  struct Report: CustomStringConvertible {
    /// How the script ended.
    var status: ExitStatus
    /// What it printed, as lines `name=value`.
    var values: [String: String]
    /// All that it and the session's services said.
    var description: String

    /// The value printed under a name, or what says that there is none.
    subscript(_ name: String) -> String { values[name] ?? "(not reported)" }
  }

  /// Runs a Bash script, which stops at the first failing command, in the project's folder.
  ///
  /// `PROGRAMS` holds the programs to install, `until_true COMMAND ...` repeats a command until it
  /// succeeds, and `daemon` prints the process id of the running service.
  static func run(_ script: String, as user: String = "root") throws -> Report {
    let prelude = """
      export PROGRAMS='\(try programs())' PATH="$HOME/.local/bin:$PATH" LC_ALL=C.UTF-8
      until_true() {
        for _ in $(seq 400); do "$@" >/dev/null 2>&1 && return 0; sleep 0.02; done
        echo "never came true: $*" >&2
        return 1
      }
      daemon() { systemctl --user show -P MainPID badged; }

      """
    let finished = try SpawnedProcess.run(
      Project.path("Tests/Tools/user-session"),
      ["--as", user, "bash", "-euo", "pipefail", "-c", prelude + script],
      environment: [
        "HOME": "/", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      ],
      directory: Project.folder,
      within: .seconds(60)
    )
    var values: [String: String] = [:]
    for line in finished.output.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
    return Report(
      status: finished.status,
      values: values,
      description: finished.output + finished.errorOutput
    )
  }

  /// The programs' folder as it is reached inside, where the project's folder is the working directory.
  private static func programs() throws -> String {
    let programs = try Project.programs()
    guard programs.hasPrefix(Project.folder + "/") else { return programs }
    return "/run/work" + programs.dropFirst(Project.folder.count)
  }
}
