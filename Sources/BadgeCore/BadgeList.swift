// SPDX-License-Identifier: MIT

/// The badges of a book, in no particular order.
public struct BadgeList: RandomAccessCollection {
  let slots: [BadgeTable.Slot]

  /// The position of the first badge.
  public var startIndex: Int { 0 }

  /// The position after the last badge.
  public var endIndex: Int { slots.count }

  /// The badge at a position.
  public subscript(position: Int) -> Badge { slots[position].badge }
}
