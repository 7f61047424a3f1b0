// SPDX-License-Identifier: MIT

/// A parsed command line, after its verb.
struct Invocation: Equatable {
  /// One option as it was given.
  struct Given: Equatable {
    var name: String
    /// A flag's is nil, or what followed the `=`.
    var value: String?
    /// It was given by its opposite's name.
    var isOpposite = false
  }

  var operands: [String] = []
  var options: [Given] = []

  /// Whether a flag was given.
  func has(_ name: String) -> Bool {
    options.contains { $0.name == name }
  }

  /// The value of an option; the last one given counts.
  func value(of name: String) -> String? {
    options.last { $0.name == name }?.value
  }
}
