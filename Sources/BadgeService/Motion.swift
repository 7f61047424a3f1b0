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
  private var subscription: Subscription?
  private var portal: NameOwner?
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

  /// Starts to follow the portal and its settings.
  func start() throws(BusError) {
    portal = try NameOwner(of: Portal.name, on: connection) { [weak self] in self?.ownerChanged($0)
    }
    let changes = MatchRule.signal(
      Portal.settingChanged,
      of: Portal.settings,
      from: Portal.path,
      sender: Portal.name
    )
    subscription = try connection.subscribe(changes) { [weak self] in self?.settingChanged($0) }
  }

  private func ownerChanged(_ owner: BusName?) {
    // A portal that restarts again and again must not leave pending calls behind.
    for read in reads { read.cancel() }
    reads = []
    reducing = []
    guard owner != nil else { return }
    for setting in Setting.all { read(setting, by: Portal.readOne) }
  }

  private func read(_ setting: Setting, by method: MemberName) {
    guard let owner = portal?.current else { return }
    let call = MethodCall(
      destination: owner,
      path: Portal.path,
      interface: Portal.settings,
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
        guard let self, owner == portal?.current else { return }
        switch result {
        case .success(let reply):
          if let value = try? reply.values().first { update(setting, value) }
        case .failure(let error):
          // Portals before version 2 have only Read, which wraps the value in one more variant.
          if error.name == .unknownMethod && method == Portal.readOne {
            read(setting, by: Portal.read)
          }
        }
      }
    )
    if let pending { reads.append(pending) }
  }

  private func settingChanged(_ message: Message) {
    // Anybody may send this signal; only the portal's counts.
    guard let owner = portal?.current, message.sender == owner, let values = try? message.values(),
      values.count == 3,
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

private enum Portal {
  static let name = BusName(constant: "org.freedesktop.portal.Desktop")
  static let path = ObjectPath(constant: "/org/freedesktop/portal/desktop")
  static let settings = InterfaceName(constant: "org.freedesktop.portal.Settings")
  static let settingChanged = MemberName(constant: "SettingChanged")
  static let readOne = MemberName(constant: "ReadOne")
  static let read = MemberName(constant: "Read")
}
