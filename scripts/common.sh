# SPDX-License-Identifier: MIT
# Sourced by the other scripts. Changes to the project's directory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

# Puts Swift on PATH: the one found there, or one in a usual place. Fails if it is too old.
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
    die "$(command -v swift) is Swift ${version:-of an unknown version}: Swift 6.2 or newer is needed"
}

# Prints the address of the user's session bus, if it answers.
session_bus() {
  local address=${DBUS_SESSION_BUS_ADDRESS:-}
  [ -n "$address" ] || address=unix:path=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/bus
  dbus-send --bus="$address" --dest=org.freedesktop.DBus --print-reply --reply-timeout=2000 \
    / org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1 && printf '%s\n' "$address"
}

# Installs what the tests need, and builds the release programs and the tests.
prepare_tests() {
  scripts/setup test
  use_swift
  # Tests of the installation use the release programs.
  scripts/build
  export BADGED_PROGRAMS=$PWD/.build/release
  # Tests that start a user manager or mount a small disk need root. Ask for a password now.
  [ "$(id -u)" -eq 0 ] || sudo -v || die "the tests need sudo"
  swift build --build-tests --disable-xctest
}
