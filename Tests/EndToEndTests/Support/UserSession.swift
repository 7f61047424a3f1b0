// SPDX-License-Identifier: MIT
import TestSupport

/// A temporary session with a real `systemd --user` and a real session bus.
enum UserSession {
  /// The result of a script in the session.
  struct Report: CustomStringConvertible {
    /// The exit status of the script.
    var status: ExitStatus
    /// The lines `name=value` it printed.
    var values: [String: String]
    /// The output of the script and the session's services.
    var description: String

    /// The value printed for a name, or a text that says there is none.
    subscript(_ name: String) -> String { values[name] ?? "(not reported)" }
  }

  /// Runs a Bash script in the project's directory; it stops at the first failing command.
  ///
  /// `PROGRAMS` is the directory of the programs to install, `until_true COMMAND ...` repeats a command
  /// until it succeeds, and `daemon` prints the process id of the running service.
  static func run(_ script: String, as user: String = "root") throws -> Report {
    let prelude = """
      export PROGRAMS='\(try programs())' PATH="$HOME/.local/bin:$PATH" LC_ALL=C.UTF-8
      until_true() {
        for _ in $(seq 2000); do "$@" >/dev/null 2>&1 && return 0; sleep 0.02; done
        echo "never succeeded: $*" >&2
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
      within: .seconds(180)
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

  /// The programs' directory as seen in the session, where the project is mounted at /run/work.
  private static func programs() throws -> String {
    let programs = try Project.programs()
    guard programs.hasPrefix(Project.folder + "/") else { return programs }
    return "/run/work" + programs.dropFirst(Project.folder.count)
  }
}
