// SPDX-License-Identifier: MIT

extension MatchRule {
  /// The most a bus takes, in bytes.
  static let maximumLength = 1024
  /// Arguments are counted up to this one.
  static let lastArgument = 63

  /// The rule as `AddMatch` takes it; equal rules give equal texts.
  public var text: String {
    var text = ""
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      if !text.isEmpty { text += "," }
      text += key
      text += "='"
      text += value.utf8.contains(UInt8(ascii: "'")) ? Self.quoted(value) : value
      text += "'"
    }
    add("type", kind?.ruleName)
    add("sender", sender?.rawValue)
    add("destination", destination?.rawValue)
    add("path", path?.rawValue)
    add("path_namespace", pathNamespace?.rawValue)
    add("interface", interface?.rawValue)
    add("member", member?.rawValue)
    for index in arguments.indices { add("arg\(index)", arguments[index]) }
    for index in argumentPaths.indices { add("arg\(index)path", argumentPaths[index]) }
    add("arg0namespace", argument0Namespace)
    add("eavesdrop", eavesdrops ? "true" : nil)
    return text
  }

  /// Checks what types alone do not rule out, so that a bus would take the text.
  ///
  /// - Throws: ``BusError`` `MatchRuleInvalid` with the reason.
  public func validate() throws(BusError) {
    _ = try validText()
  }

  /// The rule's text, if the rule can be.
  func validText() throws(BusError) -> String {
    if let pathNamespace, path != nil {
      throw invalid("both a path and a namespace of paths: '\(pathNamespace)'")
    }
    for index in arguments.indices + argumentPaths.indices
    where index < 0 || index > Self.lastArgument {
      throw invalid("arguments are counted from 0 to \(Self.lastArgument): '\(index)'")
    }
    for index in argumentPaths.indices where arguments[index] != nil {
      throw invalid("two conditions on one argument: '\(index)'")
    }
    if let argument0Namespace {
      if arguments[0] != nil || argumentPaths[0] != nil {
        throw invalid("two conditions on one argument: '0'")
      }
      // A namespace may be a single element, which no bus name is.
      if !NameGrammar.isBusName((argument0Namespace + ".a").utf8.span) {
        throw invalid("not the start of a bus name: '\(argument0Namespace)'")
      }
    }
    let text = self.text
    if text.utf8.contains(0) { throw invalid("a text with a NUL in it") }
    if text.utf8.count > Self.maximumLength {
      throw invalid("more than \(Self.maximumLength) bytes: \(text.utf8.count)")
    }
    return text
  }

  private func invalid(_ reason: String) -> BusError {
    BusError(name: .matchRuleInvalid, message: "not a match rule: \(reason)")
  }

  /// A value as it stands between apostrophes, within which only an apostrophe itself means anything:
  /// it is written outside of them.
  private static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\''".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MessageKind {
  /// The kind as match rules spell it.
  var ruleName: String {
    switch self {
    case .methodCall: "method_call"
    case .methodReturn: "method_return"
    case .error: "error"
    case .signal: "signal"
    }
  }
}
