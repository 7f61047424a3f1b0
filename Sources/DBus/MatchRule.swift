// SPDX-License-Identifier: MIT

/// Which messages somebody wants to hear of; what is nil or empty is not asked about.
///
/// Source: D-Bus specification, "Match Rules".
public struct MatchRule: Hashable, Sendable {
  /// What the message is for.
  public var kind: MessageKind?
  /// Who sent it; a well-known name stands for its owner at that time.
  public var sender: BusName?
  /// Whom it is for.
  public var destination: BusName?
  /// Exactly this object; not together with ``pathNamespace``.
  public var path: ObjectPath?
  /// This object and all below it.
  public var pathNamespace: ObjectPath?
  /// The interface of the member.
  public var interface: InterfaceName?
  /// The method or signal.
  public var member: MemberName?
  /// Arguments, counted from 0 to 63, that are texts equal to these.
  public var arguments: ArgumentTexts
  /// Arguments, counted from 0 to 63, that are texts or paths equal to these, or of which one is the
  /// start of the other and ends with a slash.
  public var argumentPaths: ArgumentTexts
  /// The first argument is this dotted name or one below it, such as `org.badged` of
  /// `org.badged.Badges1`.
  public var argument0Namespace: String?
  /// Whether also messages for others are meant; needs the bus's permission.
  public var eavesdrops: Bool

  /// A rule that asks about what is given.
  public init(
    kind: MessageKind? = nil,
    sender: BusName? = nil,
    destination: BusName? = nil,
    path: ObjectPath? = nil,
    pathNamespace: ObjectPath? = nil,
    interface: InterfaceName? = nil,
    member: MemberName? = nil,
    arguments: ArgumentTexts = [:],
    argumentPaths: ArgumentTexts = [:],
    argument0Namespace: String? = nil,
    eavesdrops: Bool = false
  ) {
    self.kind = kind
    self.sender = sender
    self.destination = destination
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.argumentPaths = argumentPaths
    self.argument0Namespace = argument0Namespace
    self.eavesdrops = eavesdrops
  }

  /// A rule for signals.
  public static func signal(
    _ member: MemberName? = nil,
    of interface: InterfaceName? = nil,
    from path: ObjectPath? = nil,
    sender: BusName? = nil
  ) -> MatchRule {
    MatchRule(kind: .signal, sender: sender, path: path, interface: interface, member: member)
  }
}
