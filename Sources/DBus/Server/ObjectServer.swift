// SPDX-License-Identifier: MIT

/// The objects that a connection serves, each by the tables of its interfaces.
///
/// Every call that wants a reply gets one: the method's, or an error that says what was wrong.
/// `Properties`, `Introspectable` and `Peer` are served for every object, and introspection leads to
/// all of them from `/` down. Keep the server: the connection does not.
public final class ObjectServer {
  /// The connection whose calls are answered.
  public let connection: Connection
  /// Called with the object's path before each call to `org.freedesktop.DBus.Properties`.
  public var onPropertiesCall: ((ObjectPath) -> Void)?

  /// The objects served, few of them: many alike are a subtree.
  private var nodes: [ObjectNode] = []
  private var subtrees: [Subtree] = []
  /// The object called last, which is usually the one called next.
  private var latest: ObjectNode?
  /// Takes what a method returns where nobody wants it; nil while a handler writes.
  private var discarded: MessageWriter? = MessageWriter()
  /// Calls with long replies, for turns with capacity.
  private(set) var waiting = WaitingCalls()

  /// Serves the calls that arrive on a connection.
  public init(connection: Connection) {
    self.connection = connection
    connection.onMethodCall = { [weak self] message in self?.handle(message) }
    connection.onCapacity = { [weak self] in self?.handleWaiting() }
  }

  /// Serves an interface of an object, in place of one of the same name that is there already.
  ///
  /// A call that names no interface means the one exported first.
  public func export<Target>(
    _ interface: Interface<Target>,
    target: Target,
    at path: ObjectPath
  ) {
    let known = nodes.first { $0.path == path }
    let node = known ?? ObjectNode(path: path)
    if known == nil { nodes.append(node) }
    let bound = TargetInterface(interface, target: target)
    let index = node.interfaces.firstIndex { $0.description.name == interface.name }
    if let index { node.interfaces[index] = bound } else { node.interfaces.append(bound) }
  }

  /// Serves objects right below a path without keeping any of them.
  ///
  /// - Parameters:
  ///   - path: Where the objects are; there need be none at it.
  ///   - interface: The interface of each of them; asked for when one of them is called.
  ///   - resolve: The object for the last element of a path, or nil where there is none.
  ///   - children: The last elements of all objects' paths, for introspection.
  public func exportSubtree<Target>(
    at path: ObjectPath,
    interface: @autoclosure @escaping () -> Interface<Target>,
    resolve: @escaping (String) -> Target?,
    children: @escaping () -> [String]
  ) {
    subtrees.removeAll { $0.base == path }
    subtrees.append(
      Subtree(
        base: path,
        resolve: { resolve($0).map { TargetInterface(interface(), target: $0) } },
        children: children
      )
    )
  }

  /// Stops serving the object at a path and the subtree right below it.
  public func unexport(at path: ObjectPath) {
    nodes.removeAll { $0.path == path }
    subtrees.removeAll { $0.base == path }
    latest = nil
  }

  // MARK: Dispatch

  private func handle(_ message: Message) {
    do throws(BusError) {
      try dispatch(message, mayWait: true)
    } catch {
      connection.reply(to: message, error: error)
    }
  }

  /// Handles calls that waited for a turn with capacity, while it has some.
  private func handleWaiting() {
    while connection.hasCapacityForLongReplies, let message = waiting.next() {
      do throws(BusError) {
        try dispatch(message, mayWait: false)
      } catch {
        connection.reply(to: message, error: error)
      }
    }
    // A full socket that takes more wakes the loop by itself.
    if !waiting.isEmpty, !connection.hasUnsentBytes { connection.requestRedispatch() }
  }

  private func dispatch(_ message: Message, mayWait: Bool) throws(BusError) {
    guard let node = node(for: message) else {
      throw .unknownObject("no such object: \(quoted(message.path?.rawValue ?? ""))")
    }
    let (interface, method) = try method(of: node, for: message)
    let expected = interface.inputSignature(ofMethod: method)
    guard message.hasSignature(expected) else {
      let description = interface.description
      throw .invalidArguments(
        "\(description.methods[method].name) of \(description.name) takes (\(expected)), "
          + "not (\(message.signature))"
      )
    }
    if interface.isLongRead(method: method) {
      guard message.expectsReply else { return }
      if mayWait && !(waiting.isEmpty && connection.hasCapacityForLongReplies) {
        return try wait(message)
      }
    }
    var context = MethodCallContext(message)
    guard message.expectsReply else {
      return try discardingReply { writer throws(BusError) in
        try interface.call(method: method, &context, &writer)
      }
    }
    try connection.reply(to: message) { writer throws(BusError) in
      try interface.call(method: method, &context, &writer)
    }
  }

