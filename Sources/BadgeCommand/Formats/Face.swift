// SPDX-License-Identifier: MIT

/// What one badge looks like on a panel, in the terms bars share.
struct Face: Equatable {
  var id: String
  var kind = "number"
  /// What is drawn: the label, or a bullet for a dot; empty while hidden.
  var text = ""
  var count: Int64 = 0
  var isVisible = false
  var isUrgent = false
  var max: Int64 = 0
  var progress = -1.0
  var description = ""
  var background = ""
  var foreground = ""

  /// The exact value, whatever the label says.
  var value: String {
    kind == "number" ? String(count) : text
  }

  /// 0 to 100: the progress where there is one, else how much of `max` is reached.
  var percentage: Int64 {
    if progress >= 0 { return Int64((Swift.min(progress, 1) * 100).rounded()) }
    guard kind == "number" else { return isVisible ? 100 : 0 }
    guard count > 0 else { return 0 }
    guard max > 0, count < max else { return 100 }
    return Int64((100 * Double(count) / Double(max)).rounded())
  }

  /// One number over several badges: the visible numbers added up.
  static func total(of faces: [Face]) -> Face {
    let counts = faces.filter { $0.isVisible && $0.kind == "number" }.map(\.count)
    let limit: Int64 = (1 << 53) - 1
    let sum = counts.reduce(0) { Swift.max(-limit, Swift.min(limit, $0 + $1)) }
    return Face(
      id: "total",
      text: sum == 0 ? "" : String(sum),
      count: sum,
      isVisible: sum != 0,
      isUrgent: faces.contains(where: \.isUrgent)
    )
  }

  /// Several badges side by side, for what can show only one text.
  static func joined(_ faces: [Face]) -> Face {
    if faces.count == 1 { return faces[0] }
    let visible = faces.filter(\.isVisible)
    var face = total(of: faces)
    face.id = "badges"
    face.kind = "several"
    face.text = visible.map(\.text).joined(separator: " ")
    face.isVisible = !visible.isEmpty
    return face
  }
}
