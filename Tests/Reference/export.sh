#!/usr/bin/env bash
# Exports every stream file to Swift, builds all that is exported in one package against OpenCombine, runs the files' own
# tests on it in virtual time, and compares the histories to the nanosecond: export.sh STREAMRUN [SCRATCH]
# Files that cannot be exported stand in Export/refused.txt, with what is said of them; that list does not grow silently.
set -euo pipefail
streamrun=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=${2:-$(mktemp -d)}
[ $# -gt 1 ] || trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"

python3 "$here/Export/generate.py" "$streamrun" "$here/../.." "$scratch"
diff "$here/Export/refused.txt" "$scratch/refused.txt" \
  || { echo "export: other files are refused than Tests/Reference/Export/refused.txt says" >&2; exit 1; }

# Warnings are errors there.
swift build --package-path "$scratch" 2>&1 | tail -40
"$(swift build --package-path "$scratch" --show-bin-path)/ExportCheck" "$scratch/Streams"

if command -v node > /dev/null; then
  node "$here/Export/syntax.mjs" "$scratch"/Script/*.mjs
else
  echo "skipped  the syntax of exported JavaScript: there is no node"
fi
