#!/usr/bin/env python3
"""Simulates a partitioned stream file on 1 to 1,000 machines, from costs that were measured on one machine.

  cluster_simulation.py --table          prints the tables of the page
  cluster_simulation.py --plots DIR      writes cluster-throughput.svg, cluster-skew.svg, cluster-checkpoint.svg
  cluster_simulation.py --update PAGE    writes the tables between the markers of the page

The options can be combined. Equal constants and an equal seed give equal bytes.
"""

import argparse
import math
import random
import sys

# Costs in seconds of one core.
STAGE = 0.96e-6             # per event: the worker that holds keys. Measured: worker_speed.py
ROUTER = 0.45e-6            # per event: the worker that evaluates key and time. Measured: worker_speed.py
JAVA = 1.6e-6               # per event: source, network and operator of Flink. Measured: throughput.py --costs, 3.0, less the workers
JAVA_BEFORE = 0.5           # part of JAVA before the shuffle, in the router's task. Assumed
SNAPSHOT_KEY = 2.2e-6       # per changed key at a checkpoint, in the worker and in Flink. Measured: throughput.py --costs
SNAPSHOT_BYTE = 1e-9        # per byte of such a key. Assumed
ROCKSDB_READ = 6.2e-6       # per event whose key is not in the worker. Derived: jobs with 77,000 and 148,000 events/s
REDIS = 3.6e-6              # per event: redis-server, one thread. Measured: its processor time in the first prototype

# Sizes in bytes.
KEY_MEMORY = 250            # a key in the worker, besides its state. Estimated; 350 with 50 bytes of state, measured
KEY_STORED = 45             # a key in a checkpoint, besides its state: key, times, header. Measured: snapshots
RECORD = 100
OUTPUT = 60
ROUTED = 24                 # what the router adds to a record: key, time, lengths
BUFFER = 2 * 32768          # exclusive buffers of one channel. Flink's defaults

# The machines. Assumed.
CORES = 2
WORKER_MEMORY = 8e9         # bytes of a machine that workers may take
NETWORK = 1.25e9            # bytes/s and direction: 10 Gbit/s
STORE_MACHINE = 500e6       # bytes/s that one machine writes to the checkpoint store
STORES = (1e9, 10e9)        # bytes/s of the whole store
GROUPS_LARGEST = 32768      # key groups that Flink can have
REDIS_LOAD = 0.8            # part of a server's core that is planned for
SPLIT = 0.25                # a key is split if it has more than this part of an average task's events
PARTIALS = 10               # partial results per second, for each split key and task

STEP = 0.01                 # seconds
SEED = 1
MACHINES = (1, 10, 100, 1000)
COUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MACHINE_HEADS = ["1 machine", "10 machines", "100 machines", "1,000 machines"]
EXPONENTS = (0.0, 0.8, 1.0, 1.2)
EXACT = 20000               # hottest keys that are placed one by one

BEFORE = ROUTER + JAVA * JAVA_BEFORE
AFTER = STAGE + JAVA * (1 - JAVA_BEFORE)
MACHINE_RATE = CORES / (BEFORE + AFTER)


