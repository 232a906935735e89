#!/usr/bin/env bash
# CEL beside its peers: Tests/Benchmarks/cel.sh [--quick]
# Prints workload, peer, nanoseconds per value and the ratio to ours, tab-separated; what it does goes to standard error.
# The peers come from PyPI into $STREAMRUN_PEERS, a virtual environment outside the repository that is kept.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
peers=${STREAMRUN_PEERS:-${TMPDIR:-/tmp}/streamrun-cel-peers}

swift build -c release --package-path "$here" --product CELBenchmarks >&2
benchmarks=$(swift build -c release --package-path "$here" --show-bin-path)/CELBenchmarks

python=python3
if [ -x "$peers/bin/python" ] || python3 -m venv "$peers" > /dev/null 2>&1; then
  python=$peers/bin/python
  for package in cel-python==0.5.0 common-expression-language==0.10.0; do
    "$python" -m pip install --quiet --disable-pip-version-check "$package" > /dev/null 2>&1 ||
      echo "cel.sh: $package cannot be installed from PyPI; going on without it" >&2
  done
else
  echo "cel.sh: no virtual environment can be made in $peers; going on without the peers from PyPI" >&2
fi
exec "$python" "$here/Peers/cel_peers.py" "$benchmarks" "$@"
