// SPDX-License-Identifier: MIT

/// Something the test needed did not happen; it fails with these words.
public struct TestFailure: Error, CustomStringConvertible {
  /// What failed, for the person who reads the log.
  public let description: String

  /// A failure in these words.
  public init(_ description: String) {
    self.description = description
  }
}
