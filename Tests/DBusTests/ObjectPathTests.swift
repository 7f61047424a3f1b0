// SPDX-License-Identifier: MIT
import Testing

@testable import DBus

struct ObjectPathTests {
  @Test func `a path knows its elements, its parent and its descendants`() throws {
    let path = ObjectPath(constant: "/org/badged/b_2eb")
    #expect(path.elements == ["org", "badged", "b_2eb"])
    #expect(path.lastElement == "b_2eb")
    #expect(path.parent == ObjectPath(constant: "/org/badged"))
    #expect(ObjectPath(constant: "/org").parent == .root)
    #expect(ObjectPath.root.parent == nil)
    #expect(ObjectPath.root.lastElement == nil)
    #expect(ObjectPath.root.elements == [])
    #expect(ObjectPath.root.isAncestor(of: path))
    #expect(ObjectPath(constant: "/org").isAncestor(of: path))
    #expect(!ObjectPath(constant: "/or").isAncestor(of: path))
    #expect(!path.isAncestor(of: path))
    #expect(!ObjectPath.root.isAncestor(of: .root))
  }

  @Test func `appending takes one element and nothing else`() {
    #expect(ObjectPath.root.appending("a") == ObjectPath(constant: "/a"))
    #expect(ObjectPath(constant: "/a").appending("b_9") == ObjectPath(constant: "/a/b_9"))
    for element in ["", "a/b", "/", "a-b", "é", "a\0"] {
      #expect(ObjectPath(constant: "/a").appending(element) == nil, "\(element)")
    }
  }

  @Test(arguments: [
    ("", "_"), ("mail", "mail"), ("a.b", "a_2eb"), ("_", "_5f"), ("My App", "My_20App"),
    ("é", "_c3_a9"), ("\t", "_09"), ("/", "_2f"), ("\u{7f}ÿ", "_7f_c3_bf"),
  ])
  func `an escaped text is one element and comes back`(_ text: String, _ element: String) {
    #expect(ObjectPath.escapedElement(text) == element)
    #expect(ObjectPath.unescapedElement(element) == text)
    #expect(ObjectPath.root.appending(element) != nil)
  }

  @Test(arguments: ["", "a_", "a_2", "a_2E", "a_zz", "_61", "_ff", "a.b", "__", "a_2e_"])
  func `what no text is escaped to stands for no text`(_ element: String) {
    #expect(ObjectPath.unescapedElement(element) == nil)
  }
}
