# SPDX-License-Identifier: MIT
# Each target calls the script of the same name.
#
#   make run                    install missing packages, build and run (ARGS='--verbose')
#   make test                   install missing packages and run all tests
#   make test-repeat TIMES=20   run all tests many times, to find those that fail by chance
#   make test-crash KILLS=300   kill the daemon at random moments and count lost changes
#   make test-hostile           long attacks, sanitizers and valgrind
#   make build                  build the release programs; STATIC=0 links the system's libraries
#   make install PREFIX=$HOME/.local   install for one user, without root; DESTDIR= for packages
#   make bench                  measure against other services; bench-check fails on a missed target
#   make fuzz SECONDS=60        fuzz each parser
PREFIX ?= /usr/local
SECONDS ?= 30
KILLS ?= 300
TIMES ?= 20
STATIC ?= 1
export PREFIX DESTDIR STATIC

.PHONY: run test test-repeat test-crash test-hostile build install uninstall package bench bench-check fuzz lint clean

run:
	@scripts/run $(ARGS)

test:
	@scripts/test $(ARGS)

test-repeat:
	@scripts/test-repeat $(TIMES) $(ARGS)

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
