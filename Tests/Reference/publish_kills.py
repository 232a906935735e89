#!/usr/bin/env python3
"""Kills publishers with SIGKILL at any moment, and checks that the repository is the old one or the new one.

    publish_kills.py STREAMHUB [--kills 2000]

After each kill, a client that has followed the repository and a new one read it, and the next publisher continues.
"""
import argparse
import os
import random
import signal
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("streamhub")
parser.add_argument("--kills", type=int, default=2_000)
arguments = parser.parse_args()
PROGRAM = os.path.abspath(arguments.streamhub)
FOLDER = tempfile.mkdtemp()
ENVIRONMENT = dict(os.environ, XDG_CACHE_HOME=FOLDER + "/cache")
random.seed(1)


def hub(*words, **options):
    return subprocess.run(
        [PROGRAM, *words], cwd=FOLDER, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, **options)


def content(value):
    return '{ "stream": [ { "value": %d } ] }' % value


def write(value):
    with open(FOLDER + "/s.json", "w") as file:
        file.write(content(value))


def tuf(*words):
    return hub("tuf", "--metadata-dir", "followed", *words)


assert hub("init", "--no-passphrase").returncode == 0
os.mkdir(FOLDER + "/followed")
assert tuf("init", "root.json").returncode == 0
write(-1)
begin = time.time()
assert hub("publish", "s.json", "--name", "s").returncode == 0
typical = time.time() - begin
current, old, new = -1, 0, 0
number = 0
while number < arguments.kills or not old or not new:
    write(number)
    process = subprocess.Popen(
        [PROGRAM, "publish", "s.json", "--name", "s"], cwd=FOLDER, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(typical * random.uniform(0, 1.2))
    process.send_signal(signal.SIGKILL)
    isFinished = process.wait() == 0
    fresh = hub("pull", "s")
    assert fresh.returncode == 0, fresh.stdout
    isNew = fresh.stdout == content(number)
    assert isNew or (fresh.stdout == content(current) and not isFinished), f"neither old nor new: {fresh.stdout}"
    if number % 20 == 0:
        # What a client has trusted stays acceptable to it.
        followed = tuf("--metadata-url", "repository/metadata", "refresh")
        assert followed.returncode == 0, followed.stdout
    if isNew:
        current, new, typical = number, new + 1, typical / 1.05
    else:
        old, typical = old + 1, typical * 1.025
    number += 1
write(-2)
last = hub("publish", "s.json", "--name", "s")
assert last.returncode == 0, last.stdout
assert hub("pull", "s").stdout == content(-2)
print(f"{number} publishers killed: {old} times the old repository, {new} times the new one, never another")