class Keys:
    """Zipf-distributed keys: bins of ranks, each with a number of keys and a share of events per key."""

    cache: dict = {}

    def __new__(cls, count, exponent):
        if (count, exponent) not in cls.cache:
            cls.cache[count, exponent] = super().__new__(cls)
            cls.cache[count, exponent].fill(count, exponent)
        return cls.cache[count, exponent]

    def fill(self, count, exponent):
        self.count, self.exponent = count, exponent
        exact = min(count, EXACT)
        head = [rank ** -exponent for rank in range(1, exact + 1)]
        bins = [(1, weight) for weight in head[:1000]]
        first = len(bins) + 1
        while first <= count:
            last = min(count, max(first, int(first * 1.04)))
            bins.append((last - first + 1, self.mass(first, last) / (last - first + 1)))
            first = last + 1
        total = sum(n * weight for n, weight in bins)
        self.bins = [(n, weight / total) for n, weight in bins]
        self.head = [weight / total for weight in head]
        self.tail = max(0.0, 1 - sum(self.head)) if count > exact else 0.0
        squares = sum(n * p * p for n, p in self.bins) - sum(p * p for p in self.head)
        self.tail_squares = max(0.0, squares) if count > exact else 0.0
        # Changed keys by number of events, for powers of 1.1, so that a step need not sum.
        self.changed_table = []
        for power in range(280):
            n = 1.1 ** power
            self.changed_table.append(sum(-k * math.expm1(-n * p) for k, p in self.bins))

    def mass(self, first, last):
        """The sum of rank ** -exponent, by the integral from half a rank before to half a rank after."""
        a, b, s = first - 0.5, last + 0.5, self.exponent
        return math.log(b / a) if s == 1 else (b ** (1 - s) - a ** (1 - s)) / (1 - s)

    @property
    def hottest(self):
        return self.head[0]

    def changed(self, events):
        """Expected number of different keys among events."""
        if events < 1:
            return events
        place = math.log(events) / math.log(1.1)
        index = min(int(place), len(self.changed_table) - 2)
        low, high = self.changed_table[index], self.changed_table[index + 1]
        return low + (high - low) * min(1.0, place - index)

    def misses(self, held):
        """Share of events whose key is not among the most recently used `held` keys (Che's approximation)."""
        if held >= self.count:
            return 0.0
        low, high = 1.0, 1e14
        for _ in range(80):
            middle = math.sqrt(low * high)
            if sum(-k * math.expm1(-middle * p) for k, p in self.bins) < held:
                low = middle
            else:
                high = middle
        return sum(k * p * math.exp(-low * p) for k, p in self.bins)


def place(keys, tasks, groups, split=False):
    """Shares of events and of keys for each task, and the number of keys that were split."""
    generator = random.Random(f"{SEED} {keys.count} {keys.exponent} {tasks}")
    mass, count = [0.0] * groups, [0.0] * groups
    spread, hot = 0.0, 0
    for share in keys.head:
        group = generator.randrange(groups)
        if split and share * tasks > SPLIT:
            spread += share
            hot += 1
            continue
        mass[group] += share
        count[group] += 1
    rest = keys.count - len(keys.head)
    for group in range(groups):
        if rest:
            noise = generator.gauss(0, 1)
            mass[group] += max(0.0, keys.tail / groups + noise * math.sqrt(keys.tail_squares / groups))
            count[group] += max(0.0, rest / groups + noise * math.sqrt(rest / groups))
    shares, held = [0.0] * tasks, [0.0] * tasks
    for group in range(groups):
        task = group * tasks // groups
        shares[task] += mass[group]
        held[task] += count[group] / keys.count
    total = sum(shares) + spread
    return [(s + spread / tasks) / total for s in shares], held, hot


def groups_for(tasks):
    return min(64 * tasks, GROUPS_LARGEST)


def fair(limit, demands):
    """Divides processor time among tasks: none gets more than it demands, and those that get less get equal parts."""
    if sum(demands) <= limit:
        return demands
    granted = [0.0] * len(demands)
    order = sorted(range(len(demands)), key=demands.__getitem__)
    left = limit
    for position, index in enumerate(order):
        granted[index] = min(demands[index], left / (len(order) - position))
        left -= granted[index]
    return granted


