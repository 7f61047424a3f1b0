// SPDX-License-Identifier: MIT
internal import DBus

/// Whether the desktop asks for reduced motion, by its settings portal
/// (`org.freedesktop.portal.Settings`).
///
/// Two settings say so: `enable-animations` of `org.gnome.desktop.interface`, and `reduced-motion`
/// of `org.freedesktop.appearance` where it exists. The portal is never started for this: it is asked
/// when it is there, and again when it comes back.
final class MotionPreference {
  private let connection: BusConnection
  private let changed: () -> Void
  private var owner: BusName?
  private var subscriptions: [Subscription] = []
  /// What the present owner was asked.
  private var reads: [PendingCall] = []
  private var wishes: [Setting: Bool] = [:]

  /// Follows the portal on `connection` and calls `changed` when ``isReduced`` may differ.
  init(connection: BusConnection, changed: @escaping () -> Void) {
    self.connection = connection
    self.changed = changed
  }

  /// Whether some setting asks for less motion.
  var isReduced: Bool { wishes.values.contains(true) }

  /// Begins to follow.
  func start() throws(BusError) {
    var owners = MatchRule.signal(.nameOwnerChanged, of: .bus, sender: .bus)
    owners.arguments = [0: BusName.portal.rawValue]
    subscriptions = [
      try connection.subscribe(owners) { [weak self] in self?.ownerChanged($0) },
      try connection.subscribe(
        .signal(.settingChanged, of: .settings, from: .portal, sender: .portal)
      ) { [weak self] in self?.settingChanged($0) },
    ]
    try connection.call(.bus(.getNameOwner)) {
      $0.append(BusName.portal.rawValue)
    } completion: { [weak self] result in
      guard case .success(let reply) = result else { return }
      var reader = reply.makeReader()
      self?.found((try? reader.readString()).flatMap { BusName($0) })
    }
  }

  private func ownerChanged(_ message: Message) {
    var reader = message.makeReader()
    guard message.sender == .bus, (try? reader.readString()) == BusName.portal.rawValue,
      (try? reader.readString()) != nil, let owner = try? reader.readString()
    else { return }
    found(BusName(owner))
  }

  private func found(_ owner: BusName?) {
    guard owner != self.owner else { return }
    self.owner = owner
    // One that comes and goes and answers nothing must not leave a call behind each time.
    for read in reads { read.cancel() }
    reads = []
    set([:])
    guard owner != nil else { return }
    for setting in Setting.allCases { read(setting, by: .readOne) }
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
    // A portal that is about to go answers nothing, and its going is heard of.
    let pending = try? connection.call(
      call,
      {
        $0.append(setting.group)
        $0.append(setting.key)
      },
      completion: { [weak self] in self?.answered($0, setting, by: method, owner) }
    )
    if let pending { reads.append(pending) }
  }

  private func answered(
    _ result: Result<Message, BusError>,
    _ setting: Setting,
    by method: MemberName,
    _ from: BusName
  ) {
    guard from == owner else { return }
    switch result {
    case .success(let reply):
      guard let value = try? reply.values().first else { return }
      take(value, for: setting)
    case .failure(let error):
      // Portals before version 2 have only Read, which wraps the value once more.
      if error.name == .unknownMethod && method == .readOne { read(setting, by: .read) }
    }
  }

  private func settingChanged(_ message: Message) {
    // Anybody may send this signal; only the portal's counts.
    guard let owner, message.sender == owner, let values = try? message.values(), values.count == 3,
      case .string(let group) = values[0], case .string(let key) = values[1],
      let setting = Setting.allCases.first(where: { $0.group == group && $0.key == key })
    else { return }
    take(values[2], for: setting)
  }

  private func take(_ value: Value, for setting: Setting) {
    var value = value
    while case .variant(let inner) = value { value = inner }
    guard let asksForLess = setting.asksForLess(value) else { return }
    var wishes = wishes
    wishes[setting] = asksForLess
    set(wishes)
  }

  private func set(_ wishes: [Setting: Bool]) {
    let wasReduced = isReduced
    self.wishes = wishes
    if isReduced != wasReduced { changed() }
  }

  /// A setting that says how much motion is wanted.
  private enum Setting: CaseIterable {
    case enableAnimations
    case reducedMotion

    var group: String {
      switch self {
      case .enableAnimations: "org.gnome.desktop.interface"
      case .reducedMotion: "org.freedesktop.appearance"
      }
    }

    var key: String {
      switch self {
      case .enableAnimations: "enable-animations"
      case .reducedMotion: "reduced-motion"
      }
    }

    /// nil where the value is none of the setting's.
    func asksForLess(_ value: Value) -> Bool? {
      switch (self, value) {
      case (.enableAnimations, .boolean(let enables)): !enables
      case (.reducedMotion, .uint32(let preference)): preference == 1
      default: nil
      }
    }
  }
}

extension BusName {
  fileprivate static let portal = BusName(constant: "org.freedesktop.portal.Desktop")
}

extension ObjectPath {
  fileprivate static let portal = ObjectPath(constant: "/org/freedesktop/portal/desktop")
}

extension InterfaceName {
  fileprivate static let bus = InterfaceName(constant: "org.freedesktop.DBus")
  fileprivate static let settings = InterfaceName(constant: "org.freedesktop.portal.Settings")
}

extension MemberName {
  fileprivate static let settingChanged = MemberName(constant: "SettingChanged")
  fileprivate static let readOne = MemberName(constant: "ReadOne")
  fileprivate static let read = MemberName(constant: "Read")
  fileprivate static let nameOwnerChanged = MemberName(constant: "NameOwnerChanged")
  fileprivate static let getNameOwner = MemberName(constant: "GetNameOwner")
}
