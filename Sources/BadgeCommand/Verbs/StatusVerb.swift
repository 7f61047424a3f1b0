// SPDX-License-Identifier: MIT
import BadgeClient
import Glibc

enum StatusVerb: Verb {
  static let name = "status"
  static let summary = "print the daemon's version and how it is"
  static var options: [Option] { [.json] }

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    let status = try session.ask { client throws(ClientError) in try client.status() }
    let count = try session.ask { client throws(ClientError) in try client.list().badges.count }
    let text = invocation.has("json") ? json(status, count) : plain(status, count)
    try session.console.write(text)
    return .done
  }

  /// A line for each fact, its name in front.
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
      json.member("pid", Int64(status.processID))
      json.member("started", status.started)
      json.member("badges", Int64(count))
      json.member("visible", Int64(status.visible))
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
