// SPDX-License-Identifier: MIT
public import DBus
public import EventLoop

/// Joins apps that announce badges (`com.canonical.Unity.LauncherEntry`), docks that draw them, and
/// whoever keeps badges in between.
///
/// Inward it hears apps, outward it tells docks of badges that are not the apps' own. It knows the
/// bus, and knows of badges no more than these messages say.
public final class LauncherBridge {
  /// What the keeper of badges does for the bridge.
  public struct Keeper {
    /// Takes an app's id, what it announces, nil when that is nothing any more, and whether it spoke
    /// just now rather than that another sender's place was taken.
    public var announce: (String, LauncherAnnouncement?, _ renewed: Bool) -> Void
    /// Tells the ids of the apps whose badges somebody removed, and that have not spoken since.
    public var removed: () -> [String]
    /// Tells each badge that is not an app's own, and what docks are to show for it.
    public var forEachNative: ((String, OutwardState) -> Void) -> Void
    /// Takes a line for the log.
    public var log: (String) -> Void

    /// A keeper that does these things.
    public init(
      announce: @escaping (String, LauncherAnnouncement?, _ renewed: Bool) -> Void,
      removed: @escaping () -> [String],
      forEachNative: @escaping ((String, OutwardState) -> Void) -> Void,
      log: @escaping (String) -> Void
    ) {
      self.announce = announce
      self.removed = removed
      self.forEachNative = forEachNative
      self.log = log
    }
  }

  /// How many private connections to docks there are at most, one for each app.
  public static let maximumConnections = LauncherLimits.outwardConnections

  private let connection: BusConnection
  private let loop: EventLoop
  private let applications: InstalledApplications
  private let keeper: Keeper
  private let listener: LauncherListener
  private let outward: OutwardConnections
  private let unityName: UnityName
  private var subscriptions: [Subscription] = []
  private var departed: [SenderStates.Key] = []
  private var pendingReview: Timer?

  /// A bridge on `connection`, which is to the bus at `address`.
  ///
  /// - Parameters:
  ///   - connection: the connection apps are heard on.
  ///   - address: where docks' connections are opened.
  ///   - loop: the loop all this runs on.
  ///   - directories: where desktop files are installed, see `DesktopEntryDirectories`.
  ///   - ownsUnityName: whether `com.canonical.Unity` may be owned.
  ///   - keeper: who keeps the badges.
  public init(
    on connection: BusConnection,
    address: String,
    loop: EventLoop,
    directories: [String],
    ownsUnityName: Bool,
    keeper: Keeper
  ) {
    self.connection = connection
    self.loop = loop
    self.keeper = keeper
    let applications = InstalledApplications(on: loop, directories: directories)
    let outward = OutwardConnections(address: address, loop: loop, log: keeper.log)
    self.applications = applications
    self.outward = outward
    listener = LauncherListener(
      loop: loop,
      applications: applications,
      announce: { id, announcement, renewed in
        keeper.announce(id, announcement, renewed)
        // Docks show what was said last, and a native badge wins while there is one.
        if renewed { outward.repeatState(of: id) }
      },
      removed: keeper.removed,
      log: keeper.log
    )
    unityName = UnityName(
      on: connection,
      loop: loop,
      isOwning: ownsUnityName,
      isOwn: { outward.isOwn($0) },
      resend: { outward.repeatAll() },
      log: keeper.log
    )
    outward.willSend = { [unowned unityName] in unityName.handle(.outwardUpdate) }
    outward.onRoom = { [weak self] in self?.reviewSoon() }
    applications.onChange = { [weak self] in self?.review() }
  }

  /// Begins to listen, and takes over what was stored of senders, but for those that have left.
  ///
  /// Waits for the bus only if there is something to take over. Nothing is told to anybody yet.
  ///
  /// - Throws: why the bus can't be listened to.
  public func listen(
    restoring records: [SenderStates.Key: SenderStates.Record] = [:]
  ) throws(BusError) {
    subscriptions = [
      try connection.subscribe(LauncherNames.ownerChanges) { [weak self] in
        self?.ownerChanged($0)
      },
      try connection.subscribe(LauncherNames.updates) { [weak self] in self?.hear($0) },
    ]
    guard !records.isEmpty else { return }
    // Deaths are heard of from here on, so that nobody can leave unnoticed after this list.
    let living = try namesOnBus()
    listener.restore(records.filter { living.contains($0.key.sender) })
    departed = records.keys.filter { !living.contains($0.sender) }
  }

  /// Begins to speak: asks for `com.canonical.Unity`, if that is wanted, and tells docks of the
  /// badges there are.
  public func speak() {
    unityName.handle(.started(connection.uniqueName?.rawValue ?? ""))
    reviewSoon()
  }

  /// Takes what docks are to show for a badge that is not an app's own; nil when there is none.
  public func show(_ state: OutwardState?, for id: String) {
    guard applications.isLoaded else {
      if state != nil { reviewSoon() }
      return
    }
    if let state, applications.index.contains(id) {
      outward.show(state, for: id)
    } else {
      outward.remove(id)
    }
  }

  /// What is to be stored of senders since the last time this was asked for; nil where it is to be
  /// deleted.
  public func takeChanges() -> [SenderStates.Key: SenderStates.Record?] {
    var changes = listener.takeChanges()
    for key in departed where changes[key] == nil { changes[key] = .some(nil) }
    departed = []
    return changes
  }

  private func namesOnBus() throws(BusError) -> Set<String> {
    let reply = try connection.callAndWait(.bus(MemberName(constant: "ListNames")))
    var names: Set<String> = []
    var reader = reply.makeReader()
    try reader.readArray { name throws(BusError) in names.insert(try name.readString()) }
    return names
  }

  private func hear(_ message: Message) {
    guard let sender = message.sender, sender != connection.uniqueName,
      !outward.isOwn(sender.rawValue)
    else { return }
    listener.hear(message)
  }

  private func ownerChanged(_ message: Message) {
    var reader = message.makeReader()
    guard let name = try? reader.readString(), let old = try? reader.readString(),
      let new = try? reader.readString()
    else { return }
    if name == LauncherNames.unity.rawValue {
      unityName.handle(.ownerChanged(new.isEmpty ? nil : new))
    } else if name.hasPrefix(":") {
      if new.isEmpty {
        outward.forget(name)
        listener.senderVanished(name)
      } else if old.isEmpty, !outward.isOwn(name) {
        unityName.handle(.connectionAppeared)
      }
    } else if !new.isEmpty, LauncherNames.docksThatDoNotQueue.contains(name) {
      unityName.handle(.dockAppeared)
    }
  }

  private func reviewSoon() {
    guard pendingReview == nil else { return }
    pendingReview = loop.schedule(after: .zero) { [weak self] in self?.review() }
  }

  /// Brings everything in line with the desktop files that are installed.
  private func review() {
    pendingReview?.cancel()
    pendingReview = nil
    listener.applicationsChanged()
    var shown: Set<String> = []
    keeper.forEachNative { id, state in
      guard applications.index.contains(id) else { return }
      shown.insert(id)
      outward.show(state, for: id)
    }
    for id in outward.ids where !shown.contains(id) { outward.remove(id) }
  }
}
