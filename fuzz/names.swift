// SPDX-License-Identifier: MIT
// A text as everything that is short and has a grammar: what is accepted reads back the same.
import BadgeCore
import DBus
import LauncherEntry

enum NamesTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    let text = String(decoding: input.remainder(), as: UTF8.self)
    if let signature = Signature(text) {
      precondition(signature.rawValue == text)
      precondition(signature.completeTypes.map(\.rawValue).joined() == text)
    }
    precondition(ObjectPath(text).map { $0.rawValue == text } ?? true)
    precondition(InterfaceName(text).map { $0.rawValue == text } ?? true)
    precondition(MemberName(text).map { $0.rawValue == text } ?? true)
    precondition(BusName(text).map { $0.rawValue == text } ?? true)
    precondition(ErrorName(text).map { $0.rawValue == text } ?? true)
    if let id = try? BadgeID(text) {
      precondition((try? BadgeID(id.rawValue)) == id)
      precondition((1...BadgeLimits.idBytes).contains(id.rawValue.utf8.count))
    }
    if let element = ObjectPath.unescapedElement(text) {
      precondition(ObjectPath.escapedElement(element) == text)
    }
    precondition(ObjectPath.unescapedElement(ObjectPath.escapedElement(text)) == text)
    if let color = BadgeColor(text) { precondition(BadgeColor(color.description) == color) }
    if case .count(let count) = BadgeCount.read(text, allowsSign: true) {
      precondition(BadgeCount.isValid(count) && Int64(text) == count)
    }
    if let uri = ApplicationURI(text) {
      precondition(uri.candidates.allSatisfy { (1...255).contains($0.utf8.count) })
    }
  }
}
