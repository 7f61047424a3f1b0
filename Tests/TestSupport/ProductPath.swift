// SPDX-License-Identifier: MIT

/// The path of a program of this package, such as `badged`, built beside the tests that run.
///
/// Found from the file this code was loaded from, so that any build directory and configuration will
/// do: the memory map tells which file that is.
public func productPath(_ name: String) throws -> String {
  let address = UInt(bitPattern: #dsohandle)
  let maps = contents(ofFile: "/proc/self/maps") ?? ""
  for line in maps.split(separator: "\n") {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard bounds.count == 2, bounds[0] <= address, address < bounds[1], fields.count == 6,
      let slash = fields[5].lastIndex(of: "/")
    else { continue }
    return fields[5][...slash].drop { $0 == " " } + name
  }
  throw TestFailure("no file is mapped at the tests' own address")
}