  private func wait(_ message: Message) throws(BusError) {
    guard waiting.append(message) else {
      throw .limitsExceeded(
        "\(ConnectionLimits.waitingCallsPerCaller) such calls of one caller, or "
          + "\(ConnectionLimits.waitingCalls) in all, wait for their replies already"
      )
    }
    connection.requestRedispatch()
  }

  /// Runs a method whose caller wants no reply.
  private func discardingReply(
    _ body: (inout MessageWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var writer = discarded.take() ?? MessageWriter()
    var failure: BusError?
    do throws(BusError) { try body(&writer) } catch { failure = error }
    writer.reset()
    discarded = consume writer
    if let failure { throw failure }
  }

  /// The object that is called, or an ancestor node of objects.
  private func node(for message: Message) -> ObjectNode? {
    if let latest, message.hasPath(latest.path) { return latest }
    guard let path = message.path else { return nil }
    if let node = nodes.first(where: { $0.path == path }) {
      latest = node
      return node
    }
    for subtree in subtrees {
      if let node = subtree.node(at: path) { return node }
    }
    if hasDescendants(below: path) || message.hasInterface(StandardInterface.peer.name) {
      return ObjectNode(path: path)
    }
    return nil
  }

  /// Finds the method that is called; without an interface, the first that has one of that name.
  private func method(
    of node: ObjectNode,
    for message: Message
  ) throws(BusError) -> (interface: BoundInterface, index: Int) {
    let member = message.member?.rawValue ?? ""
    let wanted = message.namesInterface ? message : nil
    for interface in node.interfaces where wanted?.hasInterface(interface.description.name) ?? true
    {
      if let index = interface.methodIndex(member) { return (interface, index) }
      if wanted != nil { throw node.unknownMethod(member, of: interface.description) }
    }
    for standard in StandardInterface.interfaces(of: node)
    where wanted?.hasInterface(standard.name) ?? true {
      if let index = standard.methodIndex(member) {
        let target = StandardInterface.Target(node: node, server: self)
        return (TargetInterface(standard, target: target), index)
      }
      if wanted != nil { throw node.unknownMethod(member, of: standard.description) }
    }
    guard wanted != nil else { throw node.unknownMethod(member, of: nil) }
    throw node.unknownInterface(message.interface?.rawValue ?? "")
  }

  // MARK: Signals

  private static let propertiesChanged = MemberName(constant: "PropertiesChanged")

  /// Queues `PropertiesChanged` for an object, exported or not, with the new values of properties that
  /// emit them and the names of those that are invalidated; sends nothing where there are neither.
  ///
  /// - Parameters:
  ///   - names: The properties that changed.
  ///   - interface: The interface they belong to.
  ///   - target: The object, which has the new values.
  ///   - path: The object's path.
  ///   - destination: Who gets it; nil broadcasts it.
  /// - Returns: Whether the signal was queued.
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

  // MARK: Introspection

  /// Whether the path is an ancestor node: objects are, or may be, below it.
  private func hasDescendants(below path: ObjectPath) -> Bool {
    path == .root
      || subtrees.contains { $0.base == path || path.isAncestor(of: $0.base) }
      || nodes.contains { path.isAncestor(of: $0.path) }
  }

  /// Called before each call to `org.freedesktop.DBus.Properties`.
  func willCallProperties(of node: ObjectNode) {
    onPropertiesCall?(node.path)
  }

  /// The introspection data of a node, with its child nodes.
  func introspect(_ node: ObjectNode) -> String {
    let standard = StandardInterface.interfaces(of: node)
    return Introspection.document(
      interfaces: node.interfaces.map(\.description) + standard.map(\.description),
      children: children(of: node.path)
    )
  }

  private func children(of path: ObjectPath) -> [String] {
    var names: Set<String> = []
    let depth = path.elements.count
    for other in nodes.map(\.path) + subtrees.map(\.base) where path.isAncestor(of: other) {
      names.insert(other.elements[depth])
    }
    for subtree in subtrees where subtree.base == path { names.formUnion(subtree.children()) }
    return names.sorted()
  }
}