class Cluster:
    """Machines with two router tasks and two stage tasks each. Similar machines are computed once."""

    def __init__(self, machines, keys, state=50, split=False, extra=0.0, groups=None, overlap=False):
        self.machines, self.keys, self.state = machines, keys, state
        self.tasks = machines * CORES
        shares, held, self.split_keys = place(keys, self.tasks, groups or groups_for(self.tasks), split)
        self.hottest_task = max(shares)
        pairs = []
        for machine in range(machines):
            pair = sorted(zip(shares[2 * machine:2 * machine + 2], held[2 * machine:2 * machine + 2]), reverse=True)
            pairs.append(pair)
        pairs.sort(key=lambda pair: -pair[0][0])
        classes = {}
        for index, pair in enumerate(pairs):
            name = index if index < 6 else tuple(round(math.log(max(s, 1e-12)) / 0.06) for s, _ in pair)
            classes.setdefault(name, []).append(pair)
        # A class: weight, then for both tasks the share of events and the share of keys.
        self.classes = []
        for members in classes.values():
            n = len(members)
            self.classes.append((n, [sum(m[t][0] for m in members) / n for t in (0, 1)],
                                 [sum(m[t][1] for m in members) / n for t in (0, 1)]))
        self.after = AFTER + extra
        # A task that does not wait for its worker uses more than one core.
        self.parallel = self.after / max(STAGE + extra, JAVA * (1 - JAVA_BEFORE)) if overlap else 1.0
        # Merging partial results, in events/s of stage work for an average task.
        self.merges = self.split_keys * PARTIALS * self.after if split else 0.0

    def run(self, seconds=60, interval=10):
        """One saturated run: sources have always more. Returns what the slowest router read per second × tasks."""
        tasks, after, most = self.tasks, self.after, STEP * self.parallel
        room = max(BUFFER / RECORD * tasks, 2 * most / after)
        queue = [[0.0, 0.0] for _ in self.classes]
        work = [[0.0, 0.0] for _ in self.classes]
        read = [0.0] * len(self.classes)
        remote = 1 - 1 / self.machines
        incoming = NETWORK * STEP / (RECORD + ROUTED)
        outgoing = NETWORK * STEP / (remote * (RECORD + ROUTED) + OUTPUT) / CORES
        lead = 0.5 / BEFORE
        snapshot = SNAPSHOT_KEY + SNAPSHOT_BYTE * self.state
        since, start, begin = 0.0, None, 20
        wait, waits = 0.0, 0
        for step in range(int(seconds / STEP)):
            now = step * STEP
            if step and step % int(interval / STEP) == 0:
                changed = self.keys.changed(since)
                since = 0.0
                for index, (_, _, held) in enumerate(self.classes):
                    for t in (0, 1):
                        work[index][t] += changed * held[t] * snapshot
            # A router stops when the buffers of one task are full, whatever the other tasks do.
            allowed = math.inf
            for index, (_, shares, _) in enumerate(self.classes):
                q = queue[index]
                for t in (0, 1):
                    if shares[t] > 0:
                        allowed = min(allowed, (room - q[t]) / shares[t])
                both = (shares[0] + shares[1]) * remote
                if both > 0:
                    allowed = min(allowed, incoming / both)
            each = max(0.0, min(allowed / tasks, outgoing, STEP / BEFORE))
            slowest = min(read)
            total = 0.0
            for index, (weight, shares, _) in enumerate(self.classes):
                q, w = queue[index], work[index]
                want = max(0.0, min(each, slowest + lead - read[index]))
                merge = self.merges * STEP
                demands = [min(most, w[0] + merge + q[0] * after), min(most, w[1] + merge + q[1] * after),
                           want * BEFORE, want * BEFORE]
                granted = fair(CORES * STEP, demands)
                for t in (0, 1):
                    time = max(0.0, granted[t] - merge)
                    paid = min(w[t], time)
                    w[t] -= paid
                    q[t] = max(0.0, q[t] - (time - paid) / after)
                done = min(granted[2], granted[3]) / BEFORE
                read[index] += done
                total += done * CORES * weight
            since += total
            for index, (_, shares, _) in enumerate(self.classes):
                queue[index][0] += total * shares[0]
                queue[index][1] += total * shares[1]
            if now >= begin:
                if start is None:
                    start = (now, min(read))
                wait += max(max(q) for q in queue) * after
                waits += 1
        self.wait = wait / max(1, waits)
        return (min(read) - start[1]) * tasks / (seconds - start[0])


runs: dict = {}


