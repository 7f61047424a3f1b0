// SPDX-License-Identifier: MIT
public import DBus
public import EventLoop

extension Connection {
  /// Calls, and takes turns of the loop that this connection is attached to until the reply is there.
  ///
  /// - Throws: ``TestFailure`` where no reply comes, or why the call can't be sent.
  public func call(
    _ call: MethodCall,
    _ arguments: [Value],
    turning loop: EventLoop
  ) throws -> Result<Message, BusError> {
    var result: Result<Message, BusError>?
    try self.call(call) { writer in
      for argument in arguments { writer.append(argument) }
    } completion: {
      result = $0
    }
    guard try loop.run(until: { result != nil }), let result else {
      throw TestFailure("no reply to \(call.member)")
    }
    return result
  }
}
