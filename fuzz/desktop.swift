// SPDX-License-Identifier: MIT
// What is read of folders and desktop files: their text, the names in it, and inotify's events.
@testable import LauncherEntry

enum DesktopTarget: FuzzTarget {
  static func run(_ input: inout FuzzInput) {
    var events = ArraySlice(input.piece())
    while let event = InotifyEvent(takingFrom: &events) { _ = event.has(event.mask) }
    var index = DesktopEntryIndex()
    for _ in 0..<input.byte() % 16 { index.insert(input.text()) }
    let text = input.remainder()
    let names = FlatpakFormerIDs.parse(text)
    precondition(names.count <= FlatpakFormerIDs.maximumNames)
    for name in names {
      precondition((1...255).contains(name.utf8.count))
      index.insert(formerID: name, of: "org.example.App")
      guard let uri = ApplicationURI(name), let id = index.resolve(uri) else { continue }
      precondition(index.contains(id) || id == "org.example.App")
    }
  }
}
