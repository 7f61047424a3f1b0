// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// An orderly reboot, simulated: the user manager ends with all its services and its bus, the kernel
/// tells another boot id, and a new manager starts in the same home.
@Suite(.processLogs) struct RebootTests {
  /// Puts down what is to be compared, `reboot` and `same`.
  private static let script = """
    make --no-print-directory install PREFIX="$HOME/.local"
    badgectl set mail 3 --urgent --background '#0123AB' --description 'three unread'
    badgectl set mail 4 --source work
    badgectl set note 'on air' --preset counter
    badgectl set hidden 0 --max 5
    badgectl set back 7
    badgectl dismiss back
    badgectl animations off
    badgectl list --all --json >/run/before
    badgectl export >/run/before.export
    badgectl set long 1 --ttl 1000
    badgectl set short 1 --ttl 0.2
    sleep 1000 &
    owner=$!
    badgectl set owned 1 --while-pid $owner
    echo owned=$(badgectl get owned)
    manager=$(pgrep -o -x systemd)
    echo boot=$(cat /proc/sys/kernel/random/boot_id)
    systemctl --user exit
    gone() { [ ! -e /proc/$manager ] || grep -q '^State:.Z' /proc/$manager/status; }
    until_true gone
    echo left=$(pgrep -c '^badged|^dbus-' || true)

    echo 01234567-89ab-4cde-8f01-23456789abcd >/run/boot_id
    mount --bind /run/boot_id /proc/sys/kernel/random/boot_id
    echo reboot=$(cat /proc/sys/kernel/random/boot_id)
    rm -rf "$XDG_RUNTIME_DIR"/*
    /lib/systemd/systemd --user --log-target=console --log-level=notice \\
      >>"$USER_SESSION_LOG" 2>&1 </dev/null &
    until_true badgectl status
    echo ttl=$(badgectl get long ttl)
    echo owned-after=$(badgectl get owned --default gone)
    ended() { [ "$(badgectl get short --default gone)" = gone ]; }
    # A quick machine is back before its time is up.
    until_true ended
    echo short-after=$(badgectl get short --default gone)
    badgectl rm long
    badgectl list --all --json >/run/after
    badgectl export >/run/after.export
    cmp /run/before /run/after && echo list=same
    cmp /run/before.export /run/after.export && echo export=same
    badgectl set back 7
    echo back=$(badgectl get back dismissed)
    kill $owner
    """

  @Test("An orderly reboot keeps all badges, and ends those that lived with a process")
  func reboots() throws {
    let report = try UserSession.run(Self.script)
    #expect(report.status == .success, "\(report)")
    #expect(report["owned"] == "1")
    #expect(report["left"] == "0")
    #expect(report["boot"] != report["reboot"])
    #expect(report["list"] == "same", "\(report)")
    #expect(report["export"] == "same")
    #expect(report["owned-after"] == "gone")
    #expect(report["short-after"] == "gone")
    let left = Double(report["ttl"]) ?? 0
    #expect(left > 900 && left < 1_000, "\(report["ttl"])")
    #expect(report["back"] == "true")
  }
}
