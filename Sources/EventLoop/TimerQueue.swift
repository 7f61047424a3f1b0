// SPDX-License-Identifier: MIT

/// Timers with the earliest first: a binary heap in which each timer knows its place, so that any of
/// thousands is added or taken out in a few steps.
struct TimerQueue {
  private var heap: [Timer] = []

  var first: Timer? { heap.first }

  mutating func insert(_ timer: Timer) {
    timer.position = heap.count
    heap.append(timer)
    moveUp(timer.position)
  }

  mutating func remove(_ timer: Timer) {
    let position = timer.position
    guard position >= 0 else { return }
    timer.position = -1
    let last = heap.removeLast()
    guard position < heap.count else { return }
    heap[position] = last
    last.position = position
    moveUp(position)
    moveDown(last.position)
  }

  private mutating func moveUp(_ start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard Timer.precedes(heap[position], heap[parent]) else { return }
      exchange(position, parent)
      position = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var position = start
    while true {
      var earliest = position
      for child in [2 * position + 1, 2 * position + 2]
      where child < heap.count && Timer.precedes(heap[child], heap[earliest]) {
        earliest = child
      }
      guard earliest != position else { return }
      exchange(position, earliest)
      position = earliest
    }
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    heap[one].position = one
    heap[other].position = other
  }
}
