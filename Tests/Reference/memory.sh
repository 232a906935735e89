#!/usr/bin/env bash
# Random pipelines in every mode under valgrind: a debug build for values that nobody wrote, and a release build for memory
# that is gone (optimized code compares undefined bits whose result it does not use). memory.sh [DEBUG [RELEASE]]: how
# many pipelines, by default 300 and 1,000. Takes half an hour, eight minutes of it for builds; not part of the gate.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind > /dev/null || { apt-get update -qq && apt-get install -y -qq valgrind; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Reports that are not about the runtime's own memory. Swift's runtime lays out a generic type before all of it is known,
# so that offsets of fields count as undefined afterwards: their origin is its allocator of metadata, or, with key paths,
# a variable of its own.
ours() { # log
  python3 - "$1" << 'PYTHON'
import re
import sys

text = re.sub(r"^==\d+== ?", "", open(sys.argv[1]).read(), flags=re.M)
reports = [report for report in text.split("\n\n") if report.strip()]
runtime = re.compile(r"swift::MetadataAllocator::Allocate|created by a stack allocation\n +at [^\n]*libswiftCore\.so")
ours = [report for report in reports if not runtime.search(report)]
print(f"{len(reports) - len(ours)} reports about the runtime's memory, {len(ours)} others")
if ours:
    print("\n\n".join(ours[:20]))
    sys.exit(9)
PYTHON
}

check() { # configuration, pipelines, whether undefined values count, and where they come from
  swift build -c "$1" --package-path Tests/Benchmarks --product Differential
  # Valgrind 3.19 does not read Swift's debug information.
  strip --strip-debug -o "$scratch/$1" "$(swift build -c "$1" --package-path Tests/Benchmarks --show-bin-path)/Differential"
  PROPERTIES=$2 THREADS=1 valgrind --quiet --log-file="$scratch/$1.log" --undef-value-errors="$3" --track-origins="$3" \
    "$scratch/$1"
  ours "$scratch/$1.log"
}
check debug "${1:-300}" yes
check release "${2:-1000}" no
