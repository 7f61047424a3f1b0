// SPDX-License-Identifier: MIT
import Glibc
import TestSupport

/// The files of the project that the tests belong to.
enum Project {
  /// The folder with the package's manifest.
  static let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  /// The path of a file, given below the project's folder.
  static func path(_ name: String) -> String { folder + "/" + name }

  /// The text of a file of the project.
  ///
  /// - Throws: ``TestFailure`` where there is none.
  static func text(_ name: String) throws -> String {
    guard let text = contents(ofFile: path(name)) else { throw TestFailure("there is no \(name)") }
    return text
  }
}

extension Project {
  /// The folder with the programs to install: the release ones where `make test` built them, else those
  /// built beside the tests.
  static func programs() throws -> String {
    if let folder = unsafe getenv("BADGED_PROGRAMS") { return unsafe String(cString: folder) }
    return String(try productPath("badged").dropLast("/badged".count))
  }
}
