#!/usr/bin/env bash
# Live streams from eight threads at once, a minute for each test, files that are read ahead, replays, and the answers of
# the studio, under the thread sanitizer. Takes ten minutes, most of them for a build of its own; not part of the gate.
set -euo pipefail
cd "$(dirname "$0")/../.."

scratch=${1:-.build-tsan}
swift build --build-tests --sanitize=thread --scratch-path "$scratch"
CONCURRENCY_SECONDS=60 swift test --skip-build --sanitize=thread --scratch-path "$scratch" \
  --filter "ConcurrencyTests|ReadAheadTests|DifferentialLinesTests|RecordedRowsTests|ReplayedTrialTests|StudioTests"
