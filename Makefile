# SPDX-License-Identifier: MIT
# Thin: what each target does is in the script it calls.
#
#   make run                    install what is missing, build, run (ARGS='--verbose')
#   make test                   install what is missing, run every test
#   make build                  the release programs; STATIC=0 links the system's libraries
#   make install PREFIX=~/.local   for one person, no root needed; DESTDIR= for packages
PREFIX ?= /usr/local
STATIC ?= 1
export PREFIX DESTDIR STATIC

.PHONY: run test build install uninstall package lint clean

run:
	@scripts/run $(ARGS)

test:
	@scripts/test $(ARGS)

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

lint:
	@scripts/setup test
	@scripts/lint

clean:
	rm -rf .build
