// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import DBus

@Suite(.privateBus) struct IntrospectionTests {
  static let introspectable = InterfaceName(constant: "org.freedesktop.DBus.Introspectable")

  static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """

  static let lamp = """
      <interface name="org.example.Lamp1">
        <method name="Switch">
          <arg name="on" type="b" direction="in"/>
        </method>
        <method name="Dim">
          <arg name="by" type="x" direction="in"/>
          <arg name="options" type="a{sv}" direction="in"/>
          <arg name="brightness" type="x" direction="out"/>
          <arg name="names" type="as" direction="out"/>
        </method>
        <method name="Break">
          <annotation name="org.freedesktop.DBus.Deprecated" value="true"/>
          <arg name="text" type="s" direction="out"/>
        </method>
        <method name="Introspect">
          <arg name="text" type="s" direction="out"/>
        </method>
        <property name="On" type="b" access="readwrite"/>
        <property name="Brightness" type="x" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>
        </property>
        <property name="Limits" type="(xx)" access="read">
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
        </property>
        <property name="Calls" type="x" access="read">
          <annotation name="org.example.Doc" value="&lt;&amp;&quot;&gt;"/>
          <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
        </property>
        <signal name="Blown">
          <arg name="when" type="t"/>
        </signal>
      </interface>
      <interface name="org.freedesktop.DBus.Properties">
        <method name="Get">
          <arg name="interface_name" type="s" direction="in"/>
          <arg name="property_name" type="s" direction="in"/>
          <arg name="value" type="v" direction="out"/>
        </method>
        <method name="Set">
          <arg name="interface_name" type="s" direction="in"/>
          <arg name="property_name" type="s" direction="in"/>
          <arg name="value" type="v" direction="in"/>
        </method>
        <method name="GetAll">
          <arg name="interface_name" type="s" direction="in"/>
          <arg name="properties" type="a{sv}" direction="out"/>
        </method>
        <signal name="PropertiesChanged">
          <arg name="interface_name" type="s"/>
          <arg name="changed_properties" type="a{sv}"/>
          <arg name="invalidated_properties" type="as"/>
        </signal>
      </interface>

    """

  static let everywhere = """
      <interface name="org.freedesktop.DBus.Introspectable">
        <method name="Introspect">
          <arg name="xml_data" type="s" direction="out"/>
        </method>
      </interface>
      <interface name="org.freedesktop.DBus.Peer">
        <method name="Ping"/>
        <method name="GetMachineId">
          <arg name="machine_uuid" type="s" direction="out"/>
        </method>
      </interface>

    """

  let fixture: LampFixture

  init() throws {
    fixture = try LampFixture()
    fixture.bulbs = ["b": Lamp(), "a_20": Lamp()]
  }

  private func introspect(_ path: String) throws -> String? {
    let reply = try fixture.call(
      "Introspect",
      interface: Self.introspectable,
      at: try #require(ObjectPath(path))
    )
    guard case .success(let values) = reply, case .string(let text) = values.first else {
      return nil
    }
    return text
  }

  @Test func anObjectIsDescribedToTheLetter() throws {
    #expect(
      try introspect("/org/example/Lamp")
        == Self.head + Self.lamp + Self.everywhere + "  <node name=\"bulb\"/>\n</node>\n"
    )
  }

  @Test(arguments: [
    ("/", ["org"]),
    ("/org", ["example"]),
    ("/org/example", ["Lamp"]),
    ("/org/example/Lamp/bulb", ["a_20", "b"]),
  ]) func theWayToObjectsIsFoundFromTheRootDown(path: String, children: [String]) throws {
    let nodes = children.map { "  <node name=\"\($0)\"/>\n" }.joined()
    #expect(try introspect(path) == Self.head + Self.everywhere + nodes + "</node>\n")
  }

  @Test func anObjectOfASubtreeIsDescribedLikeAnyOther() throws {
    let expected = Self.head + Self.lamp + Self.everywhere + "</node>\n"
    #expect(try introspect("/org/example/Lamp/bulb/b") == expected)
    #expect(try introspect("/org/example/Lamp/bulb/c") == nil)
  }

  @Test func anInterfaceWithoutMembersIsOneTag() {
    let interface = Interface<Lamp>("a.b")
    let document = Introspection.document(interfaces: [interface.description])
    #expect(document == Self.head + "  <interface name=\"a.b\"/>\n</node>\n")
  }
}
