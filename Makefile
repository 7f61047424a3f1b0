# SPDX-License-Identifier: MIT
# Thin: what each target does is in the script it calls.
#
#   make run                    install what is missing, build, run (ARGS='--verbose')
#   make test                   install what is missing, run every test
#   make test-crash KILLS=300   kill the daemon at random moments, count what is lost
#   make test-hostile           attack it at length, with sanitizers and valgrind, and print figures
#   make build                  the release programs; STATIC=0 links the system's libraries
#   make install PREFIX=$HOME/.local   for one person, no root needed; DESTDIR= for packages
#   make bench                  measure against other services; bench-check fails on a missed target
#   make fuzz SECONDS=60        feed each parser with made-up input
PREFIX ?= /usr/local
SECONDS ?= 30
KILLS ?= 300
STATIC ?= 1
export PREFIX DESTDIR STATIC

.PHONY: run test test-crash test-hostile build install uninstall package bench bench-check fuzz lint clean

run:
	@scripts/run $(ARGS)

test:
	@scripts/test $(ARGS)

test-crash:
	@scripts/test-crash $(KILLS)

test-hostile:
	@scripts/test-hostile $(ARGS)

build:
	@scripts/setup build
	@scripts/build

install:
	@scripts/install

uninstall:
	@scripts/uninstall

package:
	@scripts/setup build
	@scripts/build
	@scripts/package

bench:
	@scripts/bench $(ARGS)

bench-check:
	@scripts/bench --check $(ARGS)

fuzz:
	@scripts/fuzz $(SECONDS)

lint:
	@scripts/setup test
	@scripts/lint

clean:
	rm -rf .build
