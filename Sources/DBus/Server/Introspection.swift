// SPDX-License-Identifier: MIT

/// Introspection data: an object's interfaces and the objects below it, as XML.
///
/// Source: D-Bus specification, "Introspection Data Format".
struct Introspection {
  private var text = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """

  /// The document for an object with these interfaces and these child nodes.
  static func document(
    interfaces: [InterfaceDescription],
    children: [String] = []
  ) -> String {
    var introspection = Introspection()
    for interface in interfaces { introspection.add(interface) }
    for child in children { introspection.line(1, "node", [("name", child)]) }
    introspection.text += "</node>\n"
    return introspection.text
  }

  private init() {}

  private mutating func add(_ interface: InterfaceDescription) {
    element(1, "interface", [("name", interface.name.rawValue)]) { document in
      document.add(interface.annotations, 2)
      for method in interface.methods { document.add(method) }
      for property in interface.properties { document.add(property) }
      for signal in interface.signals { document.add(signal) }
    }
  }

  private mutating func add(_ method: InterfaceDescription.Method) {
    element(2, "method", [("name", method.name.rawValue)]) { document in
      document.add(method.annotations, 3)
      document.add(method.inputs, direction: "in")
      document.add(method.outputs, direction: "out")
    }
  }

  private mutating func add(_ property: InterfaceDescription.Property) {
    let attributes = [
      ("name", property.name), ("type", property.signature.rawValue),
      ("access", property.isWritable ? "readwrite" : "read"),
    ]
    var annotations = property.annotations
    if property.emits != .true {
      annotations.append(
        Annotation(
          "org.freedesktop.DBus.Property.EmitsChangedSignal",
          property.emits.rawValue
        )
      )
    }
    element(2, "property", attributes) { $0.add(annotations, 3) }
  }

  private mutating func add(_ signal: Signal) {
    element(2, "signal", [("name", signal.name.rawValue)]) { document in
      document.add(signal.annotations, 3)
      document.add(signal.arguments, direction: nil)
    }
  }

  private mutating func add(_ arguments: [Argument], direction: String?) {
    for argument in arguments {
      var attributes = [("name", argument.name), ("type", argument.signature.rawValue)]
      if let direction { attributes.append(("direction", direction)) }
      line(3, "arg", attributes)
    }
  }

  private mutating func add(_ annotations: [Annotation], _ depth: Int) {
    for annotation in annotations {
      line(depth, "annotation", [("name", annotation.name), ("value", annotation.value)])
    }
  }

  /// An element with what `body` adds, or an empty one where that is nothing.
  private mutating func element(
    _ depth: Int,
    _ name: String,
    _ attributes: [(String, String)],
    _ body: (inout Introspection) -> Void
  ) {
    tag(depth, name, attributes)
    text += ">\n"
    let length = text.utf8.count
    body(&self)
    if text.utf8.count == length {
      text.removeLast(2)
      text += "/>\n"
    } else {
      text += "\(Self.indentation(depth))</\(name)>\n"
    }
  }

  private mutating func line(_ depth: Int, _ name: String, _ attributes: [(String, String)]) {
    tag(depth, name, attributes)
    text += "/>\n"
  }

  private mutating func tag(_ depth: Int, _ name: String, _ attributes: [(String, String)]) {
    text += "\(Self.indentation(depth))<\(name)"
    for (key, value) in attributes { text += " \(key)=\"\(Self.escape(value))\"" }
  }

  private static func indentation(_ depth: Int) -> String {
    String(repeating: " ", count: 2 * depth)
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
