// SPDX-License-Identifier: MIT
public import DBus

extension LauncherUpdate {
  private static let signature = Signature(constant: "sa{sv}")

  /// Reads the body of an `Update`: the app as it is written there, and what is said of it.
  ///
  /// Keys that are not known, or whose values are of a type that makes no sense for them, are passed
  /// over without being read.
  ///
  /// - Returns: nil where the body is no update at all, or one of more than
  ///   ``LauncherLimits/keys`` keys.
  public static func read(_ message: Message) -> (uri: String, update: LauncherUpdate)? {
    guard message.hasSignature(signature) else { return nil }
    var reader = message.makeReader()
    var update = LauncherUpdate()
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
