// SPDX-License-Identifier: MIT

extension ObjectServer {
  private static let propertiesChanged = MemberName(constant: "PropertiesChanged")

  /// Queues `PropertiesChanged` for an object, exported or not: the new values of properties that
  /// emit them, the names of those that are invalidated; nothing where that leaves nothing to tell.
  ///
  /// - Parameters:
  ///   - names: The properties that changed.
  ///   - interface: The interface they belong to.
  ///   - target: The object, which has the new values.
  ///   - path: The object's path.
  ///   - destination: Whom it is for; all who want to know where nil.
  /// - Returns: Whether there was something to tell.
  /// - Throws: ``BusError`` `Disconnected`, or why a value cannot be sent.
  @discardableResult
  public func sendPropertiesChanged<Target>(
    _ names: some Collection<String>,
    of interface: Interface<Target>,
    target: Target,
    at path: ObjectPath,
    to destination: BusName? = nil
  ) throws(BusError) -> Bool {
    let changed = interface.properties.filter { names.contains($0.description.name) }
    let told = changed.filter { $0.description.emits == .true }
    let invalidated = changed.filter { $0.description.emits == .invalidates }
    if told.isEmpty && invalidated.isEmpty { return false }
    try connection.send(
      signal: Self.propertiesChanged,
      of: StandardInterface.properties.name,
      from: path,
      to: destination
    ) { writer in
      writer.append(interface.name.rawValue)
      writer.appendDictionary { writer in
        for property in told {
          writer.appendEntry(property.description.name) { property.write(of: target, to: &$0) }
        }
      }
      writer.appendArray(of: .string) { writer in
        for property in invalidated { writer.append(property.description.name) }
      }
    }
    return true
  }
}
