// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// `examples/maildir-unread` on a real Maildir, with Python's own mailbox code as the mail program and
/// GLib as the subscriber.
@Suite(.privateBus) struct MaildirTests {
  let bus = PrivateBus.current
  let mail: String
  let environment: [String: String]

  init() throws {
    mail = bus.directory.appending("Mail")
    var environment = bus.environment
    let programs = String(try productPath("badged").dropLast("/badged".count))
    environment["PATH"] = "\(programs):/usr/bin:/bin"
    self.environment = environment
  }

  private static let subscriber = """
    from gi.repository import Gio, GLib
    def show(bus, sender, path, interface, signal, arguments):
        id, badge, hint, revision = arguments.unpack()
        print(badge["count"], badge["visible"], hint["event"], hint["direction"], flush=True)
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.signal_subscribe(None, "org.badged.Badges1", "Changed", None, "mail", 0, show)
    bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus.Peer", "Ping", None, None, 0, -1)
    print("ready", flush=True)
    GLib.MainLoop().run()
    """

  /// A mail program: delivers, and renames a message as one is looked at and read.
  private static let mailProgram = """
    import mailbox, os, sys
    folder, actions = sys.argv[1], sys.argv[2:]
    box = mailbox.Maildir(folder)
    for action in actions:
        if action == "deliver":
            box.add(mailbox.MaildirMessage(b"Subject: hello\\n\\nhello\\n"))
            continue
        unread = [k for k in box.keys() if "S" not in box[k].get_flags()]
        key = sorted(unread)[0]
        new, seen = os.path.join(folder, "new", key), os.path.join(folder, "cur", key + ":2,")
        if action == "look": os.rename(new, seen)
        else: os.rename(new if os.path.exists(new) else seen, seen + "S")
    """

  private func mailbox(_ actions: String...) throws {
    let finished = try SpawnedProcess.run(
      "/usr/bin/python3",
      ["-c", Self.mailProgram, mail] + actions,
      environment: environment
    )
    #expect(finished.status == .success, "\(finished.errorOutput)")
  }

  @Test("A subscriber sees mail come, be read, and the badge hide at zero, each with its hint")
  func followsMail() throws {
    // Before there is a daemon, or a Maildir.
    let example = try SpawnedProcess(
      Project.path("examples/maildir-unread"),
      ["--follow", mail],
      environment: environment
    )
    let subscriber = try bus.spawn("/usr/bin/python3", ["-c", Self.subscriber])
    try subscriber.waitForLine(containing: "ready")
    let daemon = try bus.startDaemon()
    try mailbox("deliver")
    #expect(try subscriber.readLine() == "1 True appear none")
    try mailbox("deliver")
    #expect(try subscriber.readLine() == "2 True change up")
    // Seen in the list of the mail program, and not read yet: no change, so no signal.
    try mailbox("look")
    try mailbox("read")
    #expect(try subscriber.readLine() == "1 True change down")
    try mailbox("read")
    #expect(try subscriber.readLine() == "0 False disappear down")
    try mailbox("deliver")
    #expect(try subscriber.readLine() == "1 True appear up")

    example.send(signal: SIGTERM)
    #expect(try example.wait() == .success)
    #expect(example.errorOutput == "")
    let left = try SpawnedProcess.run("pgrep", ["-f", mail + "/new"], environment: environment)
    #expect(left.output == "")
    daemon.terminate()
  }

  @Test("Names with spaces, newlines and stars count once; seen, trashed and hidden ones do not")
  func oddNames() throws {
    let daemon = try bus.startDaemon()
    let made = try SpawnedProcess.run(
      "bash",
      [
        "-ec",
        """
        mkdir -p "$1"/{new,cur,tmp}
        cd "$1"
        touch new/'a b' new/$'a\\nb' 'new/*' new/-rf new/7:2,S new/.hidden tmp/unfinished
        touch cur/1:2, cur/2:2,RF cur/no-info cur/3:2,S cur/4:2,RST cur/5:2,T cur/.6:2,
        mkdir new/folder
        """, "sh", mail,
      ],
      environment: environment
    )
    #expect(made.status == .success, "\(made.errorOutput)")
    let counted = try SpawnedProcess.run(
      Project.path("examples/maildir-unread"),
      ["--id", "org.example.Mail", "--source", "work", mail],
      environment: environment
    )
    #expect(counted.status == .success, "\(counted.errorOutput)")
    let count = try bus.badgectl("get", "org.example.Mail", "count")
    #expect(count.output == "8\n")
    daemon.terminate()
  }

  @Test("A folder that is not there is an error in one line, and so is a missing daemon")
  func missingThings() throws {
    let example = Project.path("examples/maildir-unread")
    let missing = try SpawnedProcess.run(example, ["/nowhere"], environment: environment)
    #expect(missing.status == .exited(1))
    #expect(missing.errorOutput == "maildir-unread: no Maildir: '/nowhere'\n")
    let wrong = try SpawnedProcess.run(example, ["--no-such"], environment: environment)
    #expect(wrong.status == .exited(2))
    try mailbox("deliver")
    let alone = try SpawnedProcess.run(example, [mail], environment: environment)
    #expect(alone.status == .exited(4))
  }
}
