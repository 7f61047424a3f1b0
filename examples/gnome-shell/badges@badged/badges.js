// SPDX-License-Identifier: MIT
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

const NAME = 'org.badged.Badges1';
const PATH = '/org/badged/Badges1';
const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** How long badges stay after the daemon has gone, in milliseconds; a restart takes less. */
const GRACE_PERIOD = 2000;

/**
 * The state of all badges: subscribes, calls List, then follows the signals. Calls List again if a
 * revision is missing or the daemon was restarted.
 *
 * `changed(id, hint)` is called for each change, with the animation to play; both are null when any
 * badge may have changed.
 */
export class Badges {
    constructor(changed) {
        this.byId = new Map();
        /** The animation for badges found urgent; null while animations are off. */
        this.shake = null;
        this._changed = changed;
        this._revision = null;
        this._graceTimer = 0;
        this._catalogue = {};
        this._cancellable = new Gio.Cancellable();
        this._bus = Gio.DBus.session;
        this._signals = [
            this._bus.signal_subscribe(NAME, NAME, null, PATH, null, Gio.DBusSignalFlags.NONE,
                (_bus, _sender, _path, _interface, member, parameters) =>
                    this._signalled(member, parameters.recursiveUnpack())),
            this._bus.signal_subscribe(NAME, PROPERTIES, 'PropertiesChanged', PATH, NAME,
                Gio.DBusSignalFlags.NONE,
                (_bus, _sender, _path, _interface, _member, parameters) => {
                    this._configured(parameters.recursiveUnpack()[1]);
                    this._changed(null, null);
                }),
        ];
        this._watch = Gio.bus_watch_name_on_connection(this._bus, NAME,
            Gio.BusNameWatcherFlags.NONE, () => this._appeared(), () => this._vanished());
    }

    destroy() {
        this._cancellable.cancel();
        Gio.bus_unwatch_name(this._watch);
        for (const signal of this._signals)
            this._bus.signal_unsubscribe(signal);
        this._cancelGraceTimer();
        this.byId.clear();
    }

    acknowledge(id) {
        this._call(NAME, 'Acknowledge', new GLib.Variant('(s)', [id]));
    }

    dismiss(id) {
        this._call(NAME, 'Dismiss', new GLib.Variant('(s)', [id]));
    }

    _call(interfaceName, method, parameters, done = () => {}) {
        this._bus.call(NAME, PATH, interfaceName, method, parameters, null,
            Gio.DBusCallFlags.NO_AUTO_START, -1, this._cancellable, (bus, result) => {
                try {
                    done(bus.call_finish(result).recursiveUnpack());
                } catch (error) {
                    if (!error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))
                        console.warn(`badges: ${method}: ${error.message}`);
                }
            });
    }

    _appeared() {
        this._cancelGraceTimer();
        this._call(PROPERTIES, 'GetAll', new GLib.Variant('(s)', [NAME]), ([properties]) => {
            this._catalogue = properties.Catalogue ?? {};
            this._configured(properties);
        });
        this._list();
    }

    _vanished() {
        this._revision = null;
        if (this.byId.size === 0 || this._graceTimer)
            return;
        this._graceTimer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, GRACE_PERIOD, () => {
            this._graceTimer = 0;
            this.byId.clear();
            this._changed(null, null);
            return GLib.SOURCE_REMOVE;
        });
    }

    _cancelGraceTimer() {
        if (this._graceTimer)
            GLib.source_remove(this._graceTimer);
        this._graceTimer = 0;
    }

    _configured(properties) {
        if ('Animating' in properties)
            this.shake = properties.Animating ? this._catalogue.shake ?? null : null;
    }

    _list() {
        // Ignore signals until the reply, which includes them.
        this._revision = null;
        this._call(NAME, 'List', null, ([revision, badges]) => {
            this._revision = revision;
            this.byId = new Map(Object.entries(badges));
            this._changed(null, null);
        });
    }

    _signalled(member, [id, what, hint, revision]) {
        if (!['Changed', 'Removed'].includes(member) || this._revision === null ||
            revision <= this._revision)
            return;
        if (revision !== this._revision + 1) {
            this._list();
            return;
        }
        this._revision = revision;
        if (member === 'Removed')
            this.byId.delete(id);
        else
            this.byId.set(id, {...this.byId.get(id), ...what});
        this._changed(id, hint);
    }
}
