# SPDX-License-Identifier: MIT
# Sourced by the other scripts, which run with the project's folder as the working directory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

# Puts a Swift that is new enough on PATH: the one that is there, else one in a usual place.
use_swift() {
  local folder version
  if ! command -v swift >/dev/null; then
    for folder in /opt/swift/usr/bin /usr/libexec/swift/bin /usr/libexec/swift/*/bin \
      "$HOME/.local/share/swiftly/bin" /usr/share/swift/usr/bin /usr/local/swift/usr/bin; do
      if [ -x "$folder/swift" ]; then PATH=$folder:$PATH; break; fi
    done
  fi
  command -v swift >/dev/null ||
    die "no swift on PATH: install Swift 6.2 or newer from https://www.swift.org/install/linux/"
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  [ "$(printf '%s\n' 6.2 "${version:-0}" | sort -V | head -n 1)" = 6.2 ] ||
    die "$(command -v swift) is Swift ${version:-of no known version}: Swift 6.2 or newer is needed"
}

# The address of this person's session bus, if one answers.
session_bus() {
  local address=${DBUS_SESSION_BUS_ADDRESS:-}
  [ -n "$address" ] || address=unix:path=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/bus
  dbus-send --bus="$address" --dest=org.freedesktop.DBus --print-reply --reply-timeout=2000 \
    / org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1 && printf '%s\n' "$address"
}
