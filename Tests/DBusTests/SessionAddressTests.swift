// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

@testable import DBus

struct SessionAddressTests {
  private static func address(_ environment: [String: String]) -> String? {
    BusConnection.sessionAddress { environment[$0] }
  }

  @Test func `the variable comes first, then the socket of the runtime folder`() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("", to: "bus")
    let runtime = ["XDG_RUNTIME_DIR": folder.path]
    #expect(Self.address(runtime) == "unix:path=\(folder.path)/bus")
    var both = runtime
    both["DBUS_SESSION_BUS_ADDRESS"] = "unix:abstract=x"
    #expect(Self.address(both) == "unix:abstract=x")
    both["DBUS_SESSION_BUS_ADDRESS"] = ""
    #expect(Self.address(both) == Self.address(runtime))
  }

  @Test func `a folder without a socket, or no absolute path, is passed over`() throws {
    let folder = try TemporaryDirectory()
    let fallback = "/run/user/\(getuid())/bus"
    let exists = unsafe access(fallback, F_OK) == 0
    for path in [folder.path, "relative", "", "/nonexistent"] {
      #expect(Self.address(["XDG_RUNTIME_DIR": path]) == (exists ? "unix:path=" + fallback : nil))
    }
  }

  @Test func `a path's odd bytes are escaped`() {
    #expect(BusConnection.escapedAddressValue("/a b/é;,=%") == "/a%20b/%c3%a9%3b%2c%3d%25")
    #expect(BusConnection.escapedAddressValue("/a-b_c.d\\*") == "/a-b_c.d\\*")
  }
}
