#!/usr/bin/env python3
"""How many records a second one machine, a worker, Flink with workers, and PyFlink take, in one run.

    throughput.py --flink FLINK_HOME --streamrun PATH [--pyflink PYTHON] [--records N] [--keys N …] [--file FILE]
    throughput.py --flink FLINK_HOME --streamrun PATH --costs

FILE (Streams/devices.json) is divided by value.device, in the time value.ts; PyFlink does the same by pyflink_peer.py.
A rate of Flink is that of the records beyond the first sixth, so that it does not contain the start: the time of a whole
job less that of a job of a sixth, each the shortest of three. Results are discarded, and there is a checkpoint every 5 seconds.
--costs prints the processor times that cluster_simulation.py computes with.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import worker_speed

HERE = os.path.dirname(os.path.abspath(__file__))


def write(path, count, keys):
    with open(path, "wb") as file:
        for _, _, record in worker_speed.records(count, keys):
            file.write(record + b"\n")


def seconds(command, **options):
    start = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, **options)
    if result.returncode != 0:
        sys.exit(f"throughput.py: {command} failed: {result.stderr[-2000:].decode(errors='replace')}")
    return time.monotonic() - start


def processor_seconds(command, **options):
    """The processor time of a command and of the workers that it waits for, and its log."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, **options)
        _, status, usage = os.wait4(process.pid, 0)
        log.seek(0)
        text = log.read().decode(errors="replace")
    if status != 0:
        sys.exit(f"throughput.py: {command} failed: {text[-2000:]}")
    return usage.ru_utime + usage.ru_stime, text


def costs(options, launcher, folder):
    """Processor times of a job less those of a job of a sixth, and what a snapshot adds."""
    path = os.path.join(folder, "records")
    job = [launcher, "run", options.file, "--sink", "discard", "--parallelism", "2", "--flink", options.flink,
           "--streamrun", options.streamrun]

    def flink(data, interval):
        command = [*job, "--source", "file:" + data, "--checkpoint-interval", str(interval)]
        time, log = processor_seconds(command, env={**os.environ, "STREAMFLINK_LOG": "INFO"})
        return time, sum(int(count) for count in re.findall(r"stored (\d+) snapshots", log))

    write(path, options.records, 1_000)
    part, few = head(path, options.records // 6)
    repetitions = range(options.repetitions)
    whole = min(flink(path, 60_000)[0] for _ in repetitions) - min(flink(part, 60_000)[0] for _ in repetitions)
    print(f"Flink with its workers: {whole / (options.records - few) * 1e6:.2f} µs for a record", flush=True)
    write(path, options.records, 100_000)
    seldom, often = (min(flink(path, interval) for _ in repetitions) for interval in (60_000, 1_000))
    print(f"a snapshot: {(often[0] - seldom[0]) / (often[1] - seldom[1]) * 1e6:.2f} µs, from {often[1]} and {seldom[1]}",
          flush=True)


def rate(part, whole, run, repetitions):
    """The rate of the records that the whole has more than the part, by the shortest times of each."""
    times = [(run(whole[0]), run(part[0])) for _ in range(repetitions)]
    return (whole[1] - part[1]) / (min(time for time, _ in times) - min(time for _, time in times))


def head(path, count):
    part = f"{path}-{count}"
    with open(part, "wb") as file:
        subprocess.run(["head", "-n", str(count), path], stdout=file, check=True)
    return part, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flink", required=True)
    parser.add_argument("--streamrun", required=True)
    parser.add_argument("--pyflink", help="a Python with apache-flink and all that it depends on")
    parser.add_argument("--records", type=int, default=3_000_000)
    parser.add_argument("--keys", type=int, nargs="*", default=[1_000, 100_000])
    parser.add_argument("--file", default=os.path.join(HERE, "..", "..", "Streams", "devices.json"))
    parser.add_argument("--python-records", type=int, default=60_000)
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    if not os.access(options.streamrun, os.X_OK):
        parser.error(f"'{options.streamrun}' is no program")
    launcher = os.path.join(HERE, "..", "..", "Sources", "StreamFlink", "streamflink")
    with tempfile.TemporaryDirectory() as folder:
        if options.costs:
            return costs(options, launcher, folder)
        for keys in options.keys:
            path = os.path.join(folder, "records")
            write(path, options.records, keys)
            whole, part = (path, options.records), head(path, options.records // 6)

            def say(name, value, base=None):
                compared = f", {value / base:,.0f} times PyFlink" if base else ""
                print(f"{keys} keys, {name}: {value:,.0f} records/s{compared}", flush=True)

            def alone(data):
                with open(data, "rb") as source:
                    return seconds([options.streamrun, options.file], stdin=source)

            def flink(data, tasks):
                return seconds([launcher, "run", options.file, "--source", "file:" + data, "--sink", "discard",
                                "--parallelism", str(tasks), "--checkpoint-interval", "5000",
                                "--flink", options.flink, "--streamrun", options.streamrun])

            def python(data, tasks):
                return seconds([options.pyflink, os.path.join(HERE, "pyflink_peer.py"), data, str(tasks)])

            say("streamrun FILE", rate(part, whole, alone, options.repetitions))
            for tasks in (1, 2):
                base = None
                if options.pyflink:
                    few = head(path, options.python_records), head(path, options.python_records // 6)
                    base = rate(few[1], few[0], lambda data: python(data, tasks), 1)
                    say(f"PyFlink, {tasks} tasks", base)
                value = rate(part, whole, lambda data: flink(data, tasks), options.repetitions)
                say(f"Flink with workers, {tasks} tasks", value, base)


if __name__ == "__main__":
    main()
