#!/bin/bash
# Instructions that ours take for a value, counted by valgrind: figures that do not depend on what else the machine does.
#
#   Tests/Benchmarks/instructions.sh [NAME...]
#
# Prints `workload<TAB>instructions_per_value`: of runs of two lengths the difference, so that starting costs nothing.
set -euo pipefail
cd "$(dirname "$0")"
command -v valgrind > /dev/null || { echo "instructions.sh: skipped, there is no valgrind (apt-get install valgrind)"; exit 0; }
swift build -c release --product Workloads > /dev/null
tool=$(swift build -c release --show-bin-path)/Workloads

# count NAME VALUES: all instructions of one run
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$tool" --ours --rounds 1 --count "$2" "$1" 2>&1 > /dev/null |
    sed -n 's/.*Collected : //p'
}

printf 'workload\tinstructions_per_value\n'
[ $# -gt 0 ] || set -- W1 W2 W3 'W4, declared' 'W4, dynamic' 'W5, zip' 'W5, combineLatest' 'W5, merge' 'W7, make' W8
for name in "$@"; do
  # How many of the values that are asked for a workload takes: see `workloads` in main.swift.
  case $name in W7*) share=10 ;; W8*) share=100 ;; *) share=1 ;; esac
  few=$((20000 * share)) many=$((40000 * share))
  printf '%s\t%s\n' "$name" $((($(count "$name" $many) - $(count "$name" $few)) * share / (many - few)))
done
