# SPDX-License-Identifier: MIT
"""Plays an animation hint of org.badged.Badges1 from its keyframes, whatever its name."""
import math


def _bezier(x1, y1, x2, y2):
    """A CSS cubic-bezier as a function of progress (by bisection)."""
    def at(t, a, b):
        return 3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3

    def ease(x):
        if x <= 0 or x >= 1:
            return min(max(x, 0.0), 1.0)
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            if at(middle, x1, x2) < x:
                low = middle
            else:
                high = middle
        return at((low + high) / 2, y1, y2)

    return ease


def _spring(damping, velocity):
    """A damped spring from 0 to 1, settled to within a thousandth at the end of the play."""
    damping = min(max(damping, 0.01), 0.999)
    omega = math.log(1000) / damping
    damped = omega * math.sqrt(1 - damping * damping)

    def ease(x):
        if x >= 1:
            return 1.0
        swing = math.cos(damped * x) + (damping * omega - velocity) / damped * math.sin(damped * x)
        return 1 - math.exp(-damping * omega * x) * swing

    return ease


class Motion:
    """A hint that has been playing since `start`, in seconds of a monotonic clock."""

    def __init__(self, hint, start):
        self.property = hint.get("property", "")
        self.keyframes = [(float(o), float(v)) for o, v in hint.get("keyframes", [])]
        self.duration = float(hint.get("duration", 0))
        self.repeat = int(hint.get("repeat", 1))
        self.start = start
        self.event = hint.get("event", "none")
        self.ease = lambda x: x
        if "spring" in hint:
            self.ease = _spring(*hint["spring"])
        elif "timing" in hint:
            self.ease = _bezier(*hint["timing"])

    def finished(self, now):
        if not self.keyframes or self.duration <= 0:
            return True
        return self.repeat != 0 and now - self.start >= self.duration * self.repeat

    def value(self, now):
        """The value of `property` at the time `now`."""
        progress = max(0.0, now - self.start) / self.duration
        if self.repeat and progress >= self.repeat:
            return self.keyframes[-1][1]
        return self._interpolated(self.ease(progress % 1.0))

    def _interpolated(self, progress):
        # Springs and beziers may overshoot: extrapolate the outermost segments.
        frames = self.keyframes
        if len(frames) == 1:
            return frames[0][1]
        index = 0
        while index < len(frames) - 2 and progress > frames[index + 1][0]:
            index += 1
        (o1, v1), (o2, v2) = frames[index], frames[index + 1]
        return v1 + (v2 - v1) * (progress - o1) / (o2 - o1) if o2 > o1 else v2
