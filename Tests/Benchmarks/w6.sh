#!/usr/bin/env bash
# Lines of JSON, and rows of a table, through a whole process, beside others: Tests/Benchmarks/w6.sh [--quick]
# Prints workload, peer, nanoseconds that pass a line, the ratio to ours, nanoseconds of processor time a line, MB/s and
# resident MB, tab-separated; what it does goes to standard error. Peers that cannot be had are left out. Python's come
# from PyPI into $STREAMRUN_PEERS, a virtual environment outside the repository that is kept; simdjson is Debian's
# libsimdjson-dev, Miller its miller.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
peers=${STREAMRUN_PEERS:-${TMPDIR:-/tmp}/streamrun-w6-peers}

swift build -c release --package-path "$root" --product streamrun >&2
streamrun=$(swift build -c release --package-path "$root" --show-bin-path)/streamrun
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=python3
if [ -x "$peers/bin/python" ] || python3 -m venv "$peers" > /dev/null 2>&1; then
  python=$peers/bin/python
  "$python" -m pip install --quiet --disable-pip-version-check orjson > /dev/null 2>&1 ||
    echo "w6.sh: orjson cannot be installed from PyPI; going on without it" >&2
else
  echo "w6.sh: no virtual environment can be made in $peers; going on without the peers from PyPI" >&2
fi
if ! "${CXX:-g++}" -std=c++17 -O3 -o "$work/simdjson" "$here/Peers/w6_simdjson.cpp" -lsimdjson 2> "$work/log"; then
  echo "w6.sh: the simdjson program cannot be built (apt-get install libsimdjson-dev g++); going on without it" >&2
fi
"$python" "$here/Peers/w6_peers.py" "$streamrun" "$here/Streams/w6.json" "$work" "$@"