def sustained(machines, count, exponent, **options):
    """Events/s, and the cluster after the run."""
    name = (machines, count, exponent, tuple(sorted((k, v) for k, v in options.items() if v)))
    if name not in runs:
        cluster = Cluster(machines, Keys(count, exponent), **options)
        runs[name] = (cluster.run(), cluster)
    return runs[name]


def checkpoints(machines, count, exponent, state, interval, store, rate, background=False):
    """Checkpoints at a given rate of events, with an average task, until the fourth begins or an hour has passed.

    The worker stops while it gives its changed keys, unless that happens in the background. The store then takes them.
    The next checkpoint begins when its time has come and the one before is complete. Returns the bytes and the pause of
    the first checkpoint, the longest time between two, and the longest time that an event waited.
    """
    keys, tasks = Keys(count, exponent), machines * CORES
    bandwidth = min(machines * STORE_MACHINE, store)
    snapshot = SNAPSHOT_KEY + SNAPSHOT_BYTE * state
    # The stage has what routers leave of the two cores.
    usable = min(1.0, max(0.0, CORES - CORES * rate / tasks * BEFORE) / CORES)
    queue = work = uploading = since = longest = between = pause = now = 0.0
    size = None
    step = STEP if interval <= 10 else 0.05
    due, began, count_begun, index = interval, 0.0, 0, 0
    while now < 3600:
        now = index * step
        index += 1
        if background and work > 0 and count_begun == 1:
            pause = now - began
        if now >= due and uploading <= 0 and work <= 0:
            changed = keys.changed(since)
            if size is None:
                size = changed * (state + KEY_STORED)
            between = max(between, now - began)
            count_begun += 1
            if count_begun == 4:
                break
            began, since, due = now, 0.0, now + interval
            work, uploading = changed / tasks * snapshot, changed * (state + KEY_STORED)
            if count_begun == 1 and not background:
                pause = work / usable
        elif uploading > 0 and (work <= 0 or background):
            uploading -= bandwidth * step
        since += rate * step
        queue += rate / tasks * step
        time = step * usable
        if background:
            served = min(queue, time / AFTER)
            queue -= served
            work = max(0.0, work - (time - served * AFTER))
            longest = max(longest, queue * AFTER / usable)
        else:
            longest = max(longest, (work + queue * AFTER) / usable)
            paid = min(work, time)
            work -= paid
            queue = max(0.0, queue - (time - paid) / AFTER)
    return size, pause, between, longest


