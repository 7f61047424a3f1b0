// SPDX-License-Identifier: MIT

/// How apps are called on the bus: the URI of a desktop file, and the object path that goes with it.
public enum LauncherEntryPath {
  /// The URI of the app whose desktop file is `<id>.desktop`.
  public static func uri(for id: String) -> String { "application://\(id).desktop" }

  /// The hash of `uri` that libunity's object paths end in: Bernstein's, on signed bytes.
  public static func hash(of uri: String) -> UInt32 {
    uri.utf8.reduce(5381) { hash, byte in
      hash &* 33 &+ UInt32(bitPattern: Int32(Int8(bitPattern: byte)))
    }
  }

  /// The path of the object that announces `uri`.
  public static func path(for uri: String) -> String {
    "/com/canonical/unity/launcherentry/\(hash(of: uri))"
  }
}
