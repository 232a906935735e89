#!/usr/bin/env python3
"""Faults of a hub's machine, and what the hub does about them: hub_faults.py STREAMHUB

* A full disk: not ready within 10 seconds, still served, and ready again when there is room. Needs root, for a tmpfs.
* Keys that were stolen and replaced beside the hub: it halts, publishes and renews with the new ones, and a client refuses
  what the thief signs. Keys that are missing: not ready, and the log has the reason.
* A second hub for the same folders is refused; a kill leaves no lock.
* A repository that was restored from an older copy is told.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

PROGRAM = os.path.abspath(sys.argv[1])
ENVIRONMENT = dict(os.environ, NO_COLOR="1")
ROLES = ["timestamp", "snapshot", "targets"]
PATIENCE = 30
processes, mounts = [], []


def fail(text):
    raise SystemExit("hub_faults.py: " + text)


def expect(name, actual, expected):
    if actual != expected:
        fail(f"{name}: {actual}, expected {expected}")
    print(f"{name}: {actual}")


class Hub:
    """A repository, its keys, and a hub."""

    def __init__(self, folder):
        self.folder, self.port, self.log = folder, 0, []
        self.run("init", "--no-passphrase")
        self.publish(3, "t")
        self.token = self.run("tokens", "new", "--scope", "admin").strip()

    def run(self, *words, code=0):
        result = subprocess.run(
            [PROGRAM, *words], cwd=self.folder, env=dict(ENVIRONMENT, STREAMHUB_TOKEN=getattr(self, "token", "")),
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
        if code is not None and result.returncode != code:
            fail(f"{words}: exit {result.returncode}, {result.stdout}")
        return result.stdout

    def publish(self, number, name, *options, code=0):
        with open(f"{self.folder}/stream.json", "w") as file:
            json.dump({"source": {"range": {"from": 1, "through": number}}}, file)
        return self.run("publish", "stream.json", "--name", name, *options, code=code)

    def serve(self, *options):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", str(self.port), "--public", *options], cwd=self.folder, env=ENVIRONMENT,
            text=True, stderr=subprocess.PIPE)
        processes.append(self.process)
        line = self.process.stderr.readline()
        if '"started"' not in line:
            fail(f"the hub does not start: {line}")
        self.port = json.loads(line)["port"]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.read, args=[self.process.stderr], daemon=True).start()

    def read(self, lines):
        for line in lines:
            self.log.append(json.loads(line))

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def get(self, path):
        """Returns the status and the reply."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def ready(self, status, seconds=12):
        """Waits until /readyz has a status. Returns the seconds."""
        begin = time.monotonic()
        while (reply := self.get("/readyz"))[0] != status:
            if time.monotonic() - begin > seconds:
                fail(f"/readyz is {reply} after {seconds} s; log: {self.log[-3:]}")
            time.sleep(0.1)
        return time.monotonic() - begin

    def causes(self):
        return [(cause["kind"], cause["status"]) for cause in json.loads(self.get("/health")[1])["causes"]]

    def events(self, *names):
        return [line["event"] for line in self.log if line["event"] in names]

    @property
    def remote(self):
        return ["--repository", self.url, "--keys", "none", "--cache", "cache", "--trust", "root.json"]


