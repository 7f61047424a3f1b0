// SPDX-License-Identifier: MIT
import Glibc

/// The environment's variables, or a table in their place.
struct Environment {
  private let look: (String) -> String?

  /// The variables of this process; one that is not UTF-8 counts as absent.
  static var process: Environment {
    Environment { name in
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe String(validatingCString: value)
    }
  }

  init(_ look: @escaping (String) -> String?) {
    self.look = look
  }

  init(_ variables: [String: String]) {
    look = { variables[$0] }
  }

  subscript(name: String) -> String? { look(name) }
}
