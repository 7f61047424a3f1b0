// SPDX-License-Identifier: MIT
import BadgeClient
import BadgeCore
import DBus
import EventLoop
import Glibc
import Testing
import TestSupport

/// How one daemon succeeds another.
enum Succession: CaseIterable {
  case terminated, killed, replaced

  /// Ends `daemon` and starts another.
  func carryOut(_ daemon: SpawnedProcess, on bus: PrivateBus) throws -> SpawnedProcess {
    switch self {
    case .terminated:
      daemon.send(signal: SIGTERM)
      guard try daemon.wait() == .success else { throw TestFailure(daemon.errorOutput) }
    case .killed:
      daemon.send(signal: SIGKILL)
      try daemon.wait()
    case .replaced:
      let next = try bus.startDaemon(["--replace"])
      guard try daemon.wait() == .success else { throw TestFailure(daemon.errorOutput) }
      return next
    }
    return try bus.startDaemon()
  }
}

/// The state survives a restart.
@Suite(.privateBus) struct RestartTests {
  private let bus = PrivateBus.current

  @discardableResult
  private func done(_ words: String...) throws -> String {
    let run = try bus.run(productPath("badgectl"), words)
    guard run.status == .success else { throw TestFailure("\(words): \(run.errorOutput)") }
    return run.output
  }

  /// Creates badges with every kind of key and state that differs from the default.
  private func fill() throws {
    try done("set", "mail", "2", "--urgent", "--max", "9", "--description", "two \"é\" 👍")
    try done("set", "mail", "3", "--source", "work")
    try done("set", "mail", "4", "--source", "home")
    try done("set", "text", "on air", "--background", "#0123ABCD", "--foreground", "#fff")
    try done("set", "text", "4", "--source", "under it")
    try done("set", "dot", "--dot", "--preset", "counter", "--progress", "0.25")
    try done("set", "zero", "0", "--show-zero", "--no-dismissable", "--icon", "mail-unread")
    try done("set", "minus", "-7")
    try done("set", "big", "9007199254740991", "--no-animate", "--animation-appear", "spring")
    try done("set", "style", "--font", "Sans", "--font-size", "9.5", "--offset-x", "-3.25")
    try done("set", "back", "5", "--anchor", "center")
    try done("dismiss", "back")
    try done("set", "back", "5")
    try done("set", "gone", "6", "--padding", "1")
    try done("dismiss", "gone")
    try done("set", "removed", "1")
    try done("rm", "removed")
    try done("animations", "off")
  }

  @Test("All badges and settings are the same after a restart", arguments: Succession.allCases)
  func restarts(succession: Succession) throws {
    var daemon = try bus.startDaemon()
    try fill()
    let listed = try done("list", "--all", "--json")
    let exported = try done("export")
    let follower = try SignalFollower(on: bus)
    // A client that sees the name sees the badges, however early it asks.
    var early: Int?
    follower.nameAppeared = { connection in
      let list = MethodCall(
        destination: BusName(constant: "org.badged.Badges1"),
        path: ObjectPath(constant: "/org/badged/Badges1"),
        interface: nil,
        member: MemberName(constant: "List")
      )
      _ = try? connection.call(list) { reply in
        guard case .dictionary(_, _, let badges)? = try? reply.get().values().last else { return }
        early = badges.count
      }
    }
    daemon = try succession.carryOut(daemon, on: bus)
    #expect(try done("list", "--all", "--json") == listed)
    #expect(try done("export") == exported)
    #expect(try done("status").contains("\nanimations  off\n"))
    #expect(try follower.loop.run { early != nil })
    #expect(early == 8)
    #expect(follower.received == [])

    // The style and value of a dismissed badge are kept.
    try done("set", "gone", "6")
    #expect(try done("get", "gone", "dismissed") == "true\n")
    #expect(try done("get", "gone", "padding") == "1\n")
    try done("set", "back", "6")
    #expect(try done("get", "back", "visible") == "true\n")
    try done("inc", "mail", "--source", "work")
    #expect(try follower.waits(for: 3))
    #expect(follower.received.map(\.id) == ["gone", "back", "mail"])
    #expect(follower.received.map(\.event) == ["none", "appear", "attention"])
    #expect(follower.received.map(\.revision) == [1, 2, 3])
    #expect(daemon.terminate() == .success)
  }

  @Test("A time to live, and do-not-disturb, go on over a restart", arguments: Succession.allCases)
  func timeToLive(succession: Succession) throws {
    var daemon = try bus.startDaemon()
    let follower = try SignalFollower(on: bus)
    let begin = Instant.now()
    try done("set", "soon", "1", "--ttl", "4")
    try done("set", "late", "1", "--ttl", "500")
    try done("set", "stays", "1", "--ttl", "500")
    try done("set", "stays", "--ttl", "0")
    let client = try BadgeClient(address: bus.address)
    let until = try client.status().started + 3_600
    try client.setQuiet(until: until)
    let before = try client.get("late").double(.ttl)
    daemon = try succession.carryOut(daemon, on: bus)
    let after = try client.get("late").double(.ttl)
    #expect(after <= before && after > before - 60)
    #expect(try client.get("stays").double(.ttl) == 0)
    let status = try client.status()
    #expect(status.isQuiet && status.quietUntil == until && status.isDurable)
    #expect(try follower.loop.run { follower.received.last?.member == "Removed" })
    #expect(Instant.now() - begin >= .seconds(4))
    #expect(follower.received.last?.id == "soon")
    #expect(follower.received.last?.reason == "expired")
    #expect(try client.list().badges.map(\.id.rawValue) == ["late", "stays"])
    #expect(daemon.terminate() == .success)
  }

