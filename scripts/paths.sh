# SPDX-License-Identifier: MIT
# Sourced by install and uninstall: the installation paths. PREFIX and each directory can be set in the
# environment; DESTDIR is prepended when files are written.
PREFIX=${PREFIX:-/usr/local}
DESTDIR=${DESTDIR:-}
case $PREFIX in /*) ;; *) die "PREFIX must be an absolute path: '$PREFIX'" ;; esac
PREFIX=${PREFIX%/}
PROGRAMS=${PROGRAMS:-.build/release}
BINDIR=${BINDIR:-$PREFIX/bin}
DATADIR=${DATADIR:-$PREFIX/share}
MANDIR=${MANDIR:-$DATADIR/man}
DOCDIR=${DOCDIR:-$DATADIR/doc/badged}
SERVICEDIR=${SERVICEDIR:-$DATADIR/dbus-1/services}
INTERFACEDIR=${INTERFACEDIR:-$DATADIR/dbus-1/interfaces}
BASHDIR=${BASHDIR:-$DATADIR/bash-completion/completions}
ZSHDIR=${ZSHDIR:-$DATADIR/zsh/site-functions}
FISHDIR=${FISHDIR:-$DATADIR/fish/vendor_completions.d}
# Distributions keep their user units below lib.
if [ "$PREFIX" = /usr ]; then default=/usr/lib/systemd/user; else default=$DATADIR/systemd/user; fi
UNITDIR=${UNITDIR:-$default}

# The documents, which keep their path below DOCDIR.
documents() {
  printf '%s\n' LICENSE README.md CONTRIBUTING.md docs/architecture.md docs/terminal.svg
  find examples -type f -not -path '*/.*' | sort
}

# All installed files, one per line.
installed_files() {
  printf '%s\n' "$BINDIR"/{badged,badgectl} "$SERVICEDIR/org.badged.Badges1.service" \
    "$INTERFACEDIR/org.badged.Badges1.xml" "$UNITDIR/badged.service" \
    "$BASHDIR/badgectl" "$ZSHDIR/_badgectl" "$FISHDIR/badgectl.fish"
  local page
  for page in man/*.[157]; do printf '%s\n' "$MANDIR/man${page##*.}/${page##*/}"; done
  documents | sed "s|^|${DOCDIR//|/\\|}/|"
}

# Reloads the user manager and the session bus, then runs the given systemctl command. There may be
# neither, so failures are ignored. Under sudo this is the session of the calling user.
tell_session() {
  [ -z "$DESTDIR" ] || return 0
  local as_caller=() uid
  uid=$(id -u)
  if [ "$uid" -eq 0 ] && [ -n "${SUDO_UID:-}" ] && [ "$SUDO_UID" != 0 ]; then
    uid=$SUDO_UID
    as_caller=(setpriv --reuid="$uid" --regid="${SUDO_GID:-$uid}" --init-groups --)
  fi
  local run=/run/user/$uid
  [ -n "${as_caller[*]}" ] || run=${XDG_RUNTIME_DIR:-$run}
  local session=(timeout 20 "${as_caller[@]}" env XDG_RUNTIME_DIR="$run"
    DBUS_SESSION_BUS_ADDRESS="${DBUS_SESSION_BUS_ADDRESS:-unix:path=$run/bus}")
  if command -v systemctl >/dev/null && [ -S "$run/systemd/private" ]; then
    "${session[@]}" systemctl --user daemon-reload || true
    "${session[@]}" systemctl --user "$@" 2>/dev/null || true
  fi
  "${session[@]}" dbus-send --session --type=method_call --print-reply --dest=org.freedesktop.DBus \
    /org/freedesktop/DBus org.freedesktop.DBus.ReloadConfig >/dev/null 2>&1 || true
}
