// SPDX-License-Identifier: MIT
internal import Glibc

/// The path of a product of this package, such as `badged`, in the build directory of the tests.
///
/// The directory is that of the file this code was loaded from, which `/proc/self/maps` names. This
/// works with any build directory and configuration.
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

/// The sanitizer that tests and programs were built with.
public enum Sanitizer {
  /// Whether there is one, which keeps freed memory and so makes memory figures useless.
  public static let isPresent = ["__asan_init", "__tsan_init"].contains { (name: String) in
    unsafe dlsym(nil, name) != nil
  }
}
