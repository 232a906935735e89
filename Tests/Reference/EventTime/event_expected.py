"""Windows, sessions and late values beside plain computations, which share nothing with any engine."""

import datetime
import json
import random
import traceback

from event_cases import SECOND, UNITS, lines_of, text_of_time
from event_doors import Folder, Problem
from eventtime import Clock, arrange
from windows import windows

UTC = datetime.timezone.utc
# Days of 23, 24.5 and 25 hours, days that begin at one, and one that is missing.
ZONES = {
    "Europe/Berlin": ["2024-03-30", "2024-10-26"], "America/Sao_Paulo": ["2018-11-03", "2018-02-17"],
    "Australia/Lord_Howe": ["2024-04-06", "2024-10-05"], "America/Havana": ["2024-03-09", "2024-11-02"],
    "Asia/Kolkata": ["2024-06-01", "1999-12-30"], "Pacific/Apia": ["2011-12-28", "2011-12-29"],
}


def recording(rng, base, spread, boundary):
    """[(time, value)] in nanoseconds; many of them lie at a boundary, or right before it."""
    times, time = [], base
    for _ in range(rng.choice([1, 5, 40])):
        time += rng.choice([1, spread // 10, spread // 3, spread, spread * 3])
        times.append(time)
    times += [boundary * (time // boundary) + rng.choice([0, -1, 1]) for time in times if rng.random() < 0.5]
    return [(time, rng.randrange(100)) for time in sorted(times) if time >= base]


def shuffled(rng, records, lateness):
    return sorted(records, key=lambda record: record[0] + rng.randint(0, lateness))


def declared(lateness, form="ns"):
    time = {"expression": "value.t", "unit": "ns"} if form == "ns" else {"expression": "timestamp(value.t)"}
    return {"a": {"time": {**time, "lateness": lateness / SECOND}}}


def run(binary, model, records, form="ns"):
    with Folder(binary) as folder:
        folder.write("s.json", model)
        stdin = lines_of([{"t": time if form == "ns" else text_of_time(time), "v": value} for time, value in records])
        code, output, errors = folder.run("s.json", stdin=stdin)
        if code:
            raise Problem(f"exit code {code}: {errors}")
        return [json.loads(line) for line in output.splitlines()]


def require(what, got, wanted, model, records):
    if got != wanted:
        at = next((at for at, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), min(len(got), len(wanted)))
        raise Problem(
            f"== {what}\n{json.dumps(model)}\n-- {len(records)} records: {records[:60]}\n-- from the result {at} on, expected\n"
            f"{wanted[at:at + 4]}\n-- printed\n{got[at:at + 4]}")


def aligned(binary, rng):
    """Count and sum of aligned windows, by `window` and by `collectTime`."""
    zone = rng.choice([None] + list(ZONES))
    if zone is None:
        length = rng.choice([1, 7, 60, 3600, 86_400, 90_000]) * SECOND if rng.random() < 0.8 else 250_000_000
        hop = rng.choice([length, length, length // 2, length // 5, length * 2])
        offset = rng.choice([0, 0, length // 3 // 10**6 * 10**6, hop])
        base = rng.choice([1_600_000_000, 10, 4_000_000_000]) * SECOND
    else:
        hours = rng.choice([1, 6, 12, 24, 24, 24, 48, 168])
        length = hours * 3600 * SECOND
        hop = rng.choice([length, length, 24 * 3600 * SECOND, 6 * 3600 * SECOND, 48 * 3600 * SECOND])
        offset = rng.choice([0, 0, 2, 5]) * 3600 * SECOND
        date = datetime.datetime.fromisoformat(rng.choice(ZONES[zone]))
        base = int(date.replace(tzinfo=UTC).timestamp()) * SECOND
    records = recording(rng, base, min(length, 43_200 * SECOND) + 1, 3600 * SECOND if zone else hop)
    lateness = rng.choice([0, length // 2, 3 * length])
    empty = zone is None and len(records) < 8 and rng.random() < 0.5
    times = [time for time, _ in records]
    least = rng.choice([0, 0, 50, 1000])  # values below it are left out before the windows
    wanted = []
    for start, end in windows(times[0], times[-1], length, hop, offset, zone):
        inside = [value for time, value in records if start <= time < end and value >= least]
        # A window without values exists from the first value of the input to the last one.
        if inside or empty and end > times[0] and start <= times[-1]:
            wanted.append([text_of_time(start), text_of_time(end), len(inside), sum(inside)])
    if len(wanted) > 3000:
        return None
    fields = {"seconds": Clock.plain(length), "align": "clock"}
    fields.update({"hop": Clock.plain(hop)} if hop != length else {})
    fields.update({"offset": Clock.plain(offset)} if offset else {})
    fields.update({"zone": zone} if zone else {})
    fields.update({"emitEmpty": True} if empty else {})
    if rng.random() < 0.5:
        sums = {"reduce": {"initialValue": [0, 0], "expression": "[acc[0] + 1, acc[1] + value.v]"}}
        shape = {"map": {"expression": "[string(windowStart), string(windowEnd), value[0], value[1]]"}}
        operator = {"window": {**fields, "operators": [sums, shape]}}
    else:
        shape = "[string(windowStart), string(windowEnd), value.size(), value.map(x, x.v).sum()]"
        if empty:
            shape = shape.replace("value.map(x, x.v).sum()", "value == [] ? 0 : int(value.map(x, x.v).sum())")
        operator = {"collectTime": {**fields, "expression": shape}}
    form = rng.choice(["ns", "text"])
    operators = [{"filter": {"expression": f"value.v >= {least}"}}] * (least > 0) + [operator]
    model = {"inputs": declared(lateness, form), "source": {"input": {"name": "a"}}, "operators": operators}
    mixed = shuffled(rng, records, lateness)
    require("aligned", run(binary, model, mixed, form), wanted, model, mixed)
    return "aligned " + next(iter(operator)) + (" zone" if zone else "")


def sessions(binary, rng):
    """Groups that end after a silence: a value right at its end still belongs to the group."""
    gap = rng.choice([1, 10, 600]) * SECOND
    base, records, time = 1_700_000_000 * SECOND, [], 0
    for _ in range(rng.choice([1, 10, 60])):
        time += rng.choice([0, gap // 3, gap - 1, gap, gap + 1, gap * 2])
        records.append((base + time, rng.randrange(3)))
    open_sessions, wanted = {}, []
    for time, key in records:
        if key in open_sessions and time - open_sessions[key][2] <= gap:
            session = open_sessions[key]
            session[2], session[3] = time, session[3] + 1
        else:
            if key in open_sessions:
                wanted.append(open_sessions[key])
            open_sessions[key] = [key, time, time, 1]
    wanted += open_sessions.values()
    wanted = sorted([key, text_of_time(first), text_of_time(last), count] for key, first, last, count in wanted)
    # The least and the greatest time, so that the order within a group does not matter.
    fold = "acc.size() == 0 ? [key, string(now()), string(now()), 1] : [key, acc[1], string(now()), int(acc[3]) + 1]"
    model = {
        "inputs": declared(gap), "source": {"input": {"name": "a"}},
        "operators": [{"groupBy": {"key": "value.v", "idle": gap / SECOND, "operators": [
            {"reduce": {"initialValue": [], "expression": fold}}]}}]}
    mixed = shuffled(rng, records, gap)
    require("sessions", sorted(run(binary, model, mixed)), wanted, model, mixed)
    return "sessions"


def unaligned(binary, rng):
    """Windows from the first value on: a value right at the end of a window belongs to it."""
    length = rng.choice([1, 10]) * SECOND
    base, records, time = 1_700_000_003 * SECOND, [], 0
    for _ in range(rng.choice([1, 10, 60])):
        records.append((base + time, rng.randrange(100)))
        time += rng.choice([0, length // 2, length - 1, length, 1, length * 3])
    wanted, end, inside = [], base + length, []
    for time, value in records:
        while time > end:
            wanted.append(inside)
            inside, end = [], end + length
        inside.append(value)
    wanted.append(inside)
    operator = rng.choice([
        {"collectTime": {"seconds": length // SECOND, "emitEmpty": True}},
        {"window": {"seconds": length // SECOND, "operators": [{"collect": {}}]}}])
    model = {"inputs": declared(2 * length), "source": {"input": {"name": "a"}},
             "operators": [{"map": {"expression": "value.v"}}, operator]}
    mixed = shuffled(rng, records, 2 * length)
    wanted_of = lambda lists: [sorted(inside) for inside in lists]  # noqa: E731 (ties come in the order of arrival)
    require("unaligned", wanted_of(run(binary, model, mixed)), wanted_of(wanted), model, mixed)
    return "unaligned " + next(iter(operator))


def resampled(binary, rng):
    """The recipe of the page: one value for each second, the latest one carried forward."""
    base, records = 1_700_000_000 * SECOND, []
    time = base + rng.randrange(SECOND)
    for _ in range(rng.choice([1, 5, 20])):
        records.append((time, rng.randrange(100)))
        time += rng.choice([1, SECOND // 3, SECOND, 4 * SECOND])
    wanted, latest = [], None
    for second in range(records[0][0] // SECOND, records[-1][0] // SECOND + 1):
        latest = next((value for time, value in reversed(records) if time // SECOND == second), latest)
        wanted.append([text_of_time(second * SECOND), latest])
    operators = [
        {"collectTime": {"seconds": 1, "align": "clock", "emitEmpty": True,
                         "expression": "{'t': windowStart, 'values': value.map(x, x.v)}"}},
        {"scan": {"initialValue": {"v": None}, "expression":
                  "{'t': value.t, 'v': value.values == [] ? acc.v : value.values[value.values.size() - 1]}"}},
        {"map": {"expression": "[string(value.t), value.v]"}}]
    model = {"inputs": declared(5 * SECOND), "source": {"input": {"name": "a"}}, "operators": operators}
    mixed = shuffled(rng, records, 5 * SECOND)
    require("resampled", run(binary, model, mixed), wanted, model, mixed)
    return "resampled"


def guarded(work, name):
    """[(name of the check, problem or None)]"""
    try:
        done = work()
        return [(done, None)] if done else []
    except Problem as problem:
        return [(name, str(problem))]
    except Exception:  # noqa: BLE001
        return [(name, traceback.format_exc(limit=-4))]


def check_expected(job):
    binary, seed = job
    rng, results = random.Random(seed), []
    for check in (aligned, aligned, rng.choice([sessions, unaligned, resampled])):
        results += guarded(lambda check=check: check(binary, rng), f"{check.__name__}, seed {seed}")
    return results


# Late values

def check_late(job):
    binary, seed = job
    return guarded(lambda: late(binary, random.Random(seed)), f"late, seed {seed}")


def late(binary, rng):
    """Values that are too late, too far ahead, or out of range, by the model's one definition of `late`."""
    unit = rng.choice(["s", "ms"])
    ticks = 1 if unit == "s" else 1000
    names = ["a"] if rng.random() < 0.7 else ["a", "b"]
    clocks, records, skip = {}, {}, rng.random() < 0.5
    for name in names:
        clocks[name] = Clock(
            unit=unit, lateness=rng.choice([0, 2, 5, 30]) * SECOND, late=rng.choice(["apply", "drop", "output"]),
            max_jump=rng.choice([None, None, 60 * SECOND]))
        now, records[name] = 1_700_000_000 * ticks, []
        for number in range(rng.choice([1, 10, 40])):
            now += rng.choice([0, 1, 1, 3]) * ticks
            time = now - rng.choice([0, 0, 0, 1, 2, 4, 6, 20]) * ticks
            if rng.random() < 0.03:
                time = rng.choice([now + 61 * ticks, now + 60 * ticks, -5, 10**17])
            records[name].append({"t": time, "n": f"{name}{number}"})
    limit = rng.choice([None, None, 3])
    arranged = {}
    for name in names:
        clocks[name].limit = limit
        arranged[name] = arrange(
            [(record["t"] * UNITS[unit], record) for record in records[name]], clocks[name], skips=skip)
    if len(names) == 2 and (any(one.problem for one in arranged.values()) or any(
            clock.late == "output" for clock in clocks.values())):
        return None  # which of them ends the run first depends on how far each is read ahead
    ordered = []
    for place, name in enumerate(names):
        latest = None
        for time, record in arranged[name].ordered:
            latest = time if latest is None else max(latest, time)
            ordered.append((latest, place, record))
    ordered.sort(key=lambda entry: entry[:2])
    model = {"inputs": {name: {"time": clock.declaration()} for name, clock in clocks.items()},
             "source": {"input": {"name": "a"}},
             "operators": ([{"merge": {"with": ["b"]}}] if "b" in names else [])
             + [{"map": {"expression": "[string(now()), value.n]"}}]}
    wanted = [[text_of_time(time), record["n"]] for time, _, record in ordered]
    with Folder(binary) as folder:
        folder.write("s.json", model)
        words = ["s.json", *(["--skip-errors"] if skip else [])]
        if any(clock.late == "output" for clock in clocks.values()):
            words += ["--late-output", "late.ndjson"]
        for name in names:
            folder.write(f"{name}.ndjson", lines_of(records[name]))
            words += ["--input", f"{name}={name}.ndjson"]
        code, output, errors = folder.run(*words)
        got = [json.loads(line) for line in output.splitlines()]
        problem = next((one.problem for one in arranged.values() if one.problem), None)
        said = f"exit code {code}\n{errors}"
        if problem:
            # The values before the bad one may or may not have been delivered.
            if code not in (1, 2) or problem not in errors:
                raise Problem(f"== late\n{json.dumps(model)}\n{records}\nexpected {problem}, got {said}")
            require("late, before the problem", got, wanted[: len(got)], model, records)
            return "late refused"
        require("late, " + said, got, wanted, model, records)
        if code:
            raise Problem(f"== late\n{json.dumps(model)}\n{records}\n{said}")
        for name in names:
            count = arranged[name].late
            if count and f"{count} value{'' if count == 1 else 's'} arrived" not in errors and len(names) == 1:
                raise Problem(f"== late\n{json.dumps(model)}\n{records}\nexpected {count} late values, got {said}")
            if not count and "arrived" in errors and len(names) == 1:
                raise Problem(f"== late\n{json.dumps(model)}\n{records}\nno late values expected, got {said}")
        if skip and (refused := sum(one.refused for one in arranged.values())):
            if f" lines, {refused} value" not in errors:
                raise Problem(f"== late\n{json.dumps(model)}\n{records}\nexpected {refused} skipped values, got {said}")
        wrote = [record["n"] for one in arranged.values() for record in one.output]
        if wrote:
            found = [json.loads(line)["n"] for line in folder.read("late.ndjson").splitlines()]
            require("late output", found, wrote, model, records)
    return "late " + "+".join(sorted({clock.late for clock in clocks.values()}))
