// SPDX-License-Identifier: MIT
internal import BadgeCore
internal import CLinux
internal import EventLoop
internal import Glibc

/// Watches the processes that badges live with (`while-pid`): one pidfd for each process
/// (`pidfd_open(2)`), however many badges it has.
final class ProcessWatches {
  private let loop: EventLoop
  private var processes: [UInt32: WatchedProcess] = [:]

  /// Called with each process that has ended, when it is no longer watched.
  var onEnd: ((OwnerProcess) -> Void)?

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// How many processes are watched.
  var count: Int { processes.count }

  /// Watches the process that has the id `pid` now.
  ///
  /// - Throws: `invalidValue` for a process that is gone, `limitReached` for one too many.
  func open(_ pid: UInt32) throws(BadgeError) -> OwnerProcess {
    if let known = processes[pid] {
      guard known.hasEnded else { return known.owner }
      // The id has been reused before the event loop saw the end of its former process.
      processEnded(known.owner)
    }
    guard processes.count < BadgeLimits.watchedProcesses else {
      throw .limitReached("\(BadgeLimits.watchedProcesses) processes that badges live with")
    }
    guard let process = WatchedProcess(pid: pid) else {
      throw .invalidValue(
        key: BadgeKey.whilePID.name,
        value: .integer(Int64(pid)),
        expected: "the id of a process that runs"
      )
    }
    let owner = process.owner
    do throws(SystemError) {
      process.watch = try loop.watch(process.descriptor.rawValue, for: .readable) {
        [weak self] _ in self?.processEnded(owner)
      }
    } catch {
      throw .limitReached("a process can't be watched: \(error)")
    }
    processes[pid] = process
    return owner
  }

  /// Watches a process that a badge lived with before the restart.
  ///
  /// - Returns: Whether it is still running.
  func adopt(_ owner: OwnerProcess) -> Bool {
    (try? open(owner.processID)) == owner
  }

  /// Ends all watches but those of `owners`.
  func keepOnly(_ owners: some Collection<OwnerProcess>) {
    // All owners are watched, so equal counts mean equal sets.
    guard processes.count != owners.count else { return }
    let needed = Set(owners)
    for process in processes.values where !needed.contains(process.owner) { close(process) }
  }

  private func processEnded(_ owner: OwnerProcess) {
    guard let process = processes[owner.processID], process.owner == owner else { return }
    close(process)
    onEnd?(owner)
  }

  private func close(_ process: WatchedProcess) {
    process.watch?.cancel()
    processes[process.owner.processID] = nil
  }
}

/// A process and its pidfd.
private final class WatchedProcess {
  let owner: OwnerProcess
  let descriptor: OwnedDescriptor
  var watch: Watch?

  /// nil if no running process has the id.
  init?(pid: UInt32) {
    guard pid > 0, pid <= UInt32(Int32.max) else { return nil }
    let raw = pidfd_open(pid_t(pid), 0)
    guard raw >= 0 else { return nil }
    descriptor = OwnedDescriptor(adopting: raw)
    // Read after the pidfd was opened: if the id has been reused since, the pidfd is readable now.
    guard let owner = OwnerProcess(living: pid) else { return nil }
    self.owner = owner
    if hasEnded { return nil }
  }

  /// Whether the process has ended; its pidfd is readable then, even while it is a zombie.
  var hasEnded: Bool {
    var poll = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe Glibc.poll(&poll, 1, 0) > 0
  }
}

extension OwnerProcess {
  /// The process that has the id `pid` now, with the clock tick it started at (`proc(5)`, field 22 of
  /// `/proc/PID/stat`); nil if there is none.
  init?(living pid: UInt32) {
    guard let text = ProcFile.read("/proc/\(pid)/stat") else { return nil }
    // The name in parentheses may contain anything, so count fields from the last ')'.
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
    guard fields.count > 19, let ticks = UInt64(String(decoding: fields[19], as: UTF8.self)) else {
      return nil
    }
    self.init(processID: pid, startTime: ticks)
  }
}

/// Short files such as those in `/proc`.
enum ProcFile {
  /// The first 4,096 bytes of the file at `path`; nil if it can't be read.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    return unsafe [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      let bytes = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      count = max(bytes, 0)
    }
  }
}
