// SPDX-License-Identifier: MIT
import Testing

@testable import BadgeCore

@Suite("The catalogue")
struct CatalogueTests {
  /// The contract's table: name, property, keyframes, duration, pace, plays.
  private static let golden = """
    none
    bounce scale (0.0 1.5) (1.0 1.0) 0.2 bezier(0.4, 1.3, 1.0, 1.0) 1
    shrink scale (0.0 1.0) (1.0 0.0) 0.2 bezier(0.42, 0.0, 0.58, 1.0) 1
    spring scale (0.0 0.1) (1.0 1.0) 0.5 spring(damping: 0.5, velocity: 0.5) 1
    shake rotation (0.0 -5.0) (0.5 5.0) (1.0 -5.0) 0.25 linear 0
    pop scale (0.0 1.0) (0.143 0.85) (0.714 1.05) (0.857 0.95) (1.0 1.0) 0.35 linear 1
    bump translate-y (0.0 0.0) (0.283 -8.0) (0.565 0.0) (0.783 -4.0) (1.0 0.0) 0.46 linear 1
    blink opacity (0.0 0.1) (0.3333333333333333 1.0) (0.6666666666666666 0.1) (1.0 1.0) 0.3 linear 1
    breathe opacity (0.0 1.0) (0.5 0.1) (1.0 1.0) 2.8 linear 0
    """

  @Test("is the contract's")
  func isTheContracts() {
    let lines = AnimationName.allCases.map { animation in
      guard let motion = animation.motion else { return animation.rawValue }
      let keyframes = motion.keyframes.map { "(\($0.offset) \($0.value))" }
      return
        ([animation.rawValue, motion.property.rawValue] + keyframes
        + ["\(motion.duration)", "\(motion.easing)", "\(motion.plays)"]).joined(separator: " ")
    }
    #expect(lines.joined(separator: "\n") == Self.golden)
  }

  @Test("starts each play at 0 and ends it at 1, in order", arguments: AnimationName.allCases)
  func isInOrder(animation: AnimationName) {
    guard let offsets = animation.motion?.keyframes.map(\.offset) else {
      #expect(animation == .none)
      return
    }
    #expect(offsets.first == 0 && offsets.last == 1)
    #expect(offsets == offsets.sorted() && Set(offsets).count == offsets.count)
  }

  @Test("has the contract's words for all that is named")
  func hasWords() {
    #expect(
      AnimationEvent.allCases.map(\.rawValue)
        == ["disappear", "calm", "attention", "appear", "change", "none"]
    )
    #expect(AnimationHint.Direction.allCases.map(\.rawValue) == ["up", "down", "none"])
    #expect(
      RemovalReason.allCases.map(\.rawValue)
        == ["removed", "dismissed", "cleared-all", "owner-gone", "expired"]
    )
    #expect(Badge.Kind.allCases.map(\.rawValue) == ["number", "text", "dot"])
    #expect(Badge.Origin.allCases.map(\.rawValue) == ["native", "launcher-entry"])
    #expect(
      BadgeAnchor.allCases.map(\.rawValue)
        == ["top-left", "top-right", "bottom-left", "bottom-right", "center"]
    )
    #expect(BadgeGrow.allCases.map(\.rawValue) == ["head", "middle", "tail"])
    #expect(BadgeFit.allCases.map(\.rawValue) == ["grow", "shrink"])
    #expect(BadgePreset.allCases.map(\.rawValue) == ["badge", "counter"])
    #expect(
      AnimationMotion.Property.allCases.map(\.rawValue) == [
        "scale", "rotation", "opacity", "translate-y",
      ]
    )
  }
}
