#!/usr/bin/env bash
# Random pipelines in every mode under valgrind: a debug build for values that nobody wrote, and a release build for memory
# that is gone (optimized code compares undefined bits whose result it does not use). memory.sh [DEBUG [RELEASE]]: how
# many pipelines, by default 300 and 1,000. Takes half an hour, eight minutes of it for builds; not part of the gate.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind > /dev/null || { apt-get update -qq && apt-get install -y -qq valgrind; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() { # configuration, pipelines, whether undefined values count
  swift build -c "$1" --package-path Tests/Benchmarks --product Differential
  # Valgrind 3.19 does not read Swift's debug information.
  strip --strip-debug -o "$scratch/$1" "$(swift build -c "$1" --package-path Tests/Benchmarks --show-bin-path)/Differential"
  PROPERTIES=$2 THREADS=1 valgrind --quiet --error-exitcode=9 --undef-value-errors="$3" \
    --suppressions=Tests/Reference/valgrind.supp "$scratch/$1"
}
check debug "${1:-300}" yes
check release "${2:-1000}" no
