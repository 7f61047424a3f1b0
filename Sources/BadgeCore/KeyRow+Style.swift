// SPDX-License-Identifier: MIT

extension KeyRow {
  /// The keys that tell how a badge is drawn and moved, and the one that resets them all.
  static let style: [KeyRow] = [
    .style(
      .animate,
      "animate",
      { $0.animates },
      { $0.animates = $1 },
      .boolean,
      "Whether the badge's hints name an animation at all."
    ),
    .style(
      .animationAppear,
      "animation-appear",
      { $0.appear },
      { $0.appear = $1 },
      .name,
      "What is played when the badge becomes visible, by its name in the catalogue."
    ),
    .style(
      .animationChange,
      "animation-change",
      { $0.change },
      { $0.change = $1 },
      .name,
      "What is played when the label changes, by its name in the catalogue."
    ),
    .style(
      .animationDisappear,
      "animation-disappear",
      { $0.disappear },
      { $0.disappear = $1 },
      .name,
      "What is played when the badge becomes hidden or is removed, by its name in the catalogue."
    ),
    .style(
      .background,
      "background",
      { $0.background },
      { $0.background = $1 },
      .color,
      "The colour of the box: #RGB, #RRGGBB or #RRGGBBAA; reads as #RRGGBB[AA], upper case."
    ),
    .style(
      .foreground,
      "foreground",
      { $0.foreground },
      { $0.foreground = $1 },
      .color,
      "The colour of the label: #RGB, #RRGGBB or #RRGGBBAA; reads as #RRGGBB[AA], upper case."
    ),
    .style(
      .font,
      "font",
      { $0.font },
      { $0.font = $1 },
      .text(upTo: Limits.nameBytes),
      "The family of the font; empty for the panel's own."
    ),
    .style(
      .fontSize,
      "font-size",
      { $0.fontSize },
      { $0.fontSize = $1 },
      .size,
      "The size of the font in pixels."
    ),
    .style(
      .padding,
      "padding",
      { $0.padding },
      { $0.padding = $1 },
      .size,
      "Pixels added once to the height and once to the width of the box."
    ),
    .style(
      .minSize,
      "min-size",
      { $0.minimumSize },
      { $0.minimumSize = $1 },
      .size,
      "The smallest height, and width, of the box in pixels."
    ),
    .style(
      .fit,
      "fit",
      { $0.fit },
      { $0.fit = $1 },
      .name,
      "grow: the box grows with the text; shrink: the box stays at min-size and the text is scaled "
        + "down to fit."
    ),
    .style(
      .anchor,
      "anchor",
      { $0.anchor },
      { $0.anchor = $1 },
      .name,
      "The point that the offsets lead from: a corner or the center of what carries the badge."
    ),
    .style(
      .grow,
      "grow",
      { $0.grow },
      { $0.grow = $1 },
      .name,
      "Which side of the box the horizontal offset leads to, and stays when the label grows: tail "
        + "the left, middle the middle, head the right."
    ),
    .style(
      .offsetX,
      "offset-x",
      { $0.offsetX },
      { $0.offsetX = $1 },
      .offset,
      "Pixels from the anchor to the side of the box that stays."
    ),
    .style(
      .offsetY,
      "offset-y",
      { $0.offsetY },
      { $0.offsetY = $1 },
      .offset,
      "Pixels from the anchor to the top of the box, to its bottom for bottom anchors, to its middle "
        + "for center."
    ),
    .special(
      .preset,
      "preset",
      Codec<StylePreset>.name,
      "Resets every style and animation key to a preset, badge or counter; then the other keys of "
        + "the call apply."
    ),
  ]
}
