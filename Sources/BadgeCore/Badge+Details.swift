// SPDX-License-Identifier: MIT

extension Badge {
  /// The named sources, ordered by name; none counts 0.
  public var namedSources: [NamedCount] {
    isPlain ? [] : detail { $0.sources }
  }

  /// The number above which the label reads `<max>+`; 0 for no cap.
  public internal(set) var maximum: Int64 {
    get { isPlain ? BadgeDetails.plain.maximum : detail { $0.maximum } }
    set { changeDetails { $0.maximum = newValue } }
  }

  /// How far something is, 0 to 1; `nil` for none.
  public internal(set) var progress: Double? {
    get {
      let value = isPlain ? -1 : detail { $0.progress }
      return value < 0 ? nil : value
    }
    set {
      guard newValue != progress else { return }
      changeDetails { $0.progress = newValue ?? -1 }
    }
  }

  /// What tooltips and screen readers say.
  public internal(set) var caption: String {
    get { detail { $0.caption.text } }
    set { changeDetails { $0.caption = ExactString(newValue) } }
  }

  /// The name of an icon.
  public internal(set) var icon: String {
    get { detail { $0.icon.text } }
    set { changeDetails { $0.icon = ExactString(newValue) } }
  }

  /// When it is removed, in nanoseconds of `CLOCK_BOOTTIME`; `nil` when it stays.
  public internal(set) var deadline: Int64? {
    get { isPlain ? nil : detail { $0.deadline } }
    set {
      guard newValue != deadline else { return }
      changeDetails { $0.deadline = newValue }
    }
  }

  /// The process it lives with.
  public internal(set) var owner: OwnerProcess? {
    get { isPlain ? nil : detail { $0.owner } }
    set {
      guard newValue != owner else { return }
      changeDetails { $0.owner = newValue }
    }
  }

  /// How it is drawn and moved.
  public internal(set) var style: Style {
    get { detail { $0.style } }
    set { changeDetails { $0.style = newValue } }
  }

  /// The seconds left until it is removed.
  ///
  /// - Parameter now: Nanoseconds of `CLOCK_BOOTTIME`.
  /// - Returns: Seconds; 0 when it stays, and only then.
  public func secondsLeft(now: Int64) -> Double {
    guard let deadline else { return 0 }
    return max(Double(deadline) - Double(now), 1) / 1e9
  }
}
