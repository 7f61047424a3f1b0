// SPDX-License-Identifier: MIT

extension ObjectServer {
  /// Whether there are, or may be, objects below the path.
  func isOnTheWay(_ path: ObjectPath) -> Bool {
    path == .root
      || subtrees.contains { $0.base == path || path.isAncestor(of: $0.base) }
      || nodes.contains { path.isAncestor(of: $0.path) }
  }

  /// The introspection data of a node, with what is right below it.
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
