// SPDX-License-Identifier: MIT
import BadgeBus
public import BadgeCore
import DBus

/// The requests that change one badge; the ids are written as the daemon takes them.
extension BadgeClient {
  /// Makes a badge show a count, and creates it where it is absent.
  public func set(_ id: String, to count: Int64) throws(ClientError) {
    _ = try call("Set") { body in
      body.append(id)
      body.append(count)
    }
  }

  /// Makes a badge show a text; an empty one clears it.
  public func set(_ id: String, to text: String) throws(ClientError) {
    _ = try call("SetText") { body in
      body.append(id)
      body.append(text)
    }
  }

  /// Makes a badge show a dot.
  public func setDot(_ id: String) throws(ClientError) {
    _ = try call("SetDot") { $0.append(id) }
  }

  /// Sets one named source of a badge; 0 ends it.
  public func set(_ id: String, source: String, to count: Int64) throws(ClientError) {
    _ = try call("SetSource") { body in
      body.append(id)
      body.append(source)
      body.append(count)
    }
  }

  /// Adds to a badge's number or, given a name, to that source.
  ///
  /// - Returns: The badge's new count.
  @discardableResult
  public func increment(_ id: String, source: String? = nil, by amount: Int64 = 1)
    throws(ClientError) -> Int64
  {
    try step(source == nil ? "Increment" : "IncrementSource", id, source, amount)
  }

  /// Takes from a badge's number or, given a name, from that source, and stops at zero.
  ///
  /// - Returns: The badge's new count.
  @discardableResult
  public func decrement(_ id: String, source: String? = nil, by amount: Int64 = 1)
    throws(ClientError) -> Int64
  {
    try step(source == nil ? "Decrement" : "DecrementSource", id, source, amount)
  }

  private func step(_ member: StaticString, _ id: String, _ source: String?, _ amount: Int64)
    throws(ClientError) -> Int64
  {
    let reply = try call(member) { body in
      body.append(id)
      if let source { body.append(source) }
      body.append(amount)
    }
    return try read(reply) { reader throws(BusError) in try reader.readInt64() }
  }

  /// Changes several keys of a badge at once, all or nothing; keys that are not given stay.
  public func update(_ id: String, _ changes: [(key: BadgeKey, value: PropertyValue)])
    throws(ClientError)
  {
    _ = try call("Update") { body in
      body.append(id)
      body.appendDictionary { entries in
        for change in changes {
          entries.appendEntry(change.key.name) { $0.appendVariant(change.value.busValue) }
        }
      }
    }
  }

  /// Makes a badge's value number 0; its style stays.
  public func clear(_ id: String) throws(ClientError) {
    _ = try call("Clear") { $0.append(id) }
  }

  /// Forgets a badge.
  public func remove(_ id: String) throws(ClientError) {
    _ = try call("Remove") { $0.append(id) }
  }

  /// Forgets all badges.
  ///
  /// - Returns: How many there were.
  @discardableResult
  public func removeAll() throws(ClientError) -> UInt32 {
    try read(try call("RemoveAll")) { reader throws(BusError) in try reader.readUInt32() }
  }

  /// Takes a badge away as a person does in a panel.
  public func dismiss(_ id: String) throws(ClientError) {
    _ = try call("Dismiss") { $0.append(id) }
  }

  /// Ends a badge's urgency.
  public func acknowledge(_ id: String) throws(ClientError) {
    _ = try call("Acknowledge") { $0.append(id) }
  }
}
