// SPDX-License-Identifier: MIT
import CDBus

/// Fetches the descriptors that came along with a message.
///
/// libdbus gives a descriptor out only at a value of type `h`, which holds its index. So the
/// values are walked twice in the same order: by libdbus for the descriptors, and by the reader
/// for the indices.
enum DescriptorCollector {
  static func collect(from raw: OpaquePointer, of message: Message) -> [UnixDescriptor] {
    var found: [UnixDescriptor?] = []
    var iterator = unsafe DBusMessageIter()
    if unsafe dbus_message_iter_init(raw, &iterator) != 0 {
      unsafe walk(&iterator, &found)
    }
    var indices: [UInt32] = []
    var reader = message.makeReader()
    try? reader.collectDescriptorIndices(&indices)
    var descriptors: [UnixDescriptor] = []
    for expected in 0..<message.fields.descriptorCount {
      guard let position = indices.firstIndex(of: expected), position < found.count,
        let descriptor = found[position]
      else { break }
      descriptors.append(descriptor)
    }
    return descriptors
  }

  private static func walk(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>,
    _ found: inout [UnixDescriptor?]
  ) {
    while true {
      let code = unsafe UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(iterator))
      switch code {
      case 0:
        return
      case TypeCode.unixDescriptor.rawValue:
        var descriptor: CInt = -1
        unsafe dbus_message_iter_get_basic(iterator, &descriptor)
        found.append(descriptor >= 0 ? UnixDescriptor(adopting: descriptor) : nil)
      case TypeCode.array.rawValue, TypeCode.variant.rawValue,
        UInt8(ascii: "r"), UInt8(ascii: "e"):
        // libdbus tells of structures and entries by letters that no signature has.
        var inner = unsafe DBusMessageIter()
        unsafe dbus_message_iter_recurse(iterator, &inner)
        unsafe walk(&inner, &found)
      default:
        break
      }
      unsafe dbus_message_iter_next(iterator)
    }
  }
}

extension MessageReader {
  /// The indices of all descriptors from here on, in the order of their values.
  fileprivate mutating func collectDescriptorIndices(
    _ indices: inout [UInt32]
  ) throws(BusError) {
    var found = indices
    while let code = nextType {
      let collect = { (reader: inout MessageReader) throws(BusError) in
        try reader.collectDescriptorIndices(&found)
      }
      switch code {
      case .unixDescriptor: found.append(try readDescriptorIndex())
      case .array where isAtDictionary: try readEntries(collect)
      case .array: try readArray(collect)
      case .structure: try readStructure(collect)
      case .variant: try readVariant(collect)
      default: try skipValue()
      }
    }
    indices = found
  }
}
