// SPDX-License-Identifier: MIT
import Clutter from 'gi://Clutter';
import GObject from 'gi://GObject';
import St from 'gi://St';

import {Motion} from './motion.js';

/** Sets each property of a hint on an actor. */
const SETTERS = {
    'scale': (actor, value) => actor.set_scale(value, value),
    'rotation': (actor, value) => { actor.rotation_angle_z = value; },
    'opacity': (actor, value) => { actor.opacity = Math.round(255 * Math.min(Math.max(value, 0), 1)); },
    'translate-y': (actor, value) => { actor.translation_y = value; },
};

/** A badge: its label in its own colours, and the current animation. */
export const Pill = GObject.registerClass(
class Pill extends St.Label {
    _init() {
        super._init({
            style_class: 'badged-pill',
            reactive: true,
            x_align: Clutter.ActorAlign.CENTER,
            y_align: Clutter.ActorAlign.CENTER,
        });
        this.set_pivot_point(0.5, 0.5);
        this._motion = null;
        this._timeline = null;
        this.connect('destroy', () => this.stop());
    }

    get isPlaying() {
        return this._timeline !== null;
    }

    get isLeaving() {
        return this._motion?.event === 'disappear';
    }

    get isEndless() {
        return this._motion?.repeat === 0;
    }

    /** Draws a badge from its style keys; a dot has an empty label. */
    show_badge(badge) {
        const size = badge['min-size'] + badge['padding'];
        const family = /^[\w -]+$/.test(badge['font']) ? `font-family: "${badge['font']}";` : '';
        this.text = badge['label'];
        this.style = `background-color: ${badge['background']}; color: ${badge['foreground']};` +
            `font-size: ${badge['font-size']}px; min-width: ${size}px; min-height: ${size}px;` +
            `padding: ${badge['padding'] / 2}px; ${family}`;
        this.accessible_name = badge['description'];
    }

    /** Plays a hint; `done` is called if it ends by itself. */
    play(hint, done = () => {}) {
        this.stop();
        const motion = new Motion(hint);
        const set = SETTERS[motion.property];
        if (!set || motion.isEmpty) {
            done();
            return;
        }
        this._motion = motion;
        this._timeline = new Clutter.Timeline({
            actor: this,
            duration: Math.max(1, Math.round(motion.duration * 1000)),
            repeat_count: motion.repeat === 0 ? -1 : motion.repeat - 1,
        });
        this._timeline.connect('new-frame', timeline =>
            set(this, motion.value(timeline.get_progress())));
        this._timeline.connect('completed', () => {
            this.stop();
            done();
        });
        set(this, motion.value(0));
        this._timeline.start();
    }

    /** Ends the animation and resets all properties. */
    stop() {
        this._timeline?.stop();
        this._timeline = null;
        this._motion = null;
        this.set_scale(1, 1);
        this.rotation_angle_z = 0;
        this.translation_y = 0;
        this.opacity = 255;
    }
});
