// SPDX-License-Identifier: MIT
import Clutter from 'gi://Clutter';
import GObject from 'gi://GObject';
import St from 'gi://St';

import {Extension} from 'resource:///org/gnome/shell/extensions/extension.js';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';
import * as PanelMenu from 'resource:///org/gnome/shell/ui/panelMenu.js';

import {Badges} from './badges.js';
import {Pill} from './pill.js';

/** The visible badges, side by side. A click acknowledges a badge, a right click dismisses it. */
const Indicator = GObject.registerClass(
class Indicator extends PanelMenu.Button {
    _init() {
        super._init(0.0, 'Badges', true);
        this._box = new St.BoxLayout({style_class: 'badged-box'});
        this.add_child(this._box);
        this._pills = new Map();
        this._badges = new Badges((id, hint) => this._update(id, hint));
        this.connect('destroy', () => this._badges.destroy());
        this.visible = false;
    }

    _update(id, hint) {
        const ids = id === null ? new Set([...this._badges.byId.keys(), ...this._pills.keys()]) : [id];
        for (const each of ids)
            this._updateOne(each, hint);
        this.visible = this._pills.size > 0;
    }

    _updateOne(id, hint) {
        const badge = this._badges.byId.get(id);
        const plays = hint !== null && hint.name !== 'none';
        if (badge?.visible) {
            const pill = this._pills.get(id) ?? this._addPill(id);
            pill.show_badge(badge);
            if (plays)
                pill.play(hint);
            else if (hint === null)
                this._joinLate(pill, badge);
            else if (hint.event === 'calm' || pill.isLeaving)
                pill.stop();
            return;
        }
        const pill = this._pills.get(id);
        if (plays && hint.event === 'disappear')
            pill?.play(hint, () => this._removePill(id));
        else
            this._removePill(id);
    }

    /** Shakes a badge found urgent, and ends an endless animation on any other. */
    _joinLate(pill, badge) {
        const shake = badge.urgent && badge.animate ? this._badges.shake : null;
        if (!shake && pill.isEndless)
            pill.stop();
        else if (shake && !pill.isEndless)
            pill.play(shake);
    }

    _addPill(id) {
        const pill = new Pill();
        pill.connect('button-press-event', (_actor, event) => {
            if (event.get_button() === Clutter.BUTTON_PRIMARY)
                this._badges.acknowledge(id);
            else if (this._badges.byId.get(id)?.dismissable)
                this._badges.dismiss(id);
            return Clutter.EVENT_STOP;
        });
        this._box.add_child(pill);
        this._pills.set(id, pill);
        return pill;
    }

    _removePill(id) {
        this._pills.get(id)?.destroy();
        this._pills.delete(id);
        this.visible = this._pills.size > 0;
    }
});

export default class BadgesExtension extends Extension {
    enable() {
        this._indicator = new Indicator();
        Main.panel.addToStatusArea(this.uuid, this._indicator);
    }

    disable() {
        this._indicator?.destroy();
        this._indicator = null;
    }
}
