#!/usr/bin/env python3
"""The reproductions of cluster.md with what they must print, on one machine and on Redis: cluster.py STREAMRUN.

Starts a redis-server of its own. The findings that are about Flink alone are tests of `Tests/Cluster/promises.py`; they
are named at the end.
"""
import hashlib
import json
import pathlib
import sys

from reproductions import Reproductions

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Cluster"))
from shards import Server  # noqa: E402

r = Reproductions("cluster", sys.argv[1])
folder = r.folder / "redis"
folder.mkdir()
server = Server(str(folder))
r.environment["U"] = server.url


def lines(values) -> str:
    return "\n".join(json.dumps(value, separators=(",", ":"), ensure_ascii=False) for value in values)


def digest(values) -> str:
    return hashlib.md5((lines(values) + "\n").encode()).hexdigest()


def shard(file: str, name: str, shards: int = 1) -> str:
    """The command for a file on Redis, under a name that no other check uses."""
    return f"$S shard {file} --redis $U --shards {shards} --name {name}"


# F1: a record within a record, for both records of the input. Each file as a function of a record.
def nested(record):
    return {"kind": "k", "v": [record["amount"] % 3, record["amount"]]}


def region(record):
    return [record["user"], record["region"]]


CRASH = {
    "a": lambda e: ["k", e["amount"]],
    "b": lambda e: [e["amount"], e["amount"]],
    "c": lambda e: {"kind": "k", "v": [e["amount"], e["amount"]]},
    "d": lambda e: {"key": "a", "r": e["amount"]},
    "e": lambda e: {"key": region(e), "r": e["amount"]},
    "f": lambda e: {"key": region(e), "r": e["amount"]},
    "g": lambda e: {"key": "a", "r": e["amount"]},
    "h": lambda e: {"key": "k", "r": ["k", e["amount"]]},
    "i": lambda e: {"key": "a", "r": nested(e)},
    "full": lambda e: {"key": region(e), "r": nested(e)},
    "noidle": lambda e: {"key": region(e), "r": nested(e)},
    "noinnerinnermap": lambda e: {"key": region(e), "r": {"kind": "k", "v": e["amount"]}},
    "noinnermap": lambda e: {"key": region(e), "r": [e["amount"] % 3, e["amount"]]},
    "nolast": nested,
    "noremdup": lambda e: {"key": region(e), "r": nested(e)},
    "noscan": lambda e: {"key": region(e), "r": {"kind": "k", "v": [e["amount"] % 3, e]}},
    "userkey": lambda e: {"key": "a", "r": nested(e)},
    "m1": lambda e: {"key": "a", "r": {"kind": "k", "v": e}},
    "m4": lambda e: {"key": 1, "r": {"kind": 3, "v": e}},
    # A value that comes at the instant of the timer comes first, and the second is dropped at the end.
    "m5": None,
    "m7": lambda e: {"r": {"v": e["amount"]}},
    "m8": lambda e: [[e["amount"]]],
}
CRASH_HERE = {
    "nopart": nested,
    "m2": lambda e: {"key": 1, "r": {"kind": "k", "v": e}},
    "m3": lambda e: {"key": 1, "r": {"kind": 3, "v": e}},
    "m6": lambda e: {"key": "a", "r": {"kind": "k", "v": e["amount"]}},
    "m9": lambda e: {"r": {"v": e["amount"]}},
    "s1": lambda e: {"a": e["ts"], "b": e["amount"]},
    "s2": lambda e: {"x": e["ts"], "y": e["amount"], "z": e["ts"]},
    "s3": lambda e: [{"a": e["amount"], "b": e["ts"]}, {"a": {"a": e["amount"], "b": e["ts"]}}],
    "s5": lambda e: {"l": {"a": e["amount"], "b": e["ts"]}, "n": e["ts"] // 1000},
    "s6": lambda e: {"a": {"a": e["amount"]}},
    "s8": lambda e: {"a": {"z": e["ts"]}},
    "s9": lambda e: {"a": {"z": e["ts"]}},
    "s11": lambda e: {"a": [{"z": e["ts"]}, e]},
    "u1": lambda e: {"a": {"z": e["ts"]}, "b": 1, "c": 2},
    "u2": lambda e: {"a": {"q": {"z": e["ts"]}}},
    "u3": lambda e: {"a": {"z": e["ts"], "y": 1, "x": 3}},
    "u5": lambda e: e["ts"],
    "u6": lambda e: e["ts"],
    "u7": lambda e: {"a": {"n": e["ts"] // 1000}},
}


def crash():
    events = [json.loads(line) for line in (r.folder / "crash" / "in").read_text().splitlines()]
    first, second = ({"a": e["amount"], "b": e["ts"]} for e in events)
    expected = {name: [output(e) for e in events] if output else [] for name, output in (CRASH | CRASH_HERE).items()}
    expected["s4"] = [{"a": [None, first]}, {"a": [first, second]}]
    expected["s7"] = [{"a": value} for e in events for value in (e, {"z": e["ts"]})]
    expected["s10"] = [{"a": {"z": 2000}}]
    expected["u4"] = [{"a": {"z": 2000}}]
    names = {path.stem for path in (r.folder / "crash").glob("*.json")}
    assert names == expected.keys(), names ^ expected.keys()
    for name in sorted(names):
        virtual = " --virtual" if name == "s10" else ""
        r.check("F1", f"ulimit -c 0; $S {name}.json{virtual} < in", lines(expected[name]), folder="crash")
    for name in sorted(CRASH):
        command = shard(name + ".json", "crash-" + name, shards=2)
        r.check("F1 on Redis", f"ulimit -c 0; {command} --feed --end < in && {command} && {command} --results",
                lines(expected[name]), folder="crash")


def object_keys():
    """F2: a key that is an object keeps the order of its members, whether its state is restored or not."""
    expected = lines([[["b", "a"], number] for number in (1, 2, 3)])
    r.check("F2", "$S f.json < three", expected, folder="object-key-order")
    command = shard("f.json", "order")
    r.check("F2 on Redis", f"for i in 1 2 3; do sed -n ${{i}}p three | {command} --feed; {command} --drain; done; "
            f"{command} --feed --end < /dev/null; {command}; {command} --results", expected, folder="object-key-order")
    # The state of g.json has such an object, as a value.
    (r.folder / "object-key-order" / "values").write_text(
        '{"k":{"b":1,"a":2},"m":{"b":1,"a":2}}\n{"k":{"b":1,"a":2},"m":{"d":1,"c":2}}\n{"k":{"b":1,"a":2},"m":{}}\n')
    expected = lines([{"m": {"b": 1, "a": 2}, "prev": []}, {"m": {"d": 1, "c": 2}, "prev": ["b", "a"]},
                      {"m": {}, "prev": ["d", "c"]}])
    r.check("F2", "$S g.json < values", expected, folder="object-key-order")
    command = shard("g.json", "order-of-values")
    r.check("F2 on Redis", f"for i in 1 2 3; do sed -n ${{i}}p values | {command} --feed; {command} --drain; done; "
            f"{command} --results", expected, folder="object-key-order")


def no_time():
    """F5: without `time`, results leave while the input is open, and states hold no records."""
    sums, expected = {}, []
    for line in (r.folder / "no-time" / "d3").read_text().splitlines():
        record = json.loads(line)
        sums[record["k"]] = sums.get(record["k"], 0) + record["v"]
        expected.append(sums[record["k"]])
    r.check("F5", "mkfifo pipe; $S notime.json < pipe > out & exec 3> pipe; cat d3 >&3; "
            f"for i in $(seq 100); do [ $(wc -l < out) = {len(expected)} ] && break; sleep 0.1; done; cat out > early; "
            "exec 3>&-; wait; cmp early out; md5sum < out | cut -c-32",
            digest(expected), folder="no-time")
    command = shard("notime.json", "no-time")
    r.check("F5 on Redis", f"{command} --feed < d3; {command} --drain; {command} --results | md5sum | cut -c-32",
            digest(expected), folder="no-time")
    r.check("F5 on Redis", "[ $(redis-cli -u $U --raw HVALS 'streamrun:{no-time:0}:state' | wc -c) -lt 2000 ]",
            folder="no-time")
    # By time, the same results: the records have a time that grows.
    r.check("F5", "$S time.json < d3 | md5sum | cut -c-32", digest(expected), folder="no-time")


def partitions():
    """F6: records that the mixing of several inputs makes late are told, with their number; merged by time none is late."""
    place = r.folder / "partitions"
    records = [(number, 150 * i) for number in range(3) for i in range(1000)]
    for number in range(3):
        (place / str(number)).write_text(
            "".join(f'{{"device":"d{n}","ts":{ts},"value":1.0}}\n' for n, ts in records if n == number))
    (place / "merged").write_text(
        "".join(f'{{"device":"d{n}","ts":{ts},"value":1.0}}\n' for n, ts in sorted(records, key=lambda pair: pair[1])))
    newest = late = 0
    for _, ts in records:
        newest = max(newest, ts)
        late += ts < newest - 2000
    told = f"(?s){late} (values|records) arrived more than 2 s late.*lateness"
    r.check("F6", "cat 0 1 2 | $S dev.json | wc -l", str(len(records) - late), errors=told, folder="partitions")
    r.check("F6", "$S dev.json < merged | wc -l", str(len(records)), folder="partitions")
    one, merged = shard("dev.json", "one-by-one", 2), shard("dev.json", "merged", 2)
    r.check("F6 on Redis", f"for i in 0 1 2; do {one} --feed < $i; done; {one} --feed --end < /dev/null; {one}; "
            f"{one} --results | sort > shards; cat 0 1 2 | $S dev.json 2> /dev/null | sort | cmp - shards; wc -l < shards",
            str(len(records) - late), errors=f"{late} records arrived more than 2 s late", folder="partitions")
    r.check("F6 on Redis", f"{merged} --feed --end < merged; {merged}; {merged} --results | sort > shards; "
            "$S dev.json < merged | sort | cmp - shards; wc -l < shards", str(len(records)), folder="partitions")
    two = shard("dev.json", "two-feeders", 2)
    r.check("F6 on Redis", f"mkfifo feed; {two} --feed < feed 2> /dev/null & exec 3> feed; head -1 0 >&3; sleep 2; "
            f"{two} --feed < 1; code=$?; exec 3>&-; wait; exit $code",
            "", code=2, errors="another process feeds 'two-feeders'", folder="partitions")


def ended():
    """F7: records that would be discarded are refused."""
    command, numbered = shard("dev.json", "ended", 2), shard("dev.json", "numbered", 2)
    first = lines([{"device": "a", "count": 1, "mean": 1.0}])
    r.check("F7", f"{command} --feed --end < 1; {command}; {command} --results", first, folder="ended")
    r.check("F7", f"{command} --feed < 2", "", code=2, errors="the input of 'ended' has ended", folder="ended")
    r.check("F7", f"{command} --results", first, folder="ended")
    r.check("F7", f"{shard('dev.json', 'another', 2)} --feed < 2", "", errors="fed 1 record", folder="ended")
    r.check("F7 numbered", f"{numbered} --feed --numbered < 1", "", folder="ended")
    r.check("F7 numbered", f"{numbered} --feed --numbered < 2", "", code=2, errors="not that of the input", folder="ended")
    r.check("F7 numbered", f"cat 1 2 | {numbered} --feed --numbered --end; {numbered}; {numbered} --results",
            lines([{"device": "a", "count": 1, "mean": 1.0}, {"device": "a", "count": 2, "mean": 3.0}]),
            errors="1 were already there", folder="ended")


def long_key():
    """F8, for which there is no folder: on several machines, a key has at most 1 MiB; an error names a longer one."""
    place = r.folder / "composite-keys"
    (place / "long").write_text('{"k":"%s"}\n' % ("x" * (1 << 20)))
    r.check("F8 on Redis", f"{shard('p.json', 'long')} --feed < long", code=2,
            errors="xxx.* has 1048578 bytes; the limit is 1 MiB", folder="composite-keys")


def late():
    """F9: late records are the lines that were read, also without a key, on one machine and on Redis."""
    expected = '{ "k": "\\u00e9", "t": 1e3, "x": 1.50 }\n{"t":1000}'
    on_time = '{"k":"a","t":5000}\n{"k":"b","t":6000}'
    r.check("F9", "$S f.json --late-output late-lines < in", on_time, errors="2 values arrived more than 0 s late",
            folder="late")
    r.check("F9", "cat late-lines", expected, folder="late")
    command = shard("f.json", "late")
    r.check("F9 on Redis", f"{command} --feed --end < in; {command}; {command} --results", on_time,
            errors="2 records arrived more than 0 s late", folder="late")
    r.check("F9 on Redis", "redis-cli -u $U --raw XRANGE 'streamrun:{late:0}:late' - + | grep -F '{'", expected,
            folder="late")


def composite_keys():
    """F10: equal numbers are one key, within lists and objects, too; the key keeps the form of its first value."""
    expected = lines([
        [1, 1], [1, 2], [1, 3], [[1], 1], [[1], 2], [{"a": 1, "b": 2}, 1], [{"a": 1, "b": 2}, 2], [{"a": 1, "b": 2}, 3],
        [0, 1], [0, 2], [[0], 1], [[0], 2],
    ])
    for file in ("g", "p"):
        r.check("F10", f"$S {file}.json < in", expected, folder="composite-keys")
    command = shard("p.json", "composite")
    r.check("F10 on Redis", f"while read -r line; do echo \"$line\" | {command} --feed; {command} --drain; done < in; "
            f"{command} --results", expected, folder="composite-keys")


try:
    crash()
    object_keys()
    no_time()
    partitions()
    ended()
    long_key()
    late()
    composite_keys()
finally:
    server.process.terminate()
    server.process.wait()
print("F1 to F6, F8 and F9 on Flink: Tests/Cluster/promises.py no-time, late-lines, mixed, retained, settings, loopback, "
      "large-key, lost-manager; Tests/Cluster/cluster.py kill-worker, kill-taskmanager")
r.finish()
