// SPDX-License-Identifier: MIT

extension Motion {
  /// The contract's catalogue, but for `none`, which moves nothing.
  static let catalogue: [Animation: Motion] = [
    .bounce: Motion(
      property: .scale,
      keyframes: [.init(0, 1.5), .init(1, 1)],
      duration: 0.2,
      pace: .bezier(0.4, 1.3, 1, 1),
      plays: 1
    ),
    .shrink: Motion(
      property: .scale,
      keyframes: [.init(0, 1), .init(1, 0)],
      duration: 0.2,
      pace: .bezier(0.42, 0, 0.58, 1),
      plays: 1
    ),
    .spring: Motion(
      property: .scale,
      keyframes: [.init(0, 0.1), .init(1, 1)],
      duration: 0.5,
      pace: .spring(damping: 0.5, velocity: 0.5),
      plays: 1
    ),
    .shake: Motion(
      property: .rotation,
      keyframes: [.init(0, -5), .init(0.5, 5), .init(1, -5)],
      duration: 0.25,
      pace: .linear,
      plays: 0
    ),
    .pop: Motion(
      property: .scale,
      keyframes: [
        .init(0, 1), .init(0.143, 0.85), .init(0.714, 1.05), .init(0.857, 0.95), .init(1, 1),
      ],
      duration: 0.35,
      pace: .linear,
      plays: 1
    ),
    .bump: Motion(
      property: .translateY,
      keyframes: [
        .init(0, 0), .init(0.283, -8), .init(0.565, 0), .init(0.783, -4), .init(1, 0),
      ],
      duration: 0.46,
      pace: .linear,
      plays: 1
    ),
    .blink: Motion(
      property: .opacity,
      keyframes: [.init(0, 0.1), .init(1.0 / 3, 1), .init(2.0 / 3, 0.1), .init(1, 1)],
      duration: 0.3,
      pace: .linear,
      plays: 1
    ),
    .breathe: Motion(
      property: .opacity,
      keyframes: [.init(0, 1), .init(0.5, 0.1), .init(1, 1)],
      duration: 2.8,
      pace: .linear,
      plays: 0
    ),
  ]
}
