// SPDX-License-Identifier: MIT
import EventLoop

/// A call whose reply is still to come.
///
/// The connection keeps it; letting go of this object changes nothing.
public final class PendingCall {
  let serial: UInt32
  let deadline: Instant
  /// Who was called.
  let destination: BusName
  /// What messages of errors say of the call.
  let label: String
  var timer: Timer?
  private var completion: ((Result<Message, BusError>) -> Void)?
  private weak var connection: BusConnection?

  init(
    serial: UInt32,
    deadline: Instant,
    destination: BusName,
    label: String,
    connection: BusConnection,
    completion: @escaping (Result<Message, BusError>) -> Void
  ) {
    self.serial = serial
    self.deadline = deadline
    self.destination = destination
    self.label = label
    self.connection = connection
    self.completion = completion
  }

  /// Whether the completion is still to be called.
  public var isPending: Bool { completion != nil }

  /// Gives up: the completion is not called, and the reply is ignored.
  public func cancel() {
    completion = nil
    timer?.cancel()
    connection?.forget(self)
  }

  /// Calls the completion, the first time only.
  func finish(_ result: Result<Message, BusError>) {
    timer?.cancel()
    timer = nil
    let completion = self.completion
    self.completion = nil
    completion?(result)
  }
}
