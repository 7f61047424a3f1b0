// SPDX-License-Identifier: MIT
public import BadgeCore
public import DBus
public import EventLoop

/// Connects apps that announce badges (`com.canonical.Unity.LauncherEntry`), the service that stores
/// badges, and docks that draw them.
///
/// It receives announcements from apps, and publishes to docks the badges that are not the apps' own.
public final class LauncherBridge {
  /// What the bridge needs from the service that stores the badges.
  public struct Host {
    /// Receives an app's id, its announcement (nil once it has none), and whether the app sent an
    /// update, rather than one of its senders replacing another.
    public var announce: (String, AppAnnouncement?, _ renewed: Bool) -> Void
    /// The ids of apps whose badges were removed and that have not announced anything since.
    public var removed: () -> [String]
    /// Calls back with each badge that is not an app's own, and what docks should show for it.
    public var forEachNative: ((String, DockState) -> Void) -> Void
    /// Receives a line for the log.
    public var log: (String) -> Void

    /// A host with these callbacks.
    public init(
      announce: @escaping (String, AppAnnouncement?, _ renewed: Bool) -> Void,
      removed: @escaping () -> [String],
      forEachNative: @escaping ((String, DockState) -> Void) -> Void,
      log: @escaping (String) -> Void
    ) {
      self.announce = announce
      self.removed = removed
      self.forEachNative = forEachNative
      self.log = log
    }
  }

  /// How many connections for docks there are at most, one for each app.
  public static let maximumConnections = LauncherLimits.dockConnections

  private let connection: Connection
  private let loop: EventLoop
  private let applications: InstalledApplications
  private let host: Host
  private let listener: Listener
  private let docks: Docks
  private let unityName: UnityName
  private var subscriptions: [Subscription] = []
  private var disconnected: [Senders.Key] = []
  private var pendingReview: Timer?

  /// A bridge on `connection`, which is to the bus at `address`.
  ///
  /// - Parameters:
  ///   - connection: The connection that receives announcements.
  ///   - address: The bus's address, for the connections to docks.
  ///   - loop: The event loop.
  ///   - directories: Where desktop files are installed, see `DesktopEntryDirectories`.
  ///   - ownsUnityName: Whether `com.canonical.Unity` may be owned.
  ///   - host: The service that stores the badges.
  public init(
    on connection: Connection,
    address: String,
    loop: EventLoop,
    directories: [String],
    ownsUnityName: Bool,
    host: Host
  ) {
    self.connection = connection
    self.loop = loop
    self.host = host
    let applications = InstalledApplications(on: loop, directories: directories)
    let docks = Docks(address: address, loop: loop, log: host.log)
    self.applications = applications
    self.docks = docks
    listener = Listener(
      loop: loop,
      applications: applications,
      announce: { id, announcement, renewed in
        host.announce(id, announcement, renewed)
        // Docks show the last update they received, and a native badge takes precedence.
        if renewed { docks.repeatState(of: id) }
      },
      removed: host.removed,
      log: host.log
    )
    unityName = UnityName(
      on: connection,
      loop: loop,
      isOwning: ownsUnityName,
      isOwn: { docks.isOwn($0) },
      resend: { docks.repeatAll() },
      log: host.log
    )
    docks.willSend = { [unowned unityName] in unityName.handle(.dockUpdate) }
    docks.onCapacity = { [weak self] in self?.reviewSoon() }
    applications.onChange = { [weak self] in self?.review() }
  }

  /// Subscribes to announcements, and restores the stored ones whose senders are still connected.
  ///
  /// Blocks for a reply from the bus only if there is something to restore.
  ///
  /// - Throws: Why the bus refuses.
  public func listen(
    restoring records: [Senders.Key: Senders.Record] = [:]
  ) throws(BusError) {
    subscriptions = [
      try connection.subscribe(LauncherNames.ownerChanges) { [weak self] in
        self?.ownerChanged($0)
      },
      try connection.subscribe(LauncherNames.updates) { [weak self] in self?.receive($0) },
    ]
    guard !records.isEmpty else { return }
    // NameOwnerChanged is already subscribed to, so that no sender can disconnect unnoticed.
    let connected = Set(try connection.names().map(\.rawValue))
    listener.restore(records.filter { connected.contains($0.key.sender) })
    disconnected = records.keys.filter { !connected.contains($0.sender) }
  }

  /// Requests `com.canonical.Unity`, if wanted, and publishes the badges to docks.
  public func speak() {
    unityName.handle(.started(connection.uniqueName?.rawValue ?? ""))
    reviewSoon()
  }

  /// Publishes what docks should show for a badge that is not an app's own; nil when there is none.
  public func show(_ state: DockState?, for id: String) {
    guard applications.isLoaded else {
      if state != nil { reviewSoon() }
      return
    }
    if let state, applications.index.contains(id) {
      docks.show(state, for: id)
    } else {
      docks.remove(id)
    }
  }

  /// The senders' records that changed since the last call; nil for one to be deleted.
  public func takeChanges() -> [Senders.Key: Senders.Record?] {
    var changes = listener.takeChanges()
    for key in disconnected where changes[key] == nil { changes[key] = .some(nil) }
    disconnected = []
    return changes
  }

  private func receive(_ message: Message) {
    guard let sender = message.sender, sender != connection.uniqueName,
      !docks.isOwn(sender.rawValue)
    else { return }
    listener.receive(message)
  }

  private func ownerChanged(_ message: Message) {
    guard let change = NameOwnerChange(message) else { return }
    let name = change.name.rawValue
    if change.name == LauncherNames.unity {
      unityName.handle(.ownerChanged(change.newOwner?.rawValue))
    } else if change.name.isUnique {
      if change.newOwner == nil {
        docks.forget(name)
        listener.senderVanished(name)
      } else if change.oldOwner == nil, !docks.isOwn(name) {
        unityName.handle(.connectionAppeared)
      }
    } else if change.newOwner != nil, LauncherNames.docksThatDoNotQueue.contains(name) {
      unityName.handle(.dockAppeared)
    }
  }

  private func reviewSoon() {
    guard pendingReview == nil else { return }
    pendingReview = loop.schedule(after: .zero) { [weak self] in self?.review() }
  }

  /// Resolves ids and publishes badges again, for the desktop files now installed.
  private func review() {
    pendingReview?.cancel()
    pendingReview = nil
    listener.applicationsChanged()
    var shown: Set<String> = []
    host.forEachNative { id, state in
      guard applications.index.contains(id) else { return }
      shown.insert(id)
      docks.show(state, for: id)
    }
    for id in docks.ids where !shown.contains(id) { docks.remove(id) }
  }
}
