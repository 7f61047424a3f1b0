#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures badged and badgectl against other services on a private bus.

Each ratio is the median over rounds in which both sides ran one after the other, so that a slow
period of the machine affects both. Prints a table. --json FILE writes all figures, and --check exits
with status 1 if a target is missed.
"""
import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
NAME = "org.badged.Badges1"

BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy>
<limit name="max_connections_per_user">4096</limit>
<limit name="max_replies_per_connection">50000</limit></busconfig>"""

# Figure, description, what it is compared with, and the highest value that meets the target. The durable
# floor does the same work as badged; the floor keeps its counts in memory.
TARGETS = [
    ("lone-p50", "lone round trip, p50", "durable floor", 1.05),
    ("lone-cpu", "lone call, service CPU", "durable floor", 0.9),
    ("pipe-cpu", "64 outstanding, service CPU a call", "durable floor", 0.45),
    ("pipe-wall", "64 outstanding, time a call", "durable floor", 0.65),
    ("pipe-bus", "64 outstanding, bus CPU a call", "floor", 0.75),
    ("instructions", "isolated change, instructions", "floor", 0.7),
    ("fan100-one", "100 subscribers, one badge, time a call", "floor", 0.15),
    ("fan100-many", "100 subscribers, 64 badges, time a call", "floor", 0.4),
    ("lone-4000", "4,000 badges, lone, service CPU", "64 badges", 1.15),
    ("pipe-4000", "4,000 badges, 64 changing, service CPU", "64 badges", 1.15),
    ("badgectl-wall", "badgectl set, wall time", "dbus-send", 0.70),
    ("start", "start to name, 100 stored badges", "floor, empty", 1.35),
    ("anonymous", "anonymous memory, idle, MB", "", 0.7),
    ("resident", "resident memory, idle, MB", "", 8),
    ("wakeups", "wake-ups in 3 s, idle", "", 0),
    ("threads", "threads", "", 1),
]
# Printed for comparison, without a target.
ALSO = [
    ("lone-p50-floor", "lone round trip, p50", "floor"),
    ("lone-p50-sdbus", "lone round trip, p50", "sd-bus"),
    ("pipe-wall-floor", "64 outstanding, time a call", "floor"),
    ("pipe-cpu-floor", "64 outstanding, service CPU a call", "floor"),
    ("pipe-cpu-sdbus", "64 outstanding, service CPU a call", "sd-bus"),
    ("pipe-wall-gdbus", "64 outstanding, time a call", "GDBus"),
    ("pipe-4000-all", "4,000 badges, all changing, service CPU", "64 badges"),
    ("badgectl-wall-gdbus", "badgectl set, wall time", "gdbus"),
    ("badgectl-wall-busctl", "badgectl set, wall time", "busctl"),
]


class Service:
    """A service under test: its command, bus name and process."""

    def __init__(self, bench, label, name, command):
        self.bench, self.label, self.name, self.command = bench, label, name, command
        self.process = None

    def start(self, wrapper=()):
        self.process = subprocess.Popen(
            [*wrapper, *self.command], env=self.bench.environment,
            stdout=subprocess.DEVNULL, stderr=self.bench.log)
        deadline = time.monotonic() + 30
        while not self.bench.owned(self.name):
            if self.process.poll() is not None or time.monotonic() > deadline:
                with open(self.bench.log.name) as log:
                    print(log.read()[-2000:], file=sys.stderr)
                sys.exit(f"benchmark: {self.label} did not acquire {self.name}")
            time.sleep(0.02)
        return self

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
            self.process = None

    def load(self, mode, *arguments):
        return self.bench.load(mode, self.name, *arguments)

    def lone(self, ids, calls):
        return self.load("lone", ids, calls, self.process.pid, self.bench.bus.pid)

    def pipe(self, ids, calls, clients=1, window=64, subscribers=0):
        return self.load("pipe", ids, calls, clients, window, subscribers,
                         self.process.pid, self.bench.bus.pid)

    def memory(self, key):
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return int(re.search(rf"^{key}:\s+(\d+)", file.read(), re.M)[1]) * 1024

    def switches(self):
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/status") as file:
                total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.M)[1])
        return total

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))


