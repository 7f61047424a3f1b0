// SPDX-License-Identifier: MIT

/// Who owns a well-known name that rules ask for as the sender.
///
/// Signals carry unique names only, and anyone may address a signal to this connection past all
/// rules; so what claims to come from a name is held against the name's owner.
final class SenderOwner {
  enum State {
    /// The bus has not said yet.
    case unknown
    case none
    case connection(BusName)
  }

  let name: BusName
  var state = State.unknown
  /// The groups whose rules ask for the name.
  var useCount = 0
  var subscription: Subscription?

  init(name: BusName) {
    self.name = name
  }

  func matches(_ rule: MatchRule, _ message: Message) -> Bool {
    switch state {
    case .unknown: rule.matches(message)
    case .none: false
    case .connection(let owner): rule.matches(message, senderOwner: owner)
    }
  }

  /// Takes the new owner from a `NameOwnerChanged`; an empty text is none.
  func take(_ signal: Message) {
    var reader = signal.makeReader()
    guard (try? reader.skipValue()) != nil, (try? reader.skipValue()) != nil,
      let text = try? reader.readString()
    else { return }
    state = BusName(text).map { .connection($0) } ?? .none
  }

  /// Takes the answer to `GetNameOwner`.
  func take(_ reply: Result<Message, BusError>) {
    switch reply {
    case .success(let message):
      var reader = message.makeReader()
      if let owner = (try? reader.readString()).flatMap({ BusName($0) }) {
        state = .connection(owner)
      }
    case .failure(let error):
      if error.name == .nameHasNoOwner { state = .none }
    }
  }
}
