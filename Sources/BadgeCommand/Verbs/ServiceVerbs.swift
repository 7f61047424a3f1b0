// SPDX-License-Identifier: MIT
import BadgeClient
import Glibc

enum AnimationsVerb: Verb {
  static let name = "animations"
  static let summary = "turn badge animations on or off"
  static let synopses = ["on|off"]
  static let operands = [Operand(name: "on|off", completion: .oneOf(["on", "off"]))]
  static let discussion = [
    "The setting is kept across restarts. Animations stay off while the desktop asks for reduced "
      + "motion."
  ]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let isOn: Bool
    switch arguments.operands[0] {
    case "on": isOn = true
    case "off": isOn = false
    case let other: throw .usage("expected 'on' or 'off'", other)
    }
    try session.ask { client throws(ClientError) in try client.setAnimations(isOn) }
    return .done
  }
}

enum QuietVerb: Verb {
  static let name = "quiet"
  static let summary = "do not disturb: hide all badges, but keep counting"
  static let synopses = ["on|off", "for DURATION"]
  static let operands = [
    Operand(name: "on|off|for", completion: .oneOf(["on", "off", "for"])),
    Operand(name: "DURATION", arity: .optional),
  ]
  static let discussion = [
    "A DURATION is a number of seconds, or numbers with the units s, m, h and d, such as 90s or "
      + "1h30m."
  ]
  static let examples = [Example("badgectl quiet for 1h", "hide badges for an hour")]

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let help = "see 'badgectl help quiet'"
    let words = arguments.operands
    switch (words[0], words.dropFirst().first) {
    case ("for", nil): throw .usage("missing argument", "DURATION", next: help)
    case ("for", .some(let duration)):
      guard let seconds = Numbers.seconds(duration) else {
        throw .usage("not a duration", duration, next: help)
      }
      let until = UInt64(max(0, time(nil))) + seconds
      try session.ask { client throws(ClientError) in try client.setQuiet(until: until) }
    case ("on", nil): try session.ask { client throws(ClientError) in try client.setQuiet(true) }
    case ("off", nil): try session.ask { client throws(ClientError) in try client.setQuiet(false) }
    case ("on", .some(let extra)), ("off", .some(let extra)):
      throw .usage("too many arguments", extra, next: help)
    default: throw .usage("expected 'on', 'off' or 'for'", words[0], next: help)
    }
    return .done
  }
}

enum StatusVerb: Verb {
  static let name = "status"
  static let summary = "show the daemon's version and state"
  static var options: [CommandOption] { [.json] }

  static func run(_ arguments: Arguments, in session: Session) throws(CommandError) -> ExitCode {
    let status = try session.ask { client throws(ClientError) in try client.status() }
    let count = try session.ask { client throws(ClientError) in try client.list().badges.count }
    let text = arguments.has("json") ? json(status, count) : plain(status, count)
    try session.console.write(text)
    return .done
  }

  /// One line per fact, starting with its name.
  static func plain(_ status: ServiceStatus, _ count: Int) -> String {
    let animations =
      !status.animations ? "off" : status.isAnimating ? "on" : "on, but the desktop reduces motion"
    let quiet =
      !status.isQuiet
      ? "off" : status.quietUntil == 0 ? "on" : "until \(moment(status.quietUntil))"
    let rows = [
      ("version", status.version),
      ("pid", String(status.processID)),
      ("since", moment(status.started)),
      ("badges", "\(count), \(status.visible) visible"),
      ("total", String(status.total)),
      ("revision", String(status.revision)),
      ("state", status.statePath),
      ("durable", status.isDurable ? "yes" : "no, changes are not reaching the disk"),
      ("animations", animations),
      ("quiet", quiet),
    ]
    return rows.map { "\(padded($0.0, to: 12))\(Escaping.plain($0.1))\n" }.joined()
  }

  private static func json(_ status: ServiceStatus, _ count: Int) -> String {
    var json = JSONText()
    json.appendObject { json in
      json.member("version", status.version)
      json.member("pid", status.processID)
      json.member("started", status.started)
      json.member("badges", count)
      json.member("visible", status.visible)
      json.member("total", status.total)
      json.member("revision", status.revision)
      json.member("state", status.statePath)
      json.member("durable", status.isDurable)
      json.member("animations", status.animations)
      json.member("animating", status.isAnimating)
      json.member("quiet", status.isQuiet)
      json.member("quiet-until", status.quietUntil)
    }
    return json.text + "\n"
  }

  /// A point in time as the local calendar has it, such as `2026-11-30 08:15:00`.
  static func moment(_ seconds: UInt64) -> String {
    guard var time = time_t(exactly: seconds) else { return String(seconds) }
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return String(seconds) }
    func two(_ number: CInt) -> String { (number < 10 ? "0" : "") + String(number) }
    let date = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return unsafe "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
