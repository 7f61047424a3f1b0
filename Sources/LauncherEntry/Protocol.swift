// SPDX-License-Identifier: MIT
public import BadgeCore
public import DBus

/// The D-Bus names of the launcher entry protocol.
enum LauncherNames {
  static let interface = InterfaceName(constant: "com.canonical.Unity.LauncherEntry")
  static let update = MemberName(constant: "Update")

  /// Owned by the dock; libunity's apps announce only while it has an owner.
  static let unity = BusName(constant: "com.canonical.Unity")

  /// Plasma requests `com.canonical.Unity` once and never queues for it, so its shell is recognised
  /// by this name.
  static let docksThatDoNotQueue = ["org.kde.plasmashell"]

  /// Updates from any sender.
  static let updates = MatchRule.signal(update, of: interface)

  /// Every connection and name that appears, changes its owner or disappears.
  static let ownerChanges = MatchRule.signal(
    BusDriver.nameOwnerChanged,
    of: BusDriver.interface,
    sender: .bus
  )
}

/// The URI of an app's desktop file, and the object path that goes with it.
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

extension AppAnnouncement {
  private static let signature = Signature(constant: "sa{sv}")

  /// Reads the body of an `Update`: the app's URI and the announced keys.
  ///
  /// Unknown keys and values of unsuitable types are skipped without being read.
  ///
  /// - Returns: nil if the body is not an update, or has more than ``LauncherLimits/keys`` keys.
  public static func read(_ message: Message) -> (uri: String, update: AppAnnouncement)? {
    guard message.hasSignature(signature) else { return nil }
    var reader = message.makeReader()
    var update = AppAnnouncement()
    do {
      let uri = try reader.readString()
      var keys = 0
      try reader.readDictionary { key, value throws(BusError) in
        keys += 1
        guard keys <= LauncherLimits.keys else { throw .limitsExceeded("too many keys") }
        try value.readVariant { content throws(BusError) in try update.read(key, from: &content) }
      }
      return (uri, update)
    } catch {
      return nil
    }
  }

  private mutating func read(
    _ key: String,
    from value: inout MessageReader
  ) throws(BusError) {
    switch key {
    case "count": count = try Self.readInteger(&value) ?? count
    case "count-visible": isCountVisible = try Self.readBoolean(&value) ?? isCountVisible
    case "progress":
      if value.nextType == .double {
        setProgress(try value.readDouble())
      } else if let number = try Self.readInteger(&value) {
        setProgress(Double(number))
      }
    case "progress-visible": isProgressVisible = try Self.readBoolean(&value) ?? isProgressVisible
    case "urgent": isUrgent = try Self.readBoolean(&value) ?? isUrgent
    default: break
    }
  }

  private static func readBoolean(_ value: inout MessageReader) throws(BusError) -> Bool? {
    value.nextType == .boolean ? try value.readBoolean() : nil
  }

  private static func readInteger(_ value: inout MessageReader) throws(BusError) -> Int64? {
    switch value.nextType {
    case .byte: Int64(try value.readByte())
    case .int16: Int64(try value.readInt16())
    case .uint16: Int64(try value.readUInt16())
    case .int32: Int64(try value.readInt32())
    case .uint32: Int64(try value.readUInt32())
    case .int64: try value.readInt64()
    case .uint64: Int64(clamping: try value.readUInt64())
    default: nil
    }
  }

  /// Writes the body of an `Update` for `uri`.
  public func write(to writer: inout MessageWriter, uri: String) {
    writer.append(uri)
    writer.appendDictionary { entries in
      if let count { entries.appendEntry("count", variant: count) }
      if let isCountVisible { entries.appendEntry("count-visible", variant: isCountVisible) }
      if let progress { entries.appendEntry("progress", variant: progress) }
      if let isProgressVisible {
        entries.appendEntry("progress-visible", variant: isProgressVisible)
      }
      if let isUrgent { entries.appendEntry("urgent", variant: isUrgent) }
    }
  }
}

/// Bounds on apps that announce badges and on the desktop files that are read.
public enum LauncherLimits {
  /// Apps that one sender can announce.
  public static let appsPerSender = 128

  /// Apps that are announced in all.
  public static let apps = 1_024

  /// Pairs of sender and app.
  public static let pairs = 4_096

  /// Updates that one sender may send at once.
  public static let burst = 256

  /// Updates a second that one sender may send; more are merged, and the last state gets through.
  public static let rate = 100

  /// Keys in one update.
  public static let keys = 256

  /// Bytes of a URI.
  public static let uriBytes = 4_096

  /// Bytes of a URI that is cached: enough for libunity's with the longest id.
  static let rememberedSpellingBytes = 300

  /// Badges that are published to docks at a time; each takes a connection to the bus.
  public static let dockConnections = 128

  /// The least time between two updates of one badge to docks.
  public static let dockInterval = Duration.milliseconds(35)

  /// `applications` folders.
  static let directories = 64

  /// Directory entries that are read in all.
  public static let desktopEntries = 16_384

  /// Folders that are read, and how deep below an `applications` folder.
  static let folders = 256
  static let folderDepth = 4

  /// Desktop files that are read for former names, bytes of each, and names in each.
  static let flatpakFiles = 1_024
  static let flatpakFileBytes = 65_536
  static let formerNames = 16
}
