#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures badged and badgectl against their peers, in turns, on one private bus.

Every ratio is the median of the ratios of rounds in which both sides ran one after the other, so
that a slow minute of the machine slows both. Prints a table; --json FILE writes all figures;
--check exits 1 when a target is missed.
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

# figure, what it is, against, at most. The order is that of the table.
TARGETS = [
    ("lone-p50", "lone round trips, 64 badges: p50", "floor", 1.2),
    ("lone-cpu", "service CPU of the same", "floor", 0.9),
    ("instructions", "instructions for one isolated change", "floor", 0.6),
    ("pipe1-wall", "time a call, 64 outstanding, 1 client", "floor", 0.8),
    ("pipe8-wall", "time a call, 64 outstanding, 8 clients", "floor", 0.85),
    ("pipe1-cpu", "service CPU a call, 64 outstanding", "floor", 0.5),
    ("pipe1-cpu-sdbus", "service CPU a call, 64 outstanding", "sd-bus", 1.0),
    ("pipe1-bus", "bus CPU a call, 64 outstanding", "floor", 0.75),
    ("fan100-one", "time a call, 100 subscribers, one badge", "floor", 0.15),
    ("fan100-many", "time a call, 100 subscribers, 64 badges", "floor", 0.4),
    ("lone-4000", "lone service CPU with 4,000 badges against 64", "itself", 1.15),
    ("pipe-4000", "pipelined service CPU with 4,000 badges against 64", "itself", 1.15),
    ("badgectl-wall", "badgectl set, whole process: wall time", "dbus-send", 0.70),
    ("badgectl-memory", "badgectl set, whole process: peak memory", "dbus-send", 1.3),
    ("start", "start to name, 100 badges in the store", "floor, empty", 1.15),
    ("rss-idle", "resident memory idle, MB", "", 5.5),
    ("bytes-badge", "memory a plain badge, bytes", "", 600),
    ("wakeups", "wake-ups idle in 3 s", "", 0),
    ("threads", "threads", "", 1),
    ("size-badged", "badged, stripped, MB", "", 14),
    ("size-badgectl", "badgectl, stripped, MB", "", 14),
]
# Told beside the targets, with no limit of their own.
ALSO = [
    ("pipe1-wall-gdbus", "time a call, 64 outstanding, 1 client", "GDBus"),
    ("lone-p50-sdbus", "lone round trips, 64 badges: p50", "sd-bus"),
    ("fan1-many", "time a call, 1 subscriber, 64 badges", "floor"),
    ("fan10-many", "time a call, 10 subscribers, 64 badges", "floor"),
    ("pipe-stored", "the same, 64 of the 4,000 changing", "itself"),
    ("badgectl-wall-gdbus", "badgectl set, whole process: wall time", "gdbus"),
    ("badgectl-wall-busctl", "badgectl set, whole process: wall time", "busctl"),
    ("anonymous-idle", "anonymous memory idle, MB", ""),
]


