// SPDX-License-Identifier: MIT

extension MatchRule {
  /// Whether the message is one the rule asks for.
  ///
  /// Which connection owns a well-known ``sender`` is known to the bus alone. Where the caller knows
  /// it, too, it says so; else every sender passes, and the bus's own filter has to do.
  public func matches(_ message: Message, senderOwner: BusName? = nil) -> Bool {
    if let kind, message.kind != kind { return false }
    if let member, !message.hasMember(member) { return false }
    if let path, !message.hasPath(path) { return false }
    if let interface, !message.hasInterface(interface) { return false }
    if let sender, !matches(sender, senderOwner, message) { return false }
    if let destination, message.destination != destination { return false }
    if let pathNamespace {
      guard let path = message.path else { return false }
      guard path == pathNamespace || pathNamespace.isAncestor(of: path) else { return false }
    }
    return matchesArguments(of: message)
  }

  private func matches(_ sender: BusName, _ owner: BusName?, _ message: Message) -> Bool {
    if message.hasSender(sender) { return true }
    if sender.isUnique || sender == .bus { return false }
    return owner.map { message.hasSender($0) } ?? true
  }

  private func matchesArguments(of message: Message) -> Bool {
    let last = max(
      arguments.indices.last ?? -1,
      argumentPaths.indices.last ?? -1,
      argument0Namespace == nil ? -1 : 0
    )
    var reader = message.makeReader()
    var index = 0
    while index <= last {
      guard let matches = try? matchesArgument(index, &reader), matches else { return false }
      index += 1
    }
    return true
  }

  /// Whether the argument the reader is at is as the rule wants it; moves past it.
  private func matchesArgument(
    _ index: Int,
    _ reader: inout MessageReader
  ) throws(BusError) -> Bool {
    let text: String?
    let isPath = reader.nextType == .objectPath
    switch reader.nextType {
    case .string: text = try reader.readString()
    case .objectPath: text = try reader.readObjectPath().rawValue
    default:
      text = nil
      try reader.skipValue()
    }
    if let expected = arguments[index] {
      guard let text, !isPath, text.utf8.elementsEqual(expected.utf8) else { return false }
    }
    if let expected = argumentPaths[index] {
      guard let text, Self.arePathsRelated(text.utf8, expected.utf8) else { return false }
    }
    if index == 0, let namespace = argument0Namespace {
      guard let text, !isPath, Self.isName(text.utf8, within: namespace.utf8) else { return false }
    }
    return true
  }

  /// Whether the two are equal, or the shorter ends with a slash and starts the longer.
  private static func arePathsRelated(_ one: String.UTF8View, _ other: String.UTF8View) -> Bool {
    let (short, long) = one.count <= other.count ? (one, other) : (other, one)
    guard long.starts(with: short) else { return false }
    return short.count == long.count || short.last == UInt8(ascii: "/")
  }

  private static func isName(
    _ name: String.UTF8View,
    within namespace: String.UTF8View
  ) -> Bool {
    guard name.starts(with: namespace) else { return false }
    return name.count == namespace.count
      || name.dropFirst(namespace.count).first == UInt8(ascii: ".")
  }
}
