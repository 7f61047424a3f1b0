// SPDX-License-Identifier: MIT
internal import DBus
internal import EventLoop

/// Owns `com.canonical.Unity` on a connection as `UnityNamePolicy` says.
final class UnityName {
  private let connection: BusConnection
  private let loop: EventLoop
  private var policy: UnityNamePolicy
  private var timer: Timer?
  private let isOwn: (String) -> Bool
  private let resend: () -> Void
  private let log: (String) -> Void

  /// The name on `connection`; `isOwn` tells our own connections, `resend` tells docks everything.
  init(
    on connection: BusConnection,
    loop: EventLoop,
    isOwning: Bool,
    isOwn: @escaping (String) -> Bool,
    resend: @escaping () -> Void,
    log: @escaping (String) -> Void
  ) {
    self.connection = connection
    self.loop = loop
    self.isOwn = isOwn
    self.resend = resend
    self.log = log
    policy = UnityNamePolicy(isOwning: isOwning)
  }

  /// Tells the policy of an event, and does what it says.
  func handle(_ event: UnityNamePolicy.Event) {
    let effects = policy.handle(event, now: .now())
    setTimer()
    for effect in effects { perform(effect) }
  }

  private func setTimer() {
    let next = policy.nextWake
    guard timer?.deadline != next || timer?.isScheduled != true else { return }
    timer?.cancel()
    timer = next.map { loop.schedule(at: $0) { [weak self] in self?.handle(.wake) } }
  }

  private func perform(_ effect: UnityNamePolicy.Effect) {
    switch effect {
    case .request(let replacing): request(replacing: replacing)
    case .listQueue: listQueue()
    case .giveWay:
      callBus(MemberName(constant: "ReleaseName")) { $0.append(LauncherNames.unity.rawValue) }
      request(replacing: false)
    case .resend: resend()
    }
  }

  private func request(replacing: Bool) {
    callBus(MemberName(constant: "RequestName")) { body in
      body.append(LauncherNames.unity.rawValue)
      let flags: RequestNameFlags = replacing ? [.replaceExisting] : []
      body.append(flags.union(.allowReplacement).rawValue)
    } failed: { [weak self] error in
      self?.log("can't own com.canonical.Unity: '\(error.message)'")
      self?.handle(.refused)
    }
  }

  private func listQueue() {
    callBus(MemberName(constant: "ListQueuedOwners")) { body in
      body.append(LauncherNames.unity.rawValue)
    } succeeded: { [weak self] reply in
      guard let self else { return }
      var names: [String] = []
      var reader = reply.makeReader()
      try? reader.readArray { name throws(BusError) in names.append(try name.readString()) }
      handle(.queue(names.filter { !isOwn($0) }))
    }
  }

  private func callBus(
    _ member: MemberName,
    _ body: (inout MessageWriter) throws(BusError) -> Void,
    succeeded: @escaping (Message) -> Void = { _ in },
    failed: @escaping (BusError) -> Void = { _ in }
  ) {
    do throws(BusError) {
      try connection.call(.bus(member), body) { result in
        switch result {
        case .success(let reply): succeeded(reply)
        case .failure(let error): failed(error)
        }
      }
    } catch {
      failed(error)
    }
  }
}