  @Test("What expires while no daemon runs is gone when the next one starts")
  func expiredMeanwhile() throws {
    var daemon = try bus.startDaemon()
    try done("set", "soon", "1", "--ttl", "0.3")
    let over = Instant.now() + .milliseconds(310)
    try done("set", "mail", "1")
    daemon.send(signal: SIGKILL)
    try daemon.wait()
    #expect(eventually { Instant.now() >= over })
    daemon = try bus.startDaemon()
    #expect(try done("list") == "mail\t1\tnumber\t1\ttrue\n")
    #expect(daemon.terminate() == .success)
  }

  @Test("A badge lives with its process over a restart", arguments: Succession.allCases)
  func whileProcess(succession: Succession) throws {
    var daemon = try bus.startDaemon()
    let stays = try SpawnedProcess("sleep", ["1000"], environment: bus.environment)
    let ends = try SpawnedProcess("sleep", ["1000"], environment: bus.environment)
    try done("set", "stays", "1", "--while-pid", "\(stays.processID)")
    try done("set", "ends", "1", "--while-pid", "\(ends.processID)")
    try done("set", "both", "2", "--while-pid", "\(ends.processID)")
    try done("set", "both", "--while-pid", "0")
    let follower = try SignalFollower(on: bus)
    if succession == .replaced {
      daemon = try succession.carryOut(daemon, on: bus)
      ends.terminate()
      #expect(try follower.waits(for: 1))
      #expect(follower.received.first?.reason == "owner-gone")
    } else {
      // The process ends while no daemon watches it.
      daemon.send(signal: SIGSTOP)
      ends.terminate()
      daemon.send(signal: SIGKILL)
      try daemon.wait()
      daemon = try bus.startDaemon()
      daemon = try succession.carryOut(daemon, on: bus)
    }
    #expect(try done("list") == "both\t2\tnumber\t2\ttrue\nstays\t1\tnumber\t1\ttrue\n")
    stays.terminate()
    #expect(try follower.loop.run { follower.received.last?.id == "stays" })
    #expect(follower.received.last?.member == "Removed")
    #expect(follower.received.last?.reason == "owner-gone")
    #expect(try done("list") == "both\t2\tnumber\t2\ttrue\n")

    let refused = try bus.badgectl("set", "late", "1", "--while-pid", "\(ends.processID)")
    #expect(refused.status == .exited(1))
    #expect(refused.errorOutput.contains("while-pid"))
    #expect(try bus.badgectl("get", "late").status == .exited(3))
    #expect(daemon.terminate() == .success)
  }
}

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

/// Records the signals about badges on a bus, also of daemons that start later.
final class SignalFollower {
  /// A Changed or Removed, with the event of its hint.
  struct Signal: Equatable {
    var member: String
    var id: String
    var reason: String?
    var event: String?
    var revision: UInt64
  }

  let loop: EventLoop
  private let connection: Connection
  /// All signals received, in order.
  private(set) var received: [Signal] = []
  /// Called when the daemon's name gets an owner.
  var nameAppeared: ((Connection) -> Void)?

  init(on bus: PrivateBus) throws {
    loop = try EventLoop()
    connection = try Connection(address: bus.address)
    try connection.attach(to: loop)
    var rule = MatchRule(type: .signal)
    rule.interface = InterfaceName(constant: "org.badged.Badges1")
    try connection.subscribe(rule) { [weak self] message in
      guard let values = try? message.values(), let member = message.member?.rawValue else {
        return
      }
      self?.take(member, values)
    }
    var owner = MatchRule(type: .signal, sender: BusName(constant: "org.freedesktop.DBus"))
    owner.member = MemberName(constant: "NameOwnerChanged")
    owner.arguments = [0: "org.badged.Badges1"]
    try connection.subscribe(owner) { [weak self] message in
      guard let self, let values = try? message.values(), values.last != .string("") else { return }
      nameAppeared?(connection)
    }
    // A later call is answered only after the match rules have been added.
    _ = try connection.busID
  }

  private func take(_ member: String, _ values: [Value]) {
    guard values.count == 4, case .string(let id) = values[0],
      case .dictionary(_, _, let hint) = values[2], case .uint64(let revision) = values[3]
    else { return }
    var signal = Signal(member: member, id: id, revision: revision)
    if case .string(let reason) = values[1] { signal.reason = reason }
    let event = hint.first { $0.key == .string("event") }?.value
    if case .variant(.string(let event))? = event { signal.event = event }
    received.append(signal)
  }

  /// Waits until `count` signals have been received.
  func waits(for count: Int) throws -> Bool {
    try loop.run { received.count >= count }
  }
}
