#!/usr/bin/env python3
"""Makes an OCI image of one layer: image.py LAYER.tar --program PATH --architecture ARCH --reference NAME:TAG --output FILE

The image layout is that of the OCI's image specification 1.0: blobs by their SHA-256, an index and a version, in a tar
file. The image runs the program as user 65532, in /var/lib/streamrun."""
import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import tarfile

parser = argparse.ArgumentParser()
parser.add_argument("layer")
for name in ["program", "architecture", "reference", "output"]:
    parser.add_argument("--" + name, required=True)
arguments = parser.parse_args()
seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))

blobs = {}


def add(content, media_type):
    """Adds a blob and returns its descriptor."""
    digest = hashlib.sha256(content).hexdigest()
    blobs[digest] = content
    return {"mediaType": media_type, "digest": "sha256:" + digest, "size": len(content)}


def text(value):
    return json.dumps(value, sort_keys=True).encode()


with open(arguments.layer, "rb") as file:
    layer = file.read()
config = {
    "architecture": arguments.architecture,
    "os": "linux",
    "created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "config": {
        "User": "65532:65532",
        "Entrypoint": [arguments.program],
        "Cmd": ["--help"],
        "WorkingDir": "/var/lib/streamrun",
        "StopSignal": "SIGTERM",
        "Volumes": {"/var/lib/streamrun": {}},
    },
    "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
    "history": [{"created_by": "scripts/package.sh"}],
}
vendor = "application/vnd.oci.image."
manifest = {
    "schemaVersion": 2,
    "mediaType": vendor + "manifest.v1+json",
    "config": add(text(config), vendor + "config.v1+json"),
    "layers": [add(gzip.compress(layer, 6, mtime=0), vendor + "layer.v1.tar+gzip")],
}
entry = add(text(manifest), vendor + "manifest.v1+json")
# Podman and Docker name the image by it when they load the archive.
entry["annotations"] = {"org.opencontainers.image.ref.name": "localhost/" + arguments.reference}
index = {"schemaVersion": 2, "mediaType": vendor + "index.v1+json", "manifests": [entry]}

files = [("oci-layout", text({"imageLayoutVersion": "1.0.0"})), ("index.json", text(index))]
files += [("blobs/sha256/" + digest, content) for digest, content in sorted(blobs.items())]
with tarfile.open(arguments.output, "w", format=tarfile.USTAR_FORMAT) as archive:
    for folder in ["blobs", "blobs/sha256"]:
        entry = tarfile.TarInfo(folder)
        entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, seconds
        archive.addfile(entry)
    for name, content in files:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.mtime = len(content), 0o644, seconds
        archive.addfile(entry, io.BytesIO(content))
