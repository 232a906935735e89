#!/usr/bin/env python3
"""Runs the tests of python-tuf's client against `streamhub tuf`.

`reference_suite.py STREAMHUB FOLDER`: FOLDER is an unpacked source distribution of python-tuf, whose repository
simulator is served over HTTP on the loopback interface; python-tuf's `Updater` is replaced by calls of the command.
Tests that look into the `Updater` (which files it opens, its own errors for arguments) are left out, one by one, below.
Needs the packages tuf, securesystemslib[crypto] and freezegun, and the program faketime.
"""

import datetime
import http.server
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from urllib.parse import unquote

from tuf.api import exceptions
from tuf.api.metadata import TargetFile

MODULES = ("consistent_snapshot", "delegation_graphs", "fetch_target", "key_rotations", "top_level_update")

# What is left out, and why.
LEFT_OUT = {
    "test_load_metadata_from_cache": "counts the files that python-tuf opens",
    "test_not_loading_targets_twice": "counts the files that python-tuf opens",
    "test_intermediate_root_cache": "counts the files that python-tuf opens",
    "test_intermediate_root_cache_poisoning": "writes into python-tuf's own cache of older roots",
    "test_cached_root_missing_without_bootstrap": "python-tuf makes no folder without a root",
}

ERRORS = (
    ("expired at", exceptions.ExpiredMetadataError),
    ("valid signature", exceptions.UnsignedMetadataError),
    ("is older than version", exceptions.BadVersionNumberError),
    ("; expected ", exceptions.BadVersionNumberError),
    ("are signed", exceptions.LengthOrHashMismatchError),
    ("is not the signed one", exceptions.LengthOrHashMismatchError),
    ("more than", exceptions.DownloadLengthMismatchError),
    ("the repository has no file", exceptions.DownloadHTTPError),
)
LIMITS = {
    "max_root_rotations": "rootRotations", "max_delegations": "delegations", "root_max_length": "rootBytes",
    "timestamp_max_length": "timestampBytes", "snapshot_max_length": "snapshotBytes",
    "targets_max_length": "targetsBytes",
}
MISSING = "no role of the repository has this target"


class Handler(http.server.BaseHTTPRequestHandler):
    simulator = None

    def do_GET(self):
        path = unquote(self.path) if self.path.startswith("/targets/") else self.path
        try:
            data = b"".join(self.simulator._fetch("https://example.com" + path))
        except exceptions.DownloadHTTPError as error:
            self.send_error(error.status_code)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *arguments):
        pass


class Updater:
    """The interface of python-tuf's client over the command."""

    command = ""
    server = ""

    def __init__(
            self, metadata_dir, metadata_base_url, target_dir=None, target_base_url=None, fetcher=None, config=None, *,
            bootstrap):
        self.metadata_dir, self.target_dir, self.simulator = metadata_dir, target_dir, fetcher
        self.isFresh = False
        self.config = types.SimpleNamespace()
        Handler.simulator = fetcher
        os.makedirs(metadata_dir, exist_ok=True)
        if bootstrap is not None and not os.path.exists(os.path.join(metadata_dir, "root.json")):
            with tempfile.NamedTemporaryFile() as root:
                root.write(bootstrap)
                root.flush()
                self._run("init", root.name)

    def _limits(self):
        """The settings that a test has changed, as options."""
        if vars(self.config).get("prefix_targets_with_hash") is False:
            raise unittest.SkipTest("TUF prefixes the names of targets in consistent snapshots")
        return [f"--limit={LIMITS[name]}={value}" for name, value in vars(self.config).items() if name in LIMITS]

    def _run(self, *arguments):
        environment = dict(os.environ)
        real = float(subprocess.run(["date", "+%s"], capture_output=True, check=True).stdout)
        shift = round(datetime.datetime.now(datetime.timezone.utc).timestamp() - real)
        faked = ["faketime", "-f", f"+{shift}s"] if shift > 60 else []
        run = subprocess.run(
            [*faked, self.command, "tuf", "--metadata-dir", self.metadata_dir, "--metadata-url",
             f"{self.server}/metadata", *self._limits(), *arguments], capture_output=True, text=True, env=environment, timeout=120)
        if run.returncode == 0:
            return
        kind = next((kind for text, kind in ERRORS if text in run.stderr), exceptions.RepositoryError)
        if kind is exceptions.DownloadHTTPError:
            raise kind(run.stderr, 404)
        raise kind(run.stderr)

    def refresh(self):
        self._run("refresh")
        self.isFresh = True

    def get_targetinfo(self, target_path):
        """Downloads the target to a place of no interest: the command finds targets only to download them."""
        metadata, targets = self.simulator.fetch_tracker.metadata, self.simulator.fetch_tracker.targets
        before = (len(metadata), len(targets))
        found = True
        try:
            with tempfile.TemporaryDirectory() as scratch:
                self._download(target_path, scratch)
        except exceptions.RepositoryError as error:
            if MISSING not in str(error):
                raise
            found = False
        except exceptions.DownloadHTTPError as error:
            # The simulator has the description of a target, not its bytes.
            if target_path in self.simulator.target_files:
                raise
        finally:
            del targets[before[1]:]
            if self.isFresh:
                # python-tuf does not refresh again; each call of the command does.
                metadata[before[0]:] = [
                    (role, version) for role, version in metadata[before[0]:] if role not in ("root", "timestamp")]
            self.isFresh = True
        if not found:
            return None
        known = self.simulator.target_files.get(target_path)
        return known.target_file if known else TargetFile.from_data(target_path, b"", ["sha256"])

    def _download(self, path, folder):
        self._run(
            "--target-base-url", f"{self.server}/targets", "--target-dir", folder, f"--target-name={path}", "download")

    def download_target(self, targetinfo, filepath=None, target_base_url=None):
        os.makedirs(self.target_dir, exist_ok=True)
        place = filepath or self._place(targetinfo)
        # python-tuf downloads again what is there; the command does not.
        pathlib.Path(self._place(targetinfo)).unlink(missing_ok=True)
        metadata = self.simulator.fetch_tracker.metadata
        before = len(metadata)
        self._download(targetinfo.path, self.target_dir)
        del metadata[before:]
        return place

    def _place(self, targetinfo):
        from urllib.parse import quote
        return os.path.join(self.target_dir, quote(targetinfo.path, ""))

    def find_cached_target(self, targetinfo, filepath=None):
        place = filepath or self._place(targetinfo)
        try:
            targetinfo.verify_length_and_hashes(pathlib.Path(place).read_bytes())
        except (OSError, exceptions.LengthOrHashMismatchError):
            return None
        return place


def cases(suite):
    for case in suite:
        if isinstance(case, unittest.TestSuite):
            yield from cases(case)
        else:
            yield case


def main():
    command, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    sys.path.insert(0, folder)
    import tuf.ngclient
    tuf.ngclient.Updater = Updater
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Updater.command, Updater.server = command, f"http://127.0.0.1:{server.server_port}"
    suite, leftOut = unittest.TestSuite(), []
    for name in MODULES:
        module = importlib.import_module(f"tests.test_updater_{name}")
        for case in cases(unittest.defaultTestLoader.loadTestsFromModule(module)):
            if case.id().rsplit(".", 1)[1] in LEFT_OUT:
                leftOut.append(case.id())
            else:
                suite.addTest(case)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    bad = len(result.failures) + len(result.errors)
    print(f"python-tuf's tests of its client, against streamhub: {result.testsRun - bad} passed, {bad} failed, "
          f"{len(leftOut)} skipped")
    return 0 if result.wasSuccessful() else 1


sys.exit(main())
