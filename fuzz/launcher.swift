// SPDX-License-Identifier: MIT
// What apps announce: the body of an Update, and the URIs in it.
import LauncherEntry

@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start, count)
  guard let message = input.signal(signature: "sa{sv}"),
    let (uri, update) = LauncherUpdate.read(message)
  else { return 0 }
  _ = ApplicationURI(uri)
  var merged = LauncherUpdate()
  merged.merge(update)
  merged.merge(update)
  return 0
}