class Bench:
    """The private bus, the compiled peers and the figures."""

    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="badged-bench.")
        self.log = open(os.path.join(self.folder, "log"), "w")
        self.figures, self.raw = {}, {}
        self.built = options.build
        os.makedirs(self.built, exist_ok=True)
        self.compile("load", "load.c", [])
        self.compile("floor", "peers/floor.c", ["dbus-1"])
        self.compile("durable", "peers/floor.c", ["dbus-1", "sqlite3"], "-DDURABLE")
        self.compile("sdbus", "peers/sdbus.c", ["libsystemd"])
        self.compile("gdbus", "peers/gdbus.c", ["gio-2.0"])
        options.badged = self.installed(options.badged, "badged")
        options.badgectl = self.installed(options.badgectl, "badgectl")
        self.start_bus()

    def installed(self, program, name):
        """Makes a stripped copy. A file just linked lies in the page cache in small pieces, which take
        longer to map than those of an installed program."""
        path = os.path.join(self.built, name)
        subprocess.check_call(["strip", "-o", path, program])
        return path

    def compile(self, name, source, packages, *defines):
        flags = [*defines]
        if packages:
            flags += subprocess.check_output(
                ["pkg-config", "--cflags", "--libs", *packages], text=True).split()
        subprocess.check_call(["cc", "-O2", "-Wall", "-Wextra", os.path.join(HERE, source),
                               "-o", os.path.join(self.built, name), *flags])

    def start_bus(self):
        path = os.path.join(self.folder, "bus")
        config = os.path.join(self.folder, "bus.conf")
        with open(config, "w") as file:
            file.write(BUS_CONFIG.format(path=path))
        self.bus = subprocess.Popen(["dbus-daemon", f"--config-file={config}", "--nofork",
                                     "--nopidfile"], stderr=self.log)
        deadline = time.monotonic() + 10
        while not os.path.exists(path):
            if time.monotonic() > deadline:
                sys.exit("benchmark: the private bus did not start")
            time.sleep(0.01)
        self.environment = dict(os.environ, DBUS_SESSION_BUS_ADDRESS=f"unix:path={path}")
        self.environment.pop("XDG_STATE_HOME", None)
        self.environment.pop("WATCHDOG_USEC", None)

    def close(self):
        self.bus.terminate()
        self.bus.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.built, name)

    def load(self, *arguments):
        command = [self.path("load"), *map(str, arguments)]
        return json.loads(subprocess.check_output(command, env=self.environment, text=True))

    def owned(self, name):
        call = ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus",
                "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", f"string:{name}"]
        return "true" in subprocess.check_output(call, env=self.environment, text=True)

    def peer(self, program, *arguments):
        name = f"org.badged.Bench.{program}"
        return Service(self, program, name, [self.path(program), name, *arguments])

    def durable(self):
        return self.peer("durable", os.path.join(self.folder, "durable.db"))

    def badged(self, state):
        folder = os.path.join(self.folder, state)
        return Service(self, "badged", NAME, [self.options.badged, "--state", folder])

    def ratio(self, figure, ours, theirs):
        """Records the median of pairwise ratios, and both medians."""
        pairs = [a / b for a, b in zip(ours, theirs) if b]
        self.figures[figure] = statistics.median(pairs)
        self.raw[figure] = {"ours": statistics.median(ours), "theirs": statistics.median(theirs)}

    def rounds(self, runs):
        """Runs each measurement once per round, in alternating order. Returns lists by label."""
        results = {label: [] for label in runs}
        for round_number in range(self.options.rounds):
            order = list(runs.items())
            if round_number % 2:
                order.reverse()
            for label, run in order:
                results[label].append(run())
        return results


def column(rows, key):
    return [row[key] for row in rows]


def measure_calls(bench):
    ours, floor = bench.badged("calls").start(), bench.peer("floor").start()
    sdbus, gdbus = bench.peer("sdbus").start(), bench.peer("gdbus").start()
    durable = bench.durable().start()
    services = {"ours": ours, "durable": durable, "floor": floor, "sdbus": sdbus, "gdbus": gdbus}

    def each(run, labels=services):
        return bench.rounds({label: (lambda s=services[label]: run(s)) for label in labels})

    rows = each(lambda s: s.lone(64, 4000), ["ours", "durable", "floor", "sdbus"])
    for figure, peer, key in [("lone-p50", "durable", "p50_us"), ("lone-cpu", "durable", "service_us"),
                              ("lone-p50-floor", "floor", "p50_us"),
                              ("lone-p50-sdbus", "sdbus", "p50_us")]:
        bench.ratio(figure, column(rows["ours"], key), column(rows[peer], key))

    rows = each(lambda s: s.pipe(64, 20000))
    for figure, peer, key in [("pipe-cpu", "durable", "service_us"), ("pipe-wall", "durable", "wall_us"),
                              ("pipe-bus", "floor", "bus_us"), ("pipe-wall-floor", "floor", "wall_us"),
                              ("pipe-cpu-floor", "floor", "service_us"),
                              ("pipe-cpu-sdbus", "sdbus", "service_us"),
                              ("pipe-wall-gdbus", "gdbus", "wall_us")]:
        bench.ratio(figure, column(rows["ours"], key), column(rows[peer], key))

    for figure, ids in [("fan100-many", 64), ("fan100-one", 1)]:
        rows = each(lambda s: s.pipe(ids, 4000, subscribers=100), ["ours", "floor"])
        bench.ratio(figure, column(rows["ours"], "wall_us"), column(rows["floor"], "wall_us"))
    for service in services.values():
        service.stop()