def redis_servers(rate, count, exponent):
    """The smallest number of servers, in steps of 5 %, that keep up for a minute; None if none does."""
    keys = Keys(count, exponent)
    if keys.hottest * rate * REDIS > 1:
        return None
    servers = max(1, math.ceil(rate * REDIS / REDIS_LOAD))
    while servers <= 4096:
        shares, _, _ = place(keys, servers, max(16384 // servers, 1) * servers)
        backlog, hottest = 0.0, max(shares)
        for _ in range(int(60 / STEP)):
            backlog = max(0.0, backlog + rate * hottest * STEP - STEP / REDIS)
        if backlog * REDIS < 1:
            return servers
        servers = max(servers + 1, math.ceil(servers * 1.05))
    return None


# Output

def rate_text(value):
    if value < 0.995e6:
        return f"{value:,.0f}"
    return f"{value / 1e6:,.2f} M" if value < 99.5e6 else f"{value / 1e6:,.0f} M"


def machines_text(value):
    return "> 1,000" if value > 1000 else f"{value:,.1f}" if value < 99.5 else f"{value:,.0f}"


def size_text(value):
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if value >= size:
            return f"{value / size:,.1f} {unit}"
    return f"{value / 1e3:,.1f} kB"


def time_text(value):
    return f"{value * 1000:,.0f} ms" if value < 1 else f"{value:,.1f} s"


def percent(value):
    value *= 100
    if value == 0:
        return "0 %"
    return f"{value:.1f} %" if value >= 1 else f"{value:.2g} %" if value >= 0.001 else "< 0.001 %"


def number(value):
    return f"{value:,.0f}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
                     + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def throughput_tables():
    rows = []
    for exponent in EXPONENTS:
        for split in (False, True):
            if split and exponent == 0:
                continue
            cells = [rate_text(sustained(n, 10 ** 7, exponent, split=split)[0]) for n in MACHINES]
            rows.append([exponent, "yes" if split else "no"] + cells)
    yield ("Sustained events per second, 10,000,000 keys, 50 bytes of state, a checkpoint every 10 s",
           table(["exponent", "hot keys split"] + MACHINE_HEADS, rows))
    rows = []
    for count in (10 ** 4, 10 ** 5, 10 ** 6, 10 ** 7, 10 ** 8):
        rows.append([number(count)] + [rate_text(sustained(n, count, 0.0)[0]) for n in MACHINES])
    yield ("Sustained events per second, keys that are equally frequent (exponent 0)",
           table(["keys"] + MACHINE_HEADS, rows))


def skew_table():
    rows = []
    for exponent in EXPONENTS:
        for count in (10 ** 4, 10 ** 6, 10 ** 8):
            keys = Keys(count, exponent)
            limit = 1 / AFTER / keys.hottest
            rate, cluster = sustained(1000, count, exponent)
            rows.append([exponent, number(count), percent(keys.hottest), rate_text(limit),
                         machines_text(limit / MACHINE_RATE), percent(cluster.hottest_task), rate_text(rate),
                         machines_text(rate / MACHINE_RATE)])
    yield ("The hottest key. The rule is (1 / share) × the rate of one task; the last columns are simulated",
           table(["exponent", "keys", "share of the hottest key", "limit by the rule, events/s", "machines by the rule",
                  "share of the hottest of 2,000 tasks", "1,000 machines, events/s", "in machines without skew"],
                 rows))
    rows = []
    for exponent in EXPONENTS[1:]:
        keys = Keys(10 ** 7, exponent)
        most = sustained(1000, 10 ** 7, exponent, split=False)[0]
        enough = next(n for n in COUNTS if sustained(n, 10 ** 7, exponent, split=False)[0] >= 0.9 * most)
        rows.append([exponent, percent(keys.hottest), machines_text(1 / AFTER / keys.hottest / MACHINE_RATE)]
                    + [rate_text(sustained(n, 10 ** 7, exponent, split=False)[0]) for n in (10, 20, 50, 100, 200, 500)]
                    + [number(enough)])
    yield ("More machines, 10,000,000 keys, in events/s. *Enough* machines reach 90 % of what 1,000 do",
           table(["exponent", "share of the hottest key", "machines by the rule", "10 machines", "20", "50", "100",
                  "200", "500", "enough"], rows))


def groups_table():
    rows = []
    for machines in (10, 100, 1000):
        tasks = machines * CORES
        usual = min(GROUPS_LARGEST, max(128, 1 << math.ceil(math.log2(tasks * 1.5))))
        few = sustained(machines, 10 ** 7, 0.0, groups=usual)
        many = sustained(machines, 10 ** 7, 0.0)
        rows.append([number(machines), number(usual), f"{few[1].hottest_task * tasks:.2f}", rate_text(few[0]),
                     number(groups_for(tasks)), f"{many[1].hottest_task * tasks:.2f}", rate_text(many[0]),
                     time_text(many[1].wait)])
    yield ("Key groups and barriers, exponent 0, 10,000,000 keys. The wait is that of a barrier behind full buffers, "
           "in the fullest task",
           table(["machines", "groups by default", "hottest task / average", "events/s", "groups here",
                  "hottest task / average", "events/s", "wait of a barrier"], rows))


def checkpoint_table():
    for interval in (10, 60):
        rows = []
        for machines in (10, 100, 1000):
            rate = 0.3 * machines * MACHINE_RATE
            for count in (10 ** 7, 10 ** 8):
                for state in (50, 1000, 20000):
                    cells = [number(machines), number(count), number(state)]
                    for store in STORES:
                        size, pause, between, longest = checkpoints(
                            machines, count, 0.0, state, interval, store, rate)
                        if store == STORES[0]:
                            cells += [percent(size / (state + KEY_STORED) / count), size_text(size), time_text(pause),
                                      time_text(longest)]
                        cells.append("kept" if between < 1.02 * interval else time_text(between))
                    rows.append(cells)
        yield (f"Checkpoints every {interval} s at 30 % of the processors' rate, exponent 0. *Kept*: the store takes a "
               "checkpoint before the next; otherwise, the longest time between two",
               table(["machines", "keys", "bytes of state", "changed keys", "bytes of a checkpoint", "pause of a task",
                      "longest wait of an event", "store of 1 GB/s", "store of 10 GB/s"], rows))
    rows = []
    for exponent in EXPONENTS:
        keys = Keys(10 ** 8, exponent)
        rate = 0.3 * 10 * MACHINE_RATE
        rows.append([exponent] + [f"{keys.changed(rate * t) / 1e6:,.1f} M" for t in (10, 60)]
                    + [size_text(keys.changed(rate * t) * (1000 + KEY_STORED)) for t in (10, 60)]
                    + [size_text(keys.count * (1000 + KEY_STORED))])
    yield (f"Changed keys at {rate_text(rate)} events/s (10 machines), 100,000,000 keys, 1,000 bytes of state",
           table(["exponent", "changed in 10 s", "changed in 60 s", "bytes, 10 s", "bytes, 60 s", "bytes of all keys"],
                 rows))


def needs_table():
    rows = []
    for exponent in EXPONENTS[1:]:
        rows.append([exponent] + [rate_text(sustained(1000, 10 ** 7, exponent, **options)[0]) for options in (
            {"split": False}, {"split": False, "overlap": True}, {"split": True})])
    yield ("Events/s of 1,000 machines with 10,000,000 keys, with changes of the design",
           table(["exponent", "as it is", "a task does not wait for its worker", "hot keys split"], rows))
    rows = []
    machines, count, interval = 100, 10 ** 8, 60
    rate = 0.3 * machines * MACHINE_RATE
    for name, state, background in (("as it is", 20000, False), ("changed cells only", 200, False),
                                    ("in the background", 20000, True), ("both", 200, True)):
        size, pause, between, longest = checkpoints(machines, count, 0.0, state, interval, STORES[1], rate, background)
        rows.append([name, size_text(size), time_text(pause), time_text(longest),
                     "kept" if between < 1.02 * interval else time_text(between)])
    yield ("Checkpoints every 60 s of 100 machines with 100,000,000 keys of 20,000 bytes, 200 of them changed, store "
           "of 10 GB/s",
           table(["snapshots", "bytes of a checkpoint", "time of the worker", "longest wait of an event", "interval"],
                 rows))


def memory_table():
    rows = []
    for count in (10 ** 7, 10 ** 8):
        for state in (50, 1000, 20000):
            for machines in (1, 10, 100, 1000):
                need = count / machines * (KEY_MEMORY + state)
                if machines == 1000 and need < WORKER_MEMORY or machines == 100 and need < WORKER_MEMORY / 8:
                    continue
                cells = [number(count), number(state), number(machines), size_text(need)]
                if need <= WORKER_MEMORY:
                    rows.append(cells + ["100.0 %", "0 %", "0 %", "as above", "as above"])
                    continue
                held = WORKER_MEMORY * machines / (KEY_MEMORY + state)
                rates, missed = [], []
                for exponent in (0.0, 0.8):
                    misses = Keys(count, exponent).misses(held)
                    extra = misses * (ROCKSDB_READ + 2 * (SNAPSHOT_KEY + SNAPSHOT_BYTE * state))
                    rates.append(rate_text(sustained(machines, count, exponent, state=state, extra=extra)[0]))
                    missed.append(percent(misses))
                rows.append(cells + [percent(held / count)] + missed + rates)
    yield (f"Memory of workers, {size_text(WORKER_MEMORY)} for each machine, and eviction to RocksDB",
           table(["keys", "bytes of state", "machines", "need per machine", "keys held", "missed, exponent 0",
                  "missed, exponent 0.8", "events/s, exponent 0", "events/s, exponent 0.8"], rows))


def network_table():
    rows = []
    for record in (100, 1000, 4000):
        for machines in (10, 1000):
            remote = 1 - 1 / machines
            shuffle = MACHINE_RATE * remote * (record + ROUTED)
            ingress = shuffle + MACHINE_RATE * record
            rows.append([number(record), number(machines), percent(remote), size_text(shuffle) + "/s",
                         percent(shuffle / NETWORK), percent(ingress / NETWORK), percent(ingress / NETWORK * 10)])
    yield ("Network of one machine at the full rate of its processors. Incoming is the shuffle and the source",
           table(["bytes of a record", "machines", "records that leave", "shuffle", "shuffle, of 10 Gbit/s",
                  "incoming, of 10 Gbit/s", "incoming, of 1 Gbit/s"], rows))


def redis_table():
    rows = []
    for rate in (10 ** 5, 10 ** 6, 10 ** 7, 10 ** 8):
        cells = [number(rate)]
        for exponent in EXPONENTS:
            servers = redis_servers(rate, 10 ** 7, exponent)
            cells.append("not possible" if servers is None else number(servers))
        rows.append(cells + [f"{math.ceil(rate / MACHINE_RATE):,}"])
    yield ("Redis: servers of one core that keep up, 10,000,000 keys; machines with Flink for comparison, without skew",
           table(["events/s"] + [f"exponent {e}" for e in EXPONENTS] + ["machines with Flink"], rows))


SECTIONS = {"throughput": throughput_tables, "skew": skew_table, "groups": groups_table,
            "checkpoints": checkpoint_table, "memory": memory_table, "network": network_table, "redis": redis_table,
            "needs": needs_table}


def tables():
    parts = [f"One machine without skew and checkpoints: {number(MACHINE_RATE)} events/s. One task: "
             f"{number(1 / AFTER)} events/s."]
    for section in SECTIONS.values():
        parts += [f"{title}:\n\n{text}" for title, text in section()]
    return "\n\n".join(parts)


COLORS = ("#1f6fb4", "#d9662b", "#2b8a57", "#8a4fa8")


def plot(title, x_title, y_title, series, x_range, y_range):
    """A log-log plot. A series: name, color, dashed, points."""
    width, height, left, right, top, bottom = 720, 420, 80, 190, 44, 54
    inner, tall = width - left - right, height - top - bottom

    def x(value):
        return left + inner * (math.log10(value) - x_range[0]) / (x_range[1] - x_range[0])

    def y(value):
        return top + tall * (1 - (math.log10(value) - y_range[0]) / (y_range[1] - y_range[0]))

    def unit(power):
        if power < 0:
            return f"{10.0 ** power:g}"
        return {0: "1", 1: "10", 2: "100"}.get(power % 3, "1") + {0: "", 1: " k", 2: " M", 3: " G", 4: " T"}[
            power // 3]

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#333">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           f'<text x="{left}" y="24" font-size="15">{title}</text>']
    for power in range(math.ceil(x_range[0]), math.floor(x_range[1]) + 1):
        out.append(f'<path d="M{x(10 ** power):.1f} {top}V{top + tall}" stroke="#ddd"/>'
                   f'<text x="{x(10 ** power):.1f}" y="{top + tall + 18}" text-anchor="middle">{unit(power)}</text>')
    for power in range(math.ceil(y_range[0]), math.floor(y_range[1]) + 1):
        out.append(f'<path d="M{left} {y(10 ** power):.1f}H{left + inner}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(10 ** power) + 4:.1f}" text-anchor="end">{unit(power)}</text>')
    out.append(f'<text x="{left + inner / 2}" y="{height - 12}" text-anchor="middle">{x_title}</text>'
               f'<text transform="translate(18 {top + tall / 2}) rotate(-90)" text-anchor="middle">{y_title}</text>')
    for index, (name, color, dashed, points) in enumerate(series):
        path = "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        out.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        place_y = top + 10 + 20 * index
        out.append(f'<path d="M{left + inner + 14} {place_y}h22" stroke="{color}" stroke-width="2"{dash}/>'
                   f'<text x="{left + inner + 42}" y="{place_y + 4}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def plots(folder):
    series = []
    for color, exponent in zip(COLORS, EXPONENTS):
        series.append((f"exponent {exponent}", color, False,
                       [(n, sustained(n, 10 ** 7, exponent, split=False)[0]) for n in COUNTS]))
    for color, exponent in zip(COLORS[1:], EXPONENTS[1:]):
        series.append((f"{exponent}, hot keys split", color, True,
                       [(n, sustained(n, 10 ** 7, exponent, split=True)[0]) for n in MACHINES]))
    write(folder, "cluster-throughput.svg", plot("Sustained rate, 10,000,000 keys", "machines", "events per second",
                                                 series, (0, 3), (5, 9)))
    series = []
    for color, exponent in zip(COLORS[1:], EXPONENTS[1:]):
        series.append((f"exponent {exponent}", color, False,
                       [(10 ** (k / 2), 100 * Keys(int(10 ** (k / 2)), exponent).hottest) for k in range(8, 17)]))
    for color, n in zip(("#999", "#666", "#333"), (10, 100, 1000)):
        share = 100 / AFTER / (n * MACHINE_RATE)
        series.append((f"limit, {n:,} machines", color, True, [(1e4, share), (1e8, share)]))
    write(folder, "cluster-skew.svg", plot("Share of the hottest key, and the share that a cluster bears", "keys",
                                           "percent of all events", series, (4, 8), (-1.5, 1.5)))
    series = []
    for color, state in zip(COLORS, (50, 1000, 20000)):
        for count, dashed in ((10 ** 7, False), (10 ** 8, True)):
            keys = Keys(count, 0.0)
            points = [(n, keys.changed(3 * n * MACHINE_RATE) * (state + KEY_STORED)) for n in COUNTS]
            series.append((f"{state:,} B, {count // 10 ** 6} M keys", color, dashed, points))
    series.append(("1 GB/s for 10 s", "#999", True, [(1, 1e10), (1000, 1e10)]))
    series.append(("10 GB/s for 10 s", "#333", True, [(1, 1e11), (1000, 1e11)]))
    write(folder, "cluster-checkpoint.svg", plot("Changed state in 10 s, at 30 % of the processors' rate", "machines",
                                                 "bytes of a checkpoint", series, (0, 3), (7.9, 12.6)))


def write(folder, name, text):
    with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description="Simulates a partitioned stream file on many machines.")
    parser.add_argument("--table", action="store_true", help="print the tables")
    parser.add_argument("--plots", metavar="DIR", help="write the plots")
    parser.add_argument("--update", metavar="PAGE", help="write the tables into the page")
    arguments = parser.parse_args()
    if not (arguments.table or arguments.plots or arguments.update):
        parser.error("one of --table, --plots and --update is required")
    if arguments.table or arguments.update:
        text = tables()
        if arguments.table:
            print(text)
        if arguments.update:
            begin, end = "<!-- simulation:begin -->", "<!-- simulation:end -->"
            with open(arguments.update, encoding="utf-8") as file:
                page = file.read()
            if begin not in page or end not in page:
                sys.exit(f"{arguments.update} has no markers {begin} and {end}")
            head, tail = page.split(begin, 1)[0], page.split(end, 1)[1]
            with open(arguments.update, "w", encoding="utf-8") as file:
                file.write(f"{head}{begin}\n{text}\n{end}{tail}")
    if arguments.plots:
        plots(arguments.plots)


if __name__ == "__main__":
    main()
