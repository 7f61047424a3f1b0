// SPDX-License-Identifier: MIT
import BadgeClient
import DBus
import Glibc

/// What the commands of one run share: console, environment and a connection made on first use.
final class Session {
  let console: Console
  let environment: Environment
  /// Printed before errors, such as `line 3: ` in a batch.
  var errorPrefix = ""

  private var connected: BadgeClient?

  init(console: Console, environment: Environment) {
    self.console = console
    self.environment = environment
  }

  /// The connection to the bus.
  ///
  /// - Throws: ``CommandError`` with status 4 if there is no bus.
  func client() throws(CommandError) -> BadgeClient {
    if let connected { return connected }
    let client = try asking { () throws(ClientError) in
      guard let address = Connection.sessionAddress(environment: { environment[$0] }) else {
        throw ClientError.noBus(address: likelyAddress, reason: "nothing is there")
      }
      return try BadgeClient(address: address)
    }
    connected = client
    return client
  }

  /// The usual address of a session bus.
  private var likelyAddress: String {
    "unix:path=" + (environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())") + "/bus"
  }

  /// Sends a request, and turns its error into one for the command line.
  func ask<Answer>(_ body: (BadgeClient) throws(ClientError) -> Answer) throws(CommandError)
    -> Answer
  {
    let client = try client()
    return try asking { () throws(ClientError) in try body(client) }
  }

  private func asking<Answer>(_ body: () throws(ClientError) -> Answer) throws(CommandError)
    -> Answer
  {
    do { return try body() } catch { throw CommandError(error) }
  }

  func report(_ error: CommandError) {
    console.report(errorPrefix + error.message)
  }
}

extension CommandError {
  /// Describes a client error, and what the user can do about it.
  init(_ error: ClientError) {
    switch error {
    case .noBus(let address, let reason):
      self.init(
        status: .unreachable,
        message: "no session bus: \(quoted(address)); log in to a session, or set "
          + "DBUS_SESSION_BUS_ADDRESS to the address of one (\(reason))"
      )
    case .noDaemon(let reason):
      self.init(
        status: .unreachable,
        message: "badged is not running; start it with 'badged', or install it (\(reason))"
      )
    case .noAnswer(let timeout):
      self.init(
        status: .unreachable,
        message:
          "badged did not answer within \(decimal(timeout / .seconds(1))) s; restart it, for "
          + "example with 'systemctl --user restart badged'"
      )
    case .noSuchBadge(let message):
      self.init(status: .noSuchBadge, message: message)
    case .refused(let name, let message):
      self.init(status: .failed, message: message.isEmpty ? name : message)
    case .unexpectedReply(let problem):
      self.init(status: .failed, message: "the daemon's reply cannot be read: \(quoted(problem))")
    }
  }
}

/// The environment variables, or a table in their place.
struct Environment {
  private let look: (String) -> String?

  /// The process's variables; one that is not UTF-8 counts as absent.
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
