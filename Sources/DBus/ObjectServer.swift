// SPDX-License-Identifier: MIT

/// The objects that a connection serves, each by the tables of its interfaces.
///
/// Every call gets the answer it wants: a method's reply, or an error that says what was wrong.
/// `Properties`, `Introspectable` and `Peer` are served for every object, and whoever looks for
/// objects finds them from `/` down. Keep the server: the connection does not.
public final class ObjectServer {
  /// The connection whose calls are answered.
  public let connection: BusConnection
  /// Called with the object's path before each call of `org.freedesktop.DBus.Properties`.
  public var onPropertiesCall: ((ObjectPath) -> Void)?

  /// The objects served, few of them: many alike are a subtree.
  var nodes: [ObjectNode] = []
  var subtrees: [Subtree] = []
  /// The object called last, which is most often the one called next.
  var latest: ObjectNode?
  /// Takes what a method returns where nobody wants it; nil while a handler writes.
  var discarded: MessageWriter? = MessageWriter()
  /// Calls that would reply at length, for turns with room.
  var waiting = WaitingCalls()

  /// Serves the calls that come in on a connection.
  public init(connection: BusConnection) {
    self.connection = connection
    connection.onMethodCall = { [weak self] message in self?.handle(message) }
    connection.hasRoom = { [weak self] in self?.handleWaiting() }
  }

  /// Serves an interface of an object; one of the same name that is there already gives way.
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
  ///   - interface: What each of them has; asked for when the first of them is called.
  ///   - resolve: The object for the last element of a path, or nil where there is none.
  ///   - children: The last elements of all objects' paths, for those who look.
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

  /// Serves nothing any more at a path, nor the subtree right below it.
  public func unexport(at path: ObjectPath) {
    nodes.removeAll { $0.path == path }
    subtrees.removeAll { $0.base == path }
    latest = nil
  }
}
