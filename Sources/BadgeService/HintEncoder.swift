// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import DBus

/// Animation hints as the bytes of their a{sv}, each made once.
struct HintEncoder {
  private var hints: [AnimationHint: EncodedEntries] = [:]

  /// The hint's entries.
  mutating func entries(of hint: AnimationHint) -> EncodedEntries {
    if let entries = hints[hint] { return entries }
    // There are a few dozen of them at most.
    let entries = MessageWriter.encodeEntries { writer in
      writer.appendEntry("event", variant: hint.event.rawValue)
      writer.appendEntry("direction", variant: hint.direction.rawValue)
      Self.append(hint.animation, to: &writer)
    }
    hints[hint] = entries
    return entries
  }

  /// The catalogue, an a{sa{sv}}: every animation by name, as hints without event and direction.
  static func appendCatalogue(to writer: inout MessageWriter) {
    writer.appendDictionary(key: .string, value: .namedValues) { writer in
      for animation in Animation.allCases {
        writer.appendEntry(animation.rawValue) {
          $0.appendDictionary { append(animation, to: &$0) }
        }
      }
    }
  }

  private static func append(_ animation: Animation, to writer: inout MessageWriter) {
    writer.appendEntry("name", variant: animation.rawValue)
    guard let motion = animation.motion else { return }
    writer.appendEntry("property", variant: motion.property.rawValue)
    writer.appendEntry("keyframes") { writer in
      writer.appendVariant(of: .keyframes) { writer in
        writer.appendArray(of: .pair) { writer in
          for keyframe in motion.keyframes { writer.append([keyframe.offset, keyframe.value]) }
        }
      }
    }
    writer.appendEntry("duration", variant: motion.duration)
    writer.appendEntry("repeat", variant: motion.plays)
    switch motion.pace {
    case .linear: break
    case .bezier(let x1, let y1, let x2, let y2):
      writer.appendEntry("timing") {
        $0.appendVariant(of: .quadruple) { $0.append([x1, y1, x2, y2]) }
      }
    case .spring(let damping, let velocity):
      writer.appendEntry("spring") {
        $0.appendVariant(of: .pair) { $0.append([damping, velocity]) }
      }
    }
  }
}

extension MessageWriter {
  /// Writes a structure of numbers.
  fileprivate mutating func append(_ numbers: [Double]) {
    appendStructure { writer in
      for number in numbers { writer.append(number) }
    }
  }
}

extension Signature {
  fileprivate static let keyframes = Signature(constant: "a(dd)")
  fileprivate static let pair = Signature(constant: "(dd)")
  fileprivate static let quadruple = Signature(constant: "(dddd)")
}
