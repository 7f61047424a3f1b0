// SPDX-License-Identifier: MIT

/// Objects right below a path that are made up when they are asked for, be they thousands.
final class Subtree {
  let base: ObjectPath
  /// The object whose path ends with an element, if there is one.
  let resolve: (String) -> BoundInterface?
  /// The elements there are.
  let children: () -> [String]

  init(
    base: ObjectPath,
    resolve: @escaping (String) -> BoundInterface?,
    children: @escaping () -> [String]
  ) {
    self.base = base
    self.resolve = resolve
    self.children = children
  }

  func node(at path: ObjectPath) -> ObjectNode? {
    guard path.parent == base, let element = path.lastElement, let interface = resolve(element)
    else { return nil }
    return ObjectNode(path: path, interfaces: [interface])
  }
}
