// SPDX-License-Identifier: MIT
// One program contains all targets; FUZZ_TARGET selects one.
import Glibc

/// Code that must not trap or break its guarantees, whatever the input.
protocol FuzzTarget: SendableMetatype {
  static func run(_ input: inout FuzzInput)
}

enum Program {
  /// The targets by file name.
  private static let targets: [String: any FuzzTarget.Type] = [
    "command": CommandTarget.self, "database": DatabaseTarget.self, "desktop": DesktopTarget.self,
    "import": ImportTarget.self, "launcher": LauncherTarget.self, "message": MessageTarget.self,
    "names": NamesTarget.self, "rows": RowsTarget.self, "service": ServiceTarget.self,
    "update": UpdateTarget.self,
  ]

  static let target: any FuzzTarget.Type = {
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = targets[name] else {
      print("FUZZ_TARGET is none of \(targets.keys.sorted())")
      exit(2)
    }
    return target
  }()
}

@c(LLVMFuzzerTestOneInput)
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = unsafe FuzzInput(start, count)
  Program.target.run(&input)
  return 0
}
