// SPDX-License-Identifier: MIT

/** A CSS cubic-bezier as a function of progress. */
function bezier(x1, y1, x2, y2) {
    const at = (t, a, b) => 3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3;
    return x => {
        if (x <= 0 || x >= 1)
            return Math.min(Math.max(x, 0), 1);
        let [low, high] = [0, 1];
        for (let i = 0; i < 40; i++) {
            const middle = (low + high) / 2;
            if (at(middle, x1, x2) < x)
                low = middle;
            else
                high = middle;
        }
        return at((low + high) / 2, y1, y2);
    };
}

/** A damped spring from 0 to 1, settled to within a thousandth at the end of the play. */
function spring(ratio, velocity) {
    const damping = Math.min(Math.max(ratio, 0.01), 0.999);
    const omega = Math.log(1000) / damping;
    const damped = omega * Math.sqrt(1 - damping * damping);
    return x => {
        if (x >= 1)
            return 1;
        const swing = Math.cos(damped * x) +
            (damping * omega - velocity) / damped * Math.sin(damped * x);
        return 1 - Math.exp(-damping * omega * x) * swing;
    };
}

/** An animation hint, played from its keyframes whatever its name. */
export class Motion {
    constructor(hint) {
        this.property = hint.property ?? '';
        this.event = hint.event ?? 'none';
        this.duration = hint.duration ?? 0;
        /** The number of plays; 0 means until something ends it. */
        this.repeat = hint.repeat ?? 1;
        this._keyframes = hint.keyframes ?? [];
        this._ease = x => x;
        if (hint.spring)
            this._ease = spring(...hint.spring);
        else if (hint.timing)
            this._ease = bezier(...hint.timing);
    }

    get isEmpty() {
        return this._keyframes.length === 0 || this.duration <= 0;
    }

    /** The value of the property at a point of one play, from 0 to 1. */
    value(progress) {
        const frames = this._keyframes;
        const eased = this._ease(progress);
        if (frames.length === 1)
            return frames[0][1];
        // Springs and beziers may overshoot: extrapolate the outermost segments.
        let index = 0;
        while (index < frames.length - 2 && eased > frames[index + 1][0])
            index++;
        const [[o1, v1], [o2, v2]] = [frames[index], frames[index + 1]];
        return o2 > o1 ? v1 + (v2 - v1) * (eased - o1) / (o2 - o1) : v2;
    }
}
