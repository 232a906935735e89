#!/usr/bin/env bash
# Instructions between one call of a function and the next, exactly, by single steps: for machines without counters.
#   Tests/Benchmarks/instructions.sh [--path FILE] FUNCTION SKIP CALLS COMMAND ARGUMENTS…
# FUNCTION is an extended regular expression over mangled names, of which the first that matches is meant. The instructions
# of the first call that is counted go to FILE, an address and a function a line. Linux, x86-64. For a value of W3:
#   Tests/Benchmarks/instructions.sh '9ExecutionC4next7sending2to2atAA0C5EventOSg0A4Core5Value' 100 200 \
#     Tests/Benchmarks/.build/release/Workloads --count 10000 --rounds 1 --ours W3
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
path=/dev/null
if [ "${1:-}" = --path ]; then
  path=$2
  shift 2
fi
if [ $# -lt 4 ]; then
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
function=$1 skip=$2 calls=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${CC:-cc}" -O2 -o "$work/single_step" "$here/Instructions/single_step.c"
nm "$1" | sed -n 's/ [tT] / /p' | sort > "$work/symbols"
place=$(grep -E -m 1 -- "$function" "$work/symbols") || {
  echo "instructions.sh: no function of $1 matches '$function'" >&2
  exit 1
}
"$work/single_step" "$work/symbols" "${place%% *}" "$skip" "$calls" "$path" "$@" > "$work/counts"
swift demangle -compact < "$work/counts"