def full_disk():
    folder = tempfile.mkdtemp()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], stderr=subprocess.PIPE, text=True)
    if mount.returncode:
        print(f"a full disk: not tried, {mount.stderr.strip()}")
        return
    mounts.append(folder)
    hub = Hub(folder)
    hub.serve()
    hub.ready(200)
    with open(f"{folder}/fill", "wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)) == 4096:
                pass
        except OSError:
            pass
    seconds = hub.ready(503)
    print(f"a full disk: not ready after {seconds:.1f} s, {hub.get('/readyz')[1]}")
    expect("the causes", sorted(set(hub.causes())), [("disk", "warn"), ("storage", "fail")])
    expect("files are served", hub.get("/repository/metadata/timestamp.json")[0], 200)
    expect("the metric", "\nstreamhub_ready 0\n" in hub.get("/metrics")[1], True)
    hub.publish(4, "u", *hub.remote, code=1)
    expect("after a publication that failed", hub.get("/readyz")[0], 503)
    os.remove(f"{folder}/fill")
    print(f"room again: ready after {hub.ready(200):.1f} s")
    hub.publish(5, "u", *hub.remote)
    expect("the log", hub.events("not-ready", "ready"), ["not-ready", "ready"])
    hub.stop()


def stolen_keys():
    hub = Hub(tempfile.mkdtemp())
    hub.serve()
    hub.publish(4, "t", "--percent", "50", *hub.remote)
    # The thief has the keys, and the repository as it was.
    thief = tempfile.mkdtemp()
    for name in ["keys", "repository"]:
        shutil.copytree(f"{hub.folder}/{name}", f"{thief}/{name}")
    for key in os.listdir(f"{thief}/keys"):
        if key.startswith("root-"):
            os.remove(f"{thief}/keys/{key}")
    old = os.listdir(f"{thief}/keys")
    for role in ROLES:
        hub.run("keys", "rotate", role, "--no-passphrase")
    for key in old:
        os.remove(f"{hub.folder}/keys/{key}")
    expect("halt with new keys", hub.run("halt", "t", *hub.remote), "halted t, version 2; clients go back to version 1\n")
    hub.publish(5, "t", "--percent", "10", *hub.remote)
    expect("promote with new keys", hub.run("promote", "t", *hub.remote), "t, version 3, is stable\n")
    expect("ready", hub.ready(200) < 5, True)
    # What the thief signs is newer than anything that clients have seen.
    for _ in range(20):
        subprocess.run([PROGRAM, "renew"], cwd=thief, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(f"{hub.folder}/repository/metadata")
    shutil.copytree(f"{thief}/repository/metadata", f"{hub.folder}/repository/metadata")
    told = hub.run("list", *hub.remote[:2], "--cache", "cache", code=1)
    expect("what the thief signs is refused", "signature" in told or "older" in told, True)
    hub.stop()


def missing_keys():
    hub = Hub(tempfile.mkdtemp())
    hub.serve()
    hub.ready(200)
    time.sleep(1.5)
    elsewhere = tempfile.mkdtemp()
    moved = [key for key in os.listdir(f"{hub.folder}/keys") if key.startswith("timestamp-")]
    for key in moved:
        shutil.move(f"{hub.folder}/keys/{key}", elsewhere)
    print(f"the key of the timestamp is gone: not ready after {hub.ready(503):.1f} s, {hub.get('/readyz')[1]}")
    expect("the causes", [cause for cause in hub.causes() if cause[1] == "fail"], [("keys", "fail")])
    for key in moved:
        shutil.move(f"{elsewhere}/{key}", f"{hub.folder}/keys")
    print(f"it is back: ready after {hub.ready(200):.1f} s")
    expect("the log", hub.events("keys", "not-ready", "ready"), ["keys", "not-ready", "keys", "ready"])
    hub.stop()


def second_hub():
    hub = Hub(tempfile.mkdtemp())
    hub.serve()
    told = hub.run("serve", "--port", "0", code=1)
    expect("a second hub", told, "error: another hub uses the folder 'hub'; give each hub a --state of its own\n")
    told = hub.run("serve", "--port", "0", "--state", "other", code=1)
    expect("another state", told, "error: repository: another hub signs the repository in this folder\n")
    hub.publish(4, "t")
    hub.stop(signal.SIGKILL)
    hub.serve()
    expect("after a kill", hub.ready(200) < 5, True)
    hub.stop()


def older_copy():
    hub = Hub(tempfile.mkdtemp())
    shutil.copytree(f"{hub.folder}/repository", f"{hub.folder}/copy")
    hub.serve()
    for number in (4, 5):
        hub.publish(number, "t", *hub.remote)
    time.sleep(1.5)
    hub.stop()
    shutil.rmtree(f"{hub.folder}/repository")
    shutil.copytree(f"{hub.folder}/copy", f"{hub.folder}/repository")
    hub.log = []
    hub.serve()
    time.sleep(1.5)
    expect("an older copy", [cause for cause in hub.causes() if cause[0] == "older"], [("older", "warn")])
    expect("its log", [line["kind"] for line in hub.log if line["event"] == "warning" and line["kind"] == "older"], ["older"])
    hub.stop()


try:
    for fault in (full_disk, stolen_keys, missing_keys, second_hub, older_copy):
        fault()
finally:
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()
    for folder in mounts:
        subprocess.run(["umount", folder])