def measure_growth(bench):
    service = bench.badged("growth").start()
    service.pipe(64, 640)
    small = bench.rounds({"lone": lambda: service.lone(64, 3000), "pipe": lambda: service.pipe(64, 16000)})
    service.stop()

    service = bench.badged("large").start()
    service.pipe(4000, 4000)
    # 64 badges that change in turn share a signal per frame; 4,000 get one signal per change.
    large = bench.rounds({"lone": lambda: service.lone(4000, 3000), "all": lambda: service.pipe(4000, 16000),
                          "some": lambda: service.pipe(64, 16000)})
    service.stop()
    for figure, ours, theirs in [("lone-4000", "lone", "lone"), ("pipe-4000", "some", "pipe"),
                                 ("pipe-4000-all", "all", "pipe")]:
        bench.ratio(figure, column(large[ours], "service_us"), column(small[theirs], "service_us"))


def measure_idle(bench):
    service = bench.badged("idle").start()
    time.sleep(4)  # until the work after the start is done, such as syncing the state
    before = service.switches()
    bench.figures["resident"] = service.memory("Rss") / 2**20
    bench.figures["anonymous"] = service.memory("Anonymous") / 2**20
    bench.figures["threads"] = service.threads()
    time.sleep(3)
    bench.figures["wakeups"] = service.switches() - before
    service.stop()


def measure_start(bench):
    filled = bench.badged("start").start()
    filled.pipe(100, 100)
    filled.stop()
    name = "org.badged.Bench.start"
    rows = {"ours": [], "floor": []}
    for _ in range(bench.options.rounds * 8):
        rows["ours"].append(bench.load("start", NAME, *filled.command)["start_us"])
        rows["floor"].append(bench.load("start", name, bench.path("floor"), name)["start_us"])
    bench.ratio("start", rows["ours"], rows["floor"])


def measure_badgectl(bench):
    service = bench.badged("cli").start()
    path = "/org/badged/Badges1"
    commands = {
        "badgectl": [bench.options.badgectl, "set", "mail"],
        "dbus-send": ["dbus-send", "--session", "--print-reply", f"--dest={NAME}", path,
                      f"{NAME}.Set", "string:mail"],
        "gdbus": ["gdbus", "call", "--session", "-d", NAME, "-o", path, "-m", f"{NAME}.Set", "mail"],
        "busctl": ["busctl", "--user", f"--address={bench.environment['DBUS_SESSION_BUS_ADDRESS']}",
                   "call", NAME, path, NAME, "Set", "sx", "mail"],
    }
    rows = {label: [] for label in commands}
    for turn in range(bench.options.rounds * 8):
        for label, command in commands.items():
            count = str(turn % 90 + 1)
            last = f"int64:{count}" if label == "dbus-send" else count
            rows[label].append(bench.load("spawn", *command, last))
    wall = {label: column(values, "wall_us") for label, values in rows.items()}
    bench.ratio("badgectl-wall", wall["badgectl"], wall["dbus-send"])
    bench.ratio("badgectl-wall-gdbus", wall["badgectl"], wall["gdbus"])
    bench.ratio("badgectl-wall-busctl", wall["badgectl"], wall["busctl"])
    service.stop()


def measure_instructions(bench):
    """Instructions of a change every 50 ms, from the difference of two runs."""
    def count(service, calls):
        out = os.path.join(bench.folder, "callgrind.out")
        service.start(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"])
        service.load("paced", 8, calls, 50)
        service.stop()
        with open(out) as file:
            return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M)[1])

    cost = {}
    for label, service in [("ours", bench.badged("callgrind")), ("theirs", bench.peer("floor"))]:
        cost[label] = (count(service, 120) - count(service, 40)) / 80
    bench.figures["instructions"] = cost["ours"] / cost["theirs"]
    bench.raw["instructions"] = cost


MEASUREMENTS = {
    "calls": measure_calls, "growth": measure_growth, "idle": measure_idle, "start": measure_start,
    "badgectl": measure_badgectl, "instructions": measure_instructions,
}


def show(bench):
    """Prints the table, and returns the figures that miss their target."""
    missed = []
    print(f"{'figure':<42} {'relative to':<14} {'value':>6} {'target':>8}  met")
    for figure, what, against, limit in TARGETS:
        if figure not in bench.figures:
            continue
        value = bench.figures[figure]
        if value > limit:
            missed.append(figure)
        print(f"{what:<42} {against:<14} {value:>6.2f} {f'≤ {limit:g}':>8}  {'yes' if value <= limit else 'NO'}")
    for figure, what, against in ALSO:
        if figure in bench.figures:
            print(f"{what:<42} {against:<14} {bench.figures[figure]:>6.2f}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--badged", default=os.path.join(ROOT, ".build/release/badged"))
    parser.add_argument("--badgectl", default=os.path.join(ROOT, ".build/release/badgectl"))
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/benchmarks"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", action="append", choices=MEASUREMENTS)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--check", action="store_true")
    bench = Bench(parser.parse_args())
    try:
        for label, measurement in MEASUREMENTS.items():
            if not bench.options.only or label in bench.options.only:
                print(f"measuring: {label}", file=sys.stderr, flush=True)
                measurement(bench)
        missed = show(bench)
        if bench.options.json:
            with open(bench.options.json, "w") as file:
                json.dump({"figures": bench.figures, "medians": bench.raw}, file, indent=2)
    finally:
        bench.close()
    if bench.options.check and missed:
        sys.exit(f"benchmark: missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
