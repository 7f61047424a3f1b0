// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

extension EventLoop {
  /// Blocks `signals` in the calling thread and in threads it starts, so that a signalfd gets them.
  ///
  /// The corresponding C function is `pthread_sigmask`.
  public static func blockSignals(_ signals: [CInt]) throws(SystemError) {
    var set = signalSet(signals)
    let status = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard status == 0 else { throw SystemError(operation: "pthread_sigmask", number: status) }
  }

  /// Blocks `signals` and calls `handler` from the loop for each that arrives.
  ///
  /// Call this before starting other threads. A child inherits the mask: spawn with an empty one. The
  /// corresponding C function is `signalfd`.
  @discardableResult
  public func handleSignals(
    _ signals: [CInt],
    _ handler: @escaping (CInt) -> Void
  ) throws(SystemError) -> Watch {
    try Self.blockSignals(signals)
    var set = Self.signalSet(signals)
    let raw = try systemCall("signalfd") {
      unsafe signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
    }
    let source = SignalSource(descriptor: OwnedDescriptor(adopting: raw))
    return try watch(raw, for: .readable) { _ in
      while let signal = source.next() { handler(signal) }
    }
  }

  private static func signalSet(_ signals: [CInt]) -> sigset_t {
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for signal in signals { _ = unsafe sigaddset(&set, signal) }
    return set
  }
}

/// Owns a signalfd; it lives as long as the watch on it.
private final class SignalSource {
  private let descriptor: OwnedDescriptor

  init(descriptor: consuming OwnedDescriptor) {
    self.descriptor = descriptor
  }

  func next() -> CInt? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor.rawValue, &info, size) == size else { return nil }
    return CInt(bitPattern: info.ssi_signo)
  }
}
