#!/usr/bin/env bash
# Builds the example programs as a user would, runs them, and compares what they print. `typecheck.sh` is the part of the
# gate.
set -euo pipefail
cd "$(dirname "$0")"

swift build
programs=$(swift build --show-bin-path)
"$programs/NameForm" Streams | diff expected.txt -
"$programs/SerialStream" | diff serial-stream.txt -
swift run --package-path MainActor MainActorApp
echo "examples: the form hears what the rules say, and changes its rules while it runs"
