// SPDX-License-Identifier: MIT
import Testing
import TestSupport

/// `make install` and `make uninstall` under a real user manager.
@Suite(.processLogs) struct InstallTests {
  /// Installs for one user in a temporary session, and runs a script there, which must succeed.
  private func installed(_ script: String, as user: String = "root") throws -> UserSession.Report {
    let install = "make --no-print-directory install PREFIX=\"$HOME/.local\"\n"
    let report = try UserSession.run(install + script, as: user)
    guard report.status == .success else { throw TestFailure("\(report)") }
    return report
  }

  @Test("The first call starts the installed daemon, and a killed one is started again")
  func firstCallActivates() throws {
    let report = try installed(
      """
      echo before=$(systemctl --user show -P ActiveState badged)
      badgectl set mail 3
      echo after=$(systemctl --user show -P ActiveState badged)
      first=$(daemon)
      echo program=$(readlink /proc/$first/exe)
      kill -KILL $first
      another() { [ "$(daemon)" != 0 ] && [ "$(daemon)" != $first ] && badgectl status; }
      until_true another
      echo again=$(systemctl --user show -P ActiveState badged)
      echo kept=$(badgectl get mail)
      systemctl --user stop badged
      echo result=$(systemctl --user show -P Result badged)
      """
    )
    #expect(report["before"] == "inactive")
    #expect(report["after"] == "active")
    #expect(report["program"] == "/run/home/.local/bin/badged")
    #expect(report["again"] == "active")
    #expect(report["kept"] == "3")
    #expect(report["result"] == "success")
  }

  @Test("A person who is not root installs for themselves, and D-Bus alone starts the daemon")
  func unprivilegedInstallation() throws {
    let report = try installed(
      """
      call() { dbus-send --session --print-reply --dest=org.badged.Badges1 /org/badged/Badges1 "$@"; }
      call org.badged.Badges1.Set string:mail int64:7
      echo get=$(badgectl get mail)
      echo owner=$(stat -c %U /proc/$(daemon))
      echo folder=$(stat -c %a "$HOME/.local/state/badged")
      """,
      as: "nobody"
    )
    #expect(report["get"] == "7")
    #expect(report["owner"] == "nobody")
    #expect(report["folder"] == "700")
  }

  @Test("Under its unit the daemon writes its own folder and nothing else")
  func sandboxHolds() throws {
    let report = try installed(
      """
      badgectl set mail 3
      pid=$(daemon)
      state=$HOME/.local/state/badged
      echo files=$(find "$state" -type f | wc -l)
      echo durable=$(busctl --user get-property org.badged.Badges1 /org/badged/Badges1 \\
        org.badged.Badges1 Durable)
      echo privileges=$(sed -n 's/^NoNewPrivs:\\t//p' /proc/$pid/status)
      echo filter=$(sed -n 's/^Seccomp:\\t//p' /proc/$pid/status)
      echo cores=$(sed -n 's/^Max core file size *//p' /proc/$pid/limits | tr -s ' ')
      inside() { nsenter --target $pid --mount -- "$@" 2>/dev/null; }
      inside touch "$state/probe" && echo own=writable
      inside touch "$HOME/probe" || echo home=read-only
      inside touch /tmp/badged-probe || echo temporary=read-only
      inside touch /usr/badged-probe || echo system=read-only
      echo exposure=$(systemd-analyze security --user badged.service | sed -n 's/.*level for .*: //p')
      """
    )
    #expect(report["files"] != "0")
    #expect(report["durable"] == "b true")
    #expect(report["privileges"] == "1")
    #expect(report["filter"] == "2")
    #expect(report["own"] == "writable")
    for place in ["home", "temporary", "system"] {
      #expect(report[place] == "read-only", "\(place)")
    }
    #expect(report["cores"] == "0 0 bytes")
    // The same on systemd 252 and 257; the rest can't be had under a user manager.
    let manual = try Project.text("man/badged.1").split(separator: "\n")
    let line = try #require(manual.first { $0.hasPrefix("an exposure of ") })
    let recorded = line.dropFirst("an exposure of ".count).prefix { $0.isNumber || $0 == "." }
    #expect(report["exposure"].hasPrefix("\(recorded) "), "\(report)")
    #expect(try Project.text("README.md").contains("an exposure of \(recorded)"))
  }

  @Test("A daemon that hangs is ended by its watchdog and started again; one that is idle is not")
  func watchdogRestarts() throws {
    let report = try installed(
      """
      mkdir -p "$HOME/.config/systemd/user/badged.service.d"
      printf '[Service]\\nWatchdogSec=500ms\\n' >"$HOME/.config/systemd/user/badged.service.d/soon.conf"
      systemctl --user daemon-reload
      badgectl set mail 3
      first=$(daemon)
      echo asked=$(tr '\\0' '\\n' </proc/$first/environ | grep ^WATCHDOG_USEC=)
      quiet_for() { [ $(($(date +%s%3N) - began)) -gt "$1" ]; }
      began=$(date +%s%3N)
      until_true quiet_for 1500
      [ "$(daemon)" = $first ] && echo idle=lives
      kill -STOP $first
      another() { [ "$(daemon)" != 0 ] && [ "$(daemon)" != $first ] && badgectl status; }
      until_true another
      echo kept=$(badgectl get mail)
      echo restarts=$(systemctl --user show -P NRestarts badged)
      """
    )
    #expect(report["asked"] == "WATCHDOG_USEC=500000")
    #expect(report["idle"] == "lives")
    #expect(report["kept"] == "3")
    #expect(report["restarts"] == "1")
  }

