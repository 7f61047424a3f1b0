// SPDX-License-Identifier: MIT
import BadgeClient
import Glibc

enum AnimationsVerb: Verb {
  static let name = "animations"
  static let summary = "say whether hints carry animations"
  static let synopses = ["on|off"]
  static let operands = [Operand(name: "on|off", completion: .oneOf(["on", "off"]))]
  static let discussion = [
    "The wish is kept. A desktop that asks for reduced motion turns animations off whatever it is."
  ]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    let isOn: Bool
    switch invocation.operands[0] {
    case "on": isOn = true
    case "off": isOn = false
    case let other: throw .usage("neither on nor off", other)
    }
    try session.ask { client throws(ClientError) in try client.setAnimations(isOn) }
    return .done
  }
}

enum QuietVerb: Verb {
  static let name = "quiet"
  static let summary = "do not disturb: hide all badges while their counts go on"
  static let synopses = ["on|off", "for DURATION"]
  static let operands = [
    Operand(name: "on|off|for", completion: .oneOf(["on", "off", "for"])),
    Operand(name: "DURATION", arity: .optional),
  ]
  static let discussion = [
    "A DURATION is seconds, or numbers with a unit of s, m, h or d, such as 90s or 1h30m."
  ]
  static let examples = [Example("badgectl quiet for 1h", "an hour of peace")]

  static func run(_ invocation: Invocation, in session: Session) throws(CommandError)
    -> CommandStatus
  {
    let help = "see 'badgectl help quiet'"
    let words = invocation.operands
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
    default: throw .usage("none of on, off and for", words[0], next: help)
    }
    return .done
  }
}
