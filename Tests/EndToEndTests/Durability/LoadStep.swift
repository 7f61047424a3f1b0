// SPDX-License-Identifier: MIT
import BadgeClient
import DBus

/// What a badge under load holds, as far as the load writes it.
struct LoadedBadge: Hashable {
  var number: Int64 = 0
  var source: Int64 = 0
  var text = ""
  var description = ""
  var isUrgent = false

  init() {}

  /// What the daemon says of it.
  init(_ badge: BadgeState) {
    source = badge.sources.first { $0.name == LoadStep.source }?.count ?? 0
    number = badge.count - source
    text = badge.text
    description = badge.description
    isUrgent = badge.isUrgent
  }
}

/// One change of a load: the call that asks for it, and what it has to do.
enum LoadStep: Hashable {
  case set(Int64)
  case increment(by: Int64)
  case setSource(Int64)
  case setText(String)
  case update(Int64)
  case remove

  /// The named source the load uses.
  static let source = "account"

  /// A change that leaves a badge as it never was before; `ordinal` rises.
  static func random(
    ordinal: Int64,
    of badge: LoadedBadge?,
    using random: inout some RandomNumberGenerator
  ) -> LoadStep {
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where badge != nil: .remove
    case 1: .setText("t\(ordinal)")
    case 2, 3: .increment(by: ordinal)
    case 4, 5: .setSource(ordinal)
    case 6...8: .update(ordinal)
    default: .set(ordinal)
    }
  }

  /// Does to the model what the daemon has to do to the badge.
  func apply(to badge: inout LoadedBadge?) {
    guard self != .remove else {
      badge = nil
      return
    }
    var changed = badge ?? LoadedBadge()
    switch self {
    case .set(let number):
      changed.number = number
      changed.text = ""
    case .increment(let amount):
      changed.number += amount
      changed.text = ""
    case .setSource(let count): changed.source = count
    case .setText(let text):
      changed.number = 0
      changed.text = text
    case .update(let number):
      changed.number = number
      changed.text = ""
      changed.description = "as of \(number)"
      changed.isUrgent = number % 2 == 0
    case .remove: break
    }
    badge = changed
  }

  /// The method's name.
  var member: MemberName {
    switch self {
    case .set: MemberName(constant: "Set")
    case .increment: MemberName(constant: "Increment")
    case .setSource: MemberName(constant: "SetSource")
    case .setText: MemberName(constant: "SetText")
    case .update: MemberName(constant: "Update")
    case .remove: MemberName(constant: "Remove")
    }
  }

  /// Writes the arguments of the call.
  func write(id: String, to body: inout MessageWriter) {
    body.append(id)
    switch self {
    case .set(let number), .increment(let number): body.append(number)
    case .setSource(let count):
      body.append(Self.source)
      body.append(count)
    case .setText(let text): body.append(text)
    case .update(let number):
      body.appendDictionary { entries in
        entries.appendEntry("count", variant: number)
        entries.appendEntry("description", variant: "as of \(number)")
        entries.appendEntry("urgent", variant: number % 2 == 0)
      }
    case .remove: break
    }
  }
}
