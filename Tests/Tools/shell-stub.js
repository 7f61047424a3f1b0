// SPDX-License-Identifier: MIT
// The parts of GNOME Shell that the extension in examples needs: actors with properties and children, a
// top bar, and timelines that run in real time. Counts the objects in use.
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';

/** The objects in use; all zero once the extension is disabled. */
export const held = {actors: 0, timelines: 0};

const SIGNALS = {'destroy': {}, 'button-press-event': {param_types: [GObject.TYPE_JSOBJECT]}};

const Actor = GObject.registerClass({Signals: SIGNALS}, class Actor extends GObject.Object {
    _init(properties = {}) {
        super._init();
        Object.assign(this, {children: [], visible: true, opacity: 255, scale: 1}, properties);
        Object.assign(this, {rotation_angle_z: 0, translation_y: 0});
        held.actors++;
    }

    set_pivot_point() {}

    set_scale(x) {
        this.scale = x;
    }

    add_child(child) {
        this.children.push(child);
        child.parent = this;
    }

    destroy() {
        this.emit('destroy');
        for (const child of [...this.children])
            child.destroy();
        if (this.parent)
            this.parent.children = this.parent.children.filter(child => child !== this);
        held.actors--;
    }
});

const Timeline = GObject.registerClass({
    Signals: {'new-frame': {}, 'completed': {}},
}, class Timeline extends GObject.Object {
    _init({actor, duration, repeat_count}) {
        super._init();
        Object.assign(this, {actor, duration, repeat_count, source: 0});
    }

    get_progress() {
        const plays = (GLib.get_monotonic_time() - this.begin) / 1000 / this.duration;
        return this.repeat_count >= 0 && plays > this.repeat_count ? Math.min(plays - this.repeat_count, 1)
            : plays % 1;
    }

    start() {
        held.timelines++;
        this.begin = GLib.get_monotonic_time();
        this.source = GLib.timeout_add(GLib.PRIORITY_DEFAULT, 8, () => {
            this.emit('new-frame');
            const plays = (GLib.get_monotonic_time() - this.begin) / 1000 / this.duration;
            if (this.repeat_count < 0 || plays < this.repeat_count + 1)
                return GLib.SOURCE_CONTINUE;
            this.release();
            this.emit('completed');
            return GLib.SOURCE_REMOVE;
        });
    }

    stop() {
        if (this.source)
            GLib.source_remove(this.source);
        this.release();
    }

    release() {
        held.timelines -= this.source ? 1 : 0;
        this.source = 0;
    }
});

const Button = GObject.registerClass(class Button extends Actor {
    _init(_alignment, name, hasNoMenu) {
        super._init({name, hasNoMenu});
    }
});

export const Clutter = {
    Timeline,
    ActorAlign: {CENTER: 'center'},
    BUTTON_PRIMARY: 1,
    EVENT_STOP: true,
};
export const St = {BoxLayout: Actor, Label: GObject.registerClass(class Label extends Actor {})};
export const PanelMenu = {Button};
export const Main = {
    panel: {
        statusArea: {},
        addToStatusArea(role, indicator) {
            this.statusArea[role] = indicator;
            indicator.connect('destroy', () => delete this.statusArea[role]);
        },
    },
};
export class Extension {
    constructor(metadata) {
        this.uuid = metadata.uuid;
    }
}