  @Test("Uninstalling leaves nothing but badges")
  func uninstallLeavesNothing() throws {
    let report = try installed(
      """
      badgectl set mail 3
      systemctl --user enable badged
      make --no-print-directory uninstall PREFIX="$HOME/.local"
      echo files=$(find "$HOME" -not -type d -not -path '*/state/badged/*')
      echo folders=$(find "$HOME/.local" -mindepth 1 -type d -not -path '*/.local/state*')
      echo state=$(ls -d "$HOME/.local/state/badged")
      echo unit=$(systemctl --user show -P LoadState badged)
      echo active=$(systemctl --user show -P ActiveState badged)
      echo activatable=$(busctl --user list --activatable | grep -c badged || true)
      """
    )
    #expect(report["files"] == "")
    #expect(report["folders"] == "")
    #expect(report["state"] == "/run/home/.local/state/badged")
    #expect(report["unit"] == "not-found")
    #expect(report["active"] == "inactive")
    #expect(report["activatable"] == "0")
  }

  @Test("Installing again replaces a daemon that runs, and badges stay")
  func upgradeRestarts() throws {
    let report = try installed(
      """
      badgectl set mail 3
      first=$(daemon)
      make --no-print-directory install PREFIX="$HOME/.local"
      until_true badgectl status
      [ "$(daemon)" != $first ] && echo restarted=yes
      echo kept=$(badgectl get mail)
      """
    )
    #expect(report["restarted"] == "yes")
    #expect(report["kept"] == "3")
  }
}

/// The installed files, without a session.
@Suite(.processLogs) struct InstalledFilesTests {
  let root: TemporaryDirectory

  init() throws { root = try TemporaryDirectory() }

  private func make(_ arguments: String...) throws -> FinishedProcess {
    try SpawnedProcess.run(
      "make",
      ["--no-print-directory"] + arguments + ["DESTDIR=\(root.path)"],
      environment: [
        "HOME": root.path, "PATH": "/usr/bin:/bin", "PROGRAMS": try Project.programs(),
      ],
      directory: Project.folder
    )
  }

  private func files() throws -> [String] {
    let found = try SpawnedProcess.run(
      "find",
      [root.path, "-type", "f", "-printf", "%m %P\\n"],
      environment: ["PATH": "/usr/bin:/bin"]
    )
    return found.output.split(separator: "\n").map(String.init).sorted()
  }

  @Test(
    "Each file has its place",
    arguments: [("/usr", "lib/systemd/user"), ("/opt/my badges", "share/systemd/user")]
  )
  func places(prefix: String, units: String) throws {
    let finished = try make("install", "PREFIX=\(prefix)")
    #expect(finished.status == .success, "\(finished.errorOutput)")
    let below = prefix.dropFirst()
    let expected = [
      "755 \(below)/bin/badgectl", "755 \(below)/bin/badged",
      "644 \(below)/\(units)/badged.service",
      "644 \(below)/share/bash-completion/completions/badgectl",
      "644 \(below)/share/dbus-1/interfaces/org.badged.Badges1.xml",
      "644 \(below)/share/dbus-1/services/org.badged.Badges1.service",
      "644 \(below)/share/fish/vendor_completions.d/badgectl.fish",
      "644 \(below)/share/man/man1/badgectl.1", "644 \(below)/share/man/man1/badged.1",
      "644 \(below)/share/man/man5/badged-dbus.5", "644 \(below)/share/man/man7/badged-panels.7",
      "644 \(below)/share/zsh/site-functions/_badgectl",
    ]
    let documents = "\(below)/share/doc/badged/"
    let all = try files()
    #expect(all.filter { !$0.contains(documents) } == expected.sorted())
    for name in ["644 \(documents)README.md", "755 \(documents)examples/maildir-unread"] {
      #expect(all.contains(name), "\(name)")
    }

    let unit = contents(ofFile: "\(root.path)\(prefix)/\(units)/badged.service") ?? ""
    #expect(unit.contains("\nExecStart=\"\(prefix)/bin/badged\"\n"))
    let services = "\(root.path)\(prefix)/share/dbus-1/services"
    let activation = contents(ofFile: "\(services)/org.badged.Badges1.service") ?? ""
    #expect(activation.contains("\nExec=\"\(prefix)/bin/badged\"\n"))

    let removal = try make("uninstall", "PREFIX=\(prefix)")
    #expect(removal.status == .success, "\(removal.errorOutput)")
    #expect(try files() == [])
  }

  @Test("A prefix that is not absolute is refused, and nothing is written")
  func relativePrefix() throws {
    let finished = try make("install", "PREFIX=usr")
    #expect(finished.status != .success)
    #expect(finished.errorOutput.contains("PREFIX must be an absolute path: 'usr'"))
    #expect(try files() == [])
  }
}
