// SPDX-License-Identifier: MIT
internal import DBus

/// Whether the desktop asks for reduced motion, by its settings portal
/// (`org.freedesktop.portal.Settings`).
///
/// Two settings say so: `enable-animations` of `org.gnome.desktop.interface`, and `reduced-motion`
/// of `org.freedesktop.appearance` where it exists. The portal is never activated for this: it is
/// asked when it is running, and each time it comes back.
final class MotionPreference {
  private let connection: Connection
  private let changed: () -> Void
  private var subscriptions: [Subscription] = []
  private var owner: BusName?
  /// The calls that the present owner has not answered yet.
  private var reads: [PendingCall] = []
  /// The settings of the present owner that ask for reduced motion.
  private var reducing: Set<Setting> = [] {
    didSet { if reducing.isEmpty != oldValue.isEmpty { changed() } }
  }

  /// Follows the portal on `connection` and calls `changed` when ``isReduced`` has changed.
  init(connection: Connection, changed: @escaping () -> Void) {
    self.connection = connection
    self.changed = changed
  }

  /// Whether some setting asks for reduced motion.
  var isReduced: Bool { !reducing.isEmpty }

  func start() throws(BusError) {
    try followOwner()
    let changes = MatchRule.signal(
      .settingChanged,
      of: .settings,
      from: .portal,
      sender: .portal
    )
    subscriptions.append(
      try connection.subscribe(changes) { [weak self] in self?.settingChanged($0) }
    )
  }

  /// Follows who owns the portal's name.
  private func followOwner() throws(BusError) {
    var changes = MatchRule.signal(.nameOwnerChanged, of: .bus, sender: .bus)
    changes.arguments = [0: BusName.portal.rawValue]
    subscriptions.append(
      try connection.subscribe(changes) { [weak self] message in
        var reader = message.makeReader()
        guard message.sender == .bus, (try? reader.readString()) == BusName.portal.rawValue,
          (try? reader.readString()) != nil, let owner = try? reader.readString()
        else { return }
        self?.ownerChanged(BusName(owner))
      }
    )
    try connection.call(.bus(.getNameOwner)) {
      $0.append(BusName.portal.rawValue)
    } completion: { [weak self] result in
      guard case .success(let reply) = result else { return }
      var reader = reply.makeReader()
      self?.ownerChanged((try? reader.readString()).flatMap { BusName($0) })
    }
  }

  private func ownerChanged(_ owner: BusName?) {
    guard owner != self.owner else { return }
    self.owner = owner
    // A portal that restarts again and again must not leave pending calls behind.
    for read in reads { read.cancel() }
    reads = []
    reducing = []
    guard owner != nil else { return }
    for setting in Setting.all { read(setting, by: .readOne) }
  }

  private func read(_ setting: Setting, by method: MemberName) {
    guard let owner else { return }
    let call = MethodCall(
      destination: owner,
      path: .portal,
      interface: .settings,
      member: method,
      autoStart: false
    )
    // A portal that exits without an answer is noticed by its name.
    let pending = try? connection.call(
      call,
      {
        $0.append(setting.group)
        $0.append(setting.key)
      },
      completion: { [weak self] result in
        guard let self, owner == self.owner else { return }
        switch result {
        case .success(let reply):
          if let value = try? reply.values().first { update(setting, value) }
        case .failure(let error):
          // Portals before version 2 have only Read, which wraps the value in one more variant.
          if error.name == .unknownMethod && method == .readOne { read(setting, by: .read) }
        }
      }
    )
    if let pending { reads.append(pending) }
  }

  private func settingChanged(_ message: Message) {
    // Anybody may send this signal; only the portal's counts.
    guard let owner, message.sender == owner, let values = try? message.values(), values.count == 3,
      case .string(let group) = values[0], case .string(let key) = values[1],
      let setting = Setting.all.first(where: { $0.group == group && $0.key == key })
    else { return }
    update(setting, values[2])
  }

  private func update(_ setting: Setting, _ value: Value) {
    var value = value
    while case .variant(let inner) = value { value = inner }
    // A value of another type says nothing.
    guard value.typeCode == setting.reducingValue.typeCode else { return }
    if value == setting.reducingValue {
      reducing.insert(setting)
    } else {
      reducing.remove(setting)
    }
  }

  private struct Setting: Hashable {
    let group: String
    let key: String
    /// The value that asks for reduced motion.
    let reducingValue: Value

    static let all = [
      Setting(
        group: "org.gnome.desktop.interface",
        key: "enable-animations",
        reducingValue: .boolean(false)
      ),
      Setting(
        group: "org.freedesktop.appearance",
        key: "reduced-motion",
        reducingValue: .uint32(1)
      ),
    ]
  }
}

extension BusName {
  fileprivate static var portal: BusName { BusName(constant: "org.freedesktop.portal.Desktop") }
}

extension ObjectPath {
  fileprivate static var portal: ObjectPath { ObjectPath(constant: "/org/freedesktop/portal/desktop") }
}

extension InterfaceName {
  fileprivate static var bus: InterfaceName { InterfaceName(constant: "org.freedesktop.DBus") }
  fileprivate static var settings: InterfaceName { InterfaceName(constant: "org.freedesktop.portal.Settings") }
}

extension MemberName {
  fileprivate static var settingChanged: MemberName { MemberName(constant: "SettingChanged") }
  fileprivate static var readOne: MemberName { MemberName(constant: "ReadOne") }
  fileprivate static var read: MemberName { MemberName(constant: "Read") }
  fileprivate static var nameOwnerChanged: MemberName { MemberName(constant: "NameOwnerChanged") }
  fileprivate static var getNameOwner: MemberName { MemberName(constant: "GetNameOwner") }
}
