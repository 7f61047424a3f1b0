// SPDX-License-Identifier: MIT
import LauncherEntry
import Testing

@Suite("What an app has said")
struct LauncherUpdateTests {
  @Test(
    "shows what follows from it",
    arguments: [
      // said: count, count-visible, progress, progress-visible, urgent → shown
      (5, nil, nil, nil, nil, 5, true, nil, false),
      (5, false, nil, nil, nil, 5, false, nil, false),
      (nil, false, nil, nil, nil, 0, false, nil, false),
      (nil, true, nil, nil, nil, 0, true, nil, false),
      (-3, true, nil, nil, true, -3, true, nil, true),
      (1, true, 0.5, nil, nil, 1, true, 0.5, false),
      (1, true, 0.5, true, nil, 1, true, 0.5, false),
      (1, true, 0.5, false, false, 1, true, nil, false),
      (1, true, nil, true, false, 1, true, nil, false),
    ] as [(Int64?, Bool?, Double?, Bool?, Bool?, Int64, Bool, Double?, Bool)]
  )
  func announcement(
    row: (Int64?, Bool?, Double?, Bool?, Bool?, Int64, Bool, Double?, Bool)
  ) {
    var said = LauncherUpdate()
    (said.count, said.isCountVisible, said.progress) = (row.0, row.1, row.2)
    (said.isProgressVisible, said.isUrgent) = (row.3, row.4)
    let shown = LauncherAnnouncement(said)
    #expect(shown.count == row.5)
    #expect(shown.isCountVisible == row.6)
    #expect(shown.progress == row.7)
    #expect(shown.isUrgent == row.8)
  }

  @Test("is merged key by key")
  func merge() {
    var said = LauncherUpdate()
    said.count = 3
    said.isUrgent = true
    var later = LauncherUpdate()
    later.isCountVisible = false
    later.isUrgent = false
    said.merge(later)
    #expect(said.count == 3)
    #expect(said.isCountVisible == false)
    #expect(said.isUrgent == false)
    #expect(said.progress == nil)
  }

  @Test(
    "has a progress from 0 to 1, and none where that is no number",
    arguments: [
      (0.25, 0.25), (0, 0), (1, 1), (-4, 0), (7, 1), (.nan, nil), (.infinity, nil),
      (-.infinity, nil),
    ] as [(Double, Double?)]
  )
  func progress(value: Double, taken: Double?) {
    var said = LauncherUpdate()
    said.setProgress(value)
    #expect(said.progress == taken)
  }
}