class Service:
    """One service under test: how it is started, its bus name and its process."""

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
                sys.exit(f"benchmark: {self.label} did not take {self.name}")
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
    """The private bus, the built peers and the figures."""

    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="badged-bench.")
        self.log = open(os.path.join(self.folder, "log"), "w")
        self.figures, self.raw = {}, {}
        self.built = options.build
        os.makedirs(self.built, exist_ok=True)
        self.compile("load", "load.c", [])
        self.compile("floor", "peers/floor.c", ["dbus-1"])
        self.compile("sdbus", "peers/sdbus.c", ["libsystemd"])
        self.compile("gdbus", "peers/gdbus.c", ["gio-2.0"])
        options.badged = self.installed(options.badged, "badged")
        options.badgectl = self.installed(options.badgectl, "badgectl")
        self.start_bus()

    def installed(self, program, name):
        """A stripped copy, as an installation makes one: the linker leaves its own in the page cache
        in small pieces, which take longer to map."""
        path = os.path.join(self.built, name)
        subprocess.check_call(["strip", "-o", path, program])
        return path

    def compile(self, name, source, packages):
        flags = []
        if packages:
            flags = subprocess.check_output(
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
                sys.exit("benchmark: the private bus did not come up")
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

    def peer(self, program):
        name = f"org.badged.Bench.{program}"
        return Service(self, program, name, [self.path(program), name])

    def badged(self, state):
        folder = os.path.join(self.folder, state)
        return Service(self, "badged", NAME, [self.options.badged, "--state", folder])

    def ratio(self, figure, ours, theirs):
        """The median of pairwise ratios, kept with both medians."""
        pairs = [a / b for a, b in zip(ours, theirs) if b]
        self.figures[figure] = statistics.median(pairs)
        self.raw[figure] = {"ours": statistics.median(ours), "theirs": statistics.median(theirs)}

    def rounds(self, runs):
        """Runs each of the named measurements once a round, in turns; lists by name."""
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
    services = {"ours": ours, "floor": floor, "sdbus": sdbus, "gdbus": gdbus}

    def each(run, labels=services):
        return bench.rounds({label: (lambda s=services[label]: run(s)) for label in labels})

    rows = each(lambda s: s.lone(64, 4000))
    bench.ratio("lone-p50", column(rows["ours"], "p50_us"), column(rows["floor"], "p50_us"))
    bench.ratio("lone-p50-sdbus", column(rows["ours"], "p50_us"), column(rows["sdbus"], "p50_us"))
    bench.ratio("lone-cpu", column(rows["ours"], "service_us"), column(rows["floor"], "service_us"))

    rows = each(lambda s: s.pipe(64, 20000))
    for figure, peer, key in [("pipe1-wall", "floor", "wall_us"), ("pipe1-cpu", "floor", "service_us"),
                              ("pipe1-cpu-sdbus", "sdbus", "service_us"),
                              ("pipe1-bus", "floor", "bus_us"), ("pipe1-wall-gdbus", "gdbus", "wall_us")]:
        bench.ratio(figure, column(rows["ours"], key), column(rows[peer], key))

    rows = each(lambda s: s.pipe(64, 20000, clients=8), ["ours", "floor"])
    bench.ratio("pipe8-wall", column(rows["ours"], "wall_us"), column(rows["floor"], "wall_us"))

    for figure, ids, subscribers, calls in [("fan1-many", 64, 1, 20000), ("fan10-many", 64, 10, 10000),
                                            ("fan100-many", 64, 100, 4000), ("fan100-one", 1, 100, 4000)]:
        rows = each(lambda s: s.pipe(ids, calls, subscribers=subscribers), ["ours", "floor"])
        bench.ratio(figure, column(rows["ours"], "wall_us"), column(rows["floor"], "wall_us"))
    for service in services.values():
        service.stop()


def measure_growth(bench):
    service = bench.badged("growth").start()
    service.pipe(64, 640)
    small = bench.rounds({"lone": lambda: service.lone(64, 3000), "pipe": lambda: service.pipe(64, 16000)})
    service.stop()

    # Memory is read off a daemon that did nothing but take the badges.
    fresh = bench.badged("memory").start()
    fresh.pipe(64, 64)
    before = fresh.memory("Rss")
    fresh.pipe(4000, 4000)
    bench.figures["bytes-badge"] = (fresh.memory("Rss") - before) / (4000 - 64)
    # All of them changing in turn are also told one by one; 64 in turn share signals within a frame.
    large = bench.rounds({"lone": lambda: fresh.lone(4000, 3000), "pipe": lambda: fresh.pipe(4000, 16000),
                          "stored": lambda: fresh.pipe(64, 16000)})
    fresh.stop()
    bench.ratio("lone-4000", column(large["lone"], "service_us"), column(small["lone"], "service_us"))
    bench.ratio("pipe-4000", column(large["pipe"], "service_us"), column(small["pipe"], "service_us"))
    bench.ratio("pipe-stored", column(large["stored"], "service_us"), column(small["pipe"], "service_us"))


def measure_idle(bench):
    service = bench.badged("idle").start()
    time.sleep(4)  # what follows the start (the sync of the state, say) is over by then
    before = service.switches()
    bench.figures["rss-idle"] = service.memory("Rss") / 2**20
    bench.figures["anonymous-idle"] = service.memory("Anonymous") / 2**20
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
    bench.ratio("badgectl-memory", column(rows["badgectl"], "peak_kb"), column(rows["dbus-send"], "peak_kb"))
    service.stop()


def measure_instructions(bench):
    """Instructions of one isolated change, a change each 50 ms: the difference of two runs."""
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


def measure_size(bench):
    for figure, program in [("size-badged", bench.options.badged), ("size-badgectl", bench.options.badgectl)]:
        bench.figures[figure] = os.path.getsize(program) / 1e6


MEASUREMENTS = {
    "calls": measure_calls, "growth": measure_growth, "idle": measure_idle, "start": measure_start,
    "badgectl": measure_badgectl, "instructions": measure_instructions, "size": measure_size,
}


def show(bench):
    missed = []
    print(f"{'figure':<52} {'against':<13} {'is':>8} {'at most':>8}")
    for figure, what, against, limit in TARGETS:
        if figure not in bench.figures:
            continue
        value = bench.figures[figure]
        miss = value > limit
        missed += [figure] if miss else []
        print(f"{what:<52} {against:<13} {value:>8.2f} {limit:>8g}{'  missed' if miss else ''}")
    for figure, what, against in ALSO:
        if figure in bench.figures:
            print(f"{what:<52} {against:<13} {bench.figures[figure]:>8.2f}")
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
