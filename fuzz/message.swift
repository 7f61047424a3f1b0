// SPDX-License-Identifier: MIT
// Bytes as a message: the header, and every value of the body.
@testable import DBus

@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let message = try? Message(bytes: bytes) else { return 0 }
  _ = (message.path, message.interface, message.member, message.errorName)
  _ = (message.sender, message.destination, message.signature)
  if let values = try? message.values() {
    // What was read can be written again.
    var writer = MessageWriter()
    for value in values { writer.append(value) }
  }
  return 0
}
