// SPDX-License-Identifier: MIT
internal import DBus
internal import EventLoop

/// Why the daemon can't serve: one line for a person.
struct StartFailure: Error {
  var message: String

  /// What `body` returns, or why the bus refused it.
  static func unlessBus<Result>(
    _ what: String,
    _ body: () throws(BusError) -> Result
  ) throws(StartFailure) -> Result {
    do throws(BusError) {
      return try body()
    } catch {
      throw StartFailure(message: "\(what): \(error.message)")
    }
  }

  /// What `body` returns, or why the system refused it.
  static func unlessSystem<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(StartFailure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StartFailure(message: "\(error)")
    }
  }
}
