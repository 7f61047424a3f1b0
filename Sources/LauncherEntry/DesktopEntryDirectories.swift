// SPDX-License-Identifier: MIT

/// Where desktop files are installed, the most important folder first (XDG Base Directory and
/// Desktop Entry Specifications).
public enum DesktopEntryDirectories {
  /// How many folders are looked at.
  public static let maximum = LauncherLimits.directories

  /// The `applications` folders that `environment` leads to: of the person's own data, of
  /// `XDG_DATA_DIRS`, and those of Flatpak and snap, which a session may have left out.
  ///
  /// Relative paths are invalid and left out, as the specification says.
  public static func paths(environment: (String) -> String?) -> [String] {
    var data: [String] = []
    let home = environment("HOME").map { $0 + "/.local/share" }
    let own = nonEmpty(environment("XDG_DATA_HOME")) ?? home
    if let own { data.append(own) }
    let shared = nonEmpty(environment("XDG_DATA_DIRS")) ?? "/usr/local/share:/usr/share"
    data += shared.split(separator: ":").map(String.init)
    if let own { data.append(own + "/flatpak/exports/share") }
    data += ["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"]
    var paths: [String] = []
    for folder in data where folder.hasPrefix("/") {
      let path = normalized(folder) + "/applications"
      if !paths.contains(path), paths.count < maximum { paths.append(path) }
    }
    return paths
  }

  private static func nonEmpty(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `path` without doubled and trailing slashes.
  private static func normalized(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    var bytes: [UInt8] = []
    for byte in path.utf8 where byte != slash || bytes.last != slash { bytes.append(byte) }
    if bytes.last == slash { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
