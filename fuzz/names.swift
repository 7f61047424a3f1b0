// SPDX-License-Identifier: MIT
// A text as everything that is short and has a grammar: what is accepted reads back the same.
import BadgeCore
import DBus
import LauncherEntry

@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start, count)
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
    precondition(id.rawValue.utf8.count <= 255)
  }
  if let color = Color(text) { precondition(Color(color.description) == color) }
  _ = ApplicationURI(text)
  return 0
}
