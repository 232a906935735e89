#!/usr/bin/env python3
"""Compares `streamhub tuf` and the repositories of StreamSharing with python-tuf, the reference implementation.

`repositories.py STREAMHUB` makes random repositories with python-tuf (consistent snapshots or not, delegations by patterns, by
hashes and in bins, rotations of the root, thresholds, Ed25519, ECDSA and RSA-PSS) and reads them with streamhub, from
a folder and over HTTP. With --ours, python-tuf also reads the repositories in a folder that the tests of
StreamSharing have written (SHARING_REPOSITORIES). Needs the packages tuf and securesystemslib[crypto].
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
from datetime import datetime, timedelta, timezone
from hashlib import sha256

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole, Delegations, Metadata, MetaFile, Root, Snapshot, SuccinctRoles, TargetFile, Targets, Timestamp)
from tuf.ngclient import Updater
from tuf.ngclient.fetcher import FetcherInterface

TOP = ("root", "timestamp", "snapshot", "targets")


class Keys:
    """Signers of all kinds, generated once: RSA keys take long."""

    def __init__(self):
        self.signers = (
            [CryptoSigner.generate_ed25519() for _ in range(6)]
            + [CryptoSigner.generate_ecdsa() for _ in range(5)]
            + [CryptoSigner.generate_rsa() for _ in range(3)])

    def some(self, chance):
        """One to three signers and a threshold that they reach."""
        signers = chance.sample(self.signers, chance.randint(1, 3))
        return signers, chance.randint(1, len(signers))


class Repository:
    """A random repository in a folder."""

    def __init__(self, folder, keys, chance):
        self.folder, self.keys, self.chance = pathlib.Path(folder), keys, chance
        self.expires = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=30)
        self.consistent = chance.random() < 0.7
        self.contents = {}
        (self.folder / "metadata").mkdir(parents=True)
        self.root = Metadata(Root(version=1, expires=self.expires, consistent_snapshot=self.consistent))
        self.signers = {}
        for role in TOP:
            self.give_keys(role)
        self.sign_root([])
        for _ in range(chance.randint(0, 3)):
            self.rotate()
        self.roles = {}
        self.make_targets()
        self.publish()

    def give_keys(self, role):
        signers, threshold = self.keys.some(self.chance)
        for keyid in list(self.root.signed.roles[role].keyids):
            self.root.signed.revoke_key(keyid, role)
        for signer in signers:
            self.root.signed.add_key(signer.public_key, role)
        self.root.signed.roles[role].threshold = threshold
        self.signers[role] = signers

    def sign_root(self, former):
        self.root.signatures.clear()
        for signer in {s.public_key.keyid: s for s in [*former, *self.signers["root"]]}.values():
            self.root.sign(signer, append=True)
        version = self.root.signed.version
        self.root.to_file(str(self.folder / "metadata" / f"{version}.root.json"))

    def rotate(self):
        former = self.signers["root"]
        for role in self.chance.sample(TOP, self.chance.randint(1, 4)):
            self.give_keys(role)
        self.root.signed.version += 1
        self.sign_root(former)

    def add_targets(self, role, prefix):
        for number in range(self.chance.randint(0, 3)):
            path = f"{prefix}{self.chance.choice(['a', 'b/c', 'ä ö', 'd%2Fe', 'f+g'])}{number}.json"
            if path not in self.contents:
                self.add_target(role, path)

    def add_target(self, role, path):
        data = bytes(self.chance.randrange(256) for _ in range(self.chance.randint(0, 200)))
        self.contents[path] = data
        self.roles[role][0].signed.targets[path] = TargetFile.from_data(path, data, ["sha256"])
        place = self.folder / "targets" / path
        if self.consistent:
            place = place.with_name(f"{sha256(data).hexdigest()}.{place.name}")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def make_targets(self):
        self.roles["targets"] = (Metadata(Targets(version=1, expires=self.expires)), self.signers["targets"])
        self.add_targets("targets", "")
        if self.chance.random() < 0.3:
            self.make_bins()
        else:
            for number in range(self.chance.randint(0, 3)):
                self.delegate("targets", f"role{number}", f"team{number}/")

    def delegated(self, parent, name):
        signers, threshold = self.keys.some(self.chance)
        self.roles[name] = (Metadata(Targets(version=self.chance.randint(1, 5), expires=self.expires)), signers)
        content = self.roles[parent][0].signed
        if content.delegations is None:
            content.delegations = Delegations({}, {})
        for signer in signers:
            content.delegations.keys[signer.public_key.keyid] = signer.public_key
        return [s.public_key.keyid for s in signers], threshold

    def delegate(self, parent, name, prefix):
        keyids, threshold = self.delegated(parent, name)
        if self.chance.random() < 0.5:
            patterns, prefixes = [f"{prefix}*", f"{prefix}*/*", f"{prefix}?[b-z]*.json"], None
        else:
            patterns, prefixes = None, [digit for digit in "0123456789abcdef"]
        self.roles[parent][0].signed.delegations.roles[name] = DelegatedRole(
            name, keyids, threshold, terminating=False, paths=patterns, path_hash_prefixes=prefixes)
        self.add_targets(name, prefix)
        if self.chance.random() < 0.4 and parent == "targets":
            self.delegate(name, name + "-inner", prefix)

    def make_bins(self):
        signers, threshold = self.keys.some(self.chance)
        bits = self.chance.randint(1, 5)
        bins = SuccinctRoles([s.public_key.keyid for s in signers], threshold, bits, "bin")
        self.roles["targets"][0].signed.delegations = Delegations(
            {s.public_key.keyid: s.public_key for s in signers}, succinct_roles=bins)
        for name in bins.get_roles():
            self.roles[name] = (Metadata(Targets(version=1, expires=self.expires)), signers)
        for number in range(8):
            path = f"files/{number}.json"
            self.add_target(bins.get_role_for_target(path), path)

    def publish(self):
        snapshot = Snapshot(version=self.chance.randint(1, 9), expires=self.expires, meta={})
        for name, (metadata, signers) in self.roles.items():
            snapshot.meta[f"{name}.json"] = self.write(name, metadata, signers)
        timestamp = Timestamp(version=self.chance.randint(1, 9), expires=self.expires)
        timestamp.snapshot_meta = self.write("snapshot", Metadata(snapshot), self.signers["snapshot"])
        self.write("timestamp", Metadata(timestamp), self.signers["timestamp"])

    def write(self, name, metadata, signers):
        for signer in signers:
            metadata.sign(signer, append=True)
        version = metadata.signed.version
        isVersioned = self.consistent and name != "timestamp"
        file = self.folder / "metadata" / (f"{version}.{name}.json" if isVersioned else f"{name}.json")
        data = metadata.to_bytes()
        file.write_bytes(data)
        if self.chance.random() < 0.5:
            return MetaFile(version)
        return MetaFile(version, len(data), {"sha256": sha256(data).hexdigest()})


def run(command, *arguments):
    return subprocess.run([command, "tuf", *arguments], capture_output=True, text=True, timeout=60)


def read_theirs(command, folder, repository, place):
    """Reads a repository of python-tuf. Returns what is wrong."""
    trusted, files = folder / "trusted", folder / "files"
    trusted.mkdir()
    files.mkdir()
    client = ["--metadata-dir", str(trusted), "--metadata-url", f"{place}/metadata"]
    first = run(command, "--metadata-dir", str(trusted), "init", str(repository.folder / "metadata" / "1.root.json"))
    if first.returncode != 0:
        return f"init: {first.stderr}"
    refreshed = run(command, *client, "refresh")
    if refreshed.returncode != 0:
        return f"refresh: {refreshed.stderr}"
    options = [*client, "--target-base-url", f"{place}/targets", "--target-dir", str(files)]
    names = [option for path in repository.contents for option in ("--target-name", path)]
    if names:
        loaded = run(command, *options, *names, "download")
        if loaded.returncode != 0:
            return f"download: {loaded.stderr}"
    if sorted(f.read_bytes() for f in files.iterdir()) != sorted(repository.contents.values()):
        return "other bytes were downloaded"
    missing = run(command, *options, "--target-name", "no such target", "download")
    if missing.returncode != 1 or "no role of the repository has this target" not in missing.stderr:
        return f"a missing target: {missing.returncode} {missing.stderr}"
    return None


class FolderFetcher(FetcherInterface):
    """Lets python-tuf read a folder."""

    def _fetch(self, url):
        from tuf.api.exceptions import DownloadHTTPError
        from urllib.parse import unquote
        # python-tuf quotes the names of roles, but not those of targets.
        path = url.removeprefix("folder:/")
        for place in (pathlib.Path(path), pathlib.Path(unquote(path))):
            if place.is_file():
                return iter([place.read_bytes()])
        raise DownloadHTTPError("missing", 404)


def read_ours(folder, scratch):
    """Reads a repository of StreamSharing with python-tuf. Returns what is wrong."""
    updater = Updater(
        metadata_dir=str(scratch), metadata_base_url=f"folder:/{folder}/metadata/", target_dir=str(scratch),
        target_base_url=f"folder:/{folder}/targets/", fetcher=FolderFetcher(),
        bootstrap=(folder / "metadata" / "1.root.json").read_bytes())
    updater.refresh()
    expected = json.loads((folder / "expected.json").read_text())
    for path, text in expected.items():
        target = updater.get_targetinfo(path)
        if target is None:
            return f"there is no target {path}"
        if pathlib.Path(updater.download_target(target, str(scratch / "target"))).read_text() != text:
            return f"other bytes of {path}"
    if updater.get_targetinfo("no such target") is not None:
        return "a target that does not exist"
    return None


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("command")
    parser.add_argument("--ours", type=pathlib.Path, help="a folder of repositories that StreamSharing has written")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    keys, passed, failed = Keys(), 0, 0

    def count(name, problem):
        nonlocal passed, failed
        passed, failed = (passed + 1, failed) if problem is None else (passed, failed + 1)
        if problem is not None:
            print(f"{name}: {problem}", file=sys.stderr)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=str(scratch)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for seed in range(options.seed, options.seed + options.count):
            folder = scratch / str(seed)
            repository = Repository(folder / "repository", keys, random.Random(seed))
            place = str(repository.folder)
            if seed % 2:
                place = f"http://127.0.0.1:{server.server_port}/{seed}/repository"
            count(f"seed {seed}", read_theirs(os.path.abspath(options.command), folder, repository, place))
        server.shutdown()
        for number, folder in enumerate(sorted(options.ours.iterdir()) if options.ours else []):
            (scratch / f"ours{number}").mkdir()
            try:
                problem = read_ours(folder.absolute(), scratch / f"ours{number}")
            except Exception as error:  # A refusal of python-tuf, which names it.
                problem = f"{type(error).__name__}: {error}"
            count(folder.name, problem)
    print(f"python-tuf and streamhub: {passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
