#!/usr/bin/env bash
# Exports every stream file to Swift, builds all that is exported in one package against OpenCombine, runs the files' own
# tests on it in virtual time, and compares the histories to the nanosecond: export.sh STREAMRUN [SCRATCH]
# The same is compared of what is exported to RxJS, where there are node and RxJS: RXJS=FOLDER names the module's folder.
# Files that cannot be exported stand in Export/refused.txt, with what is said of them; those whose histories differ in
# Export/differs-swift.txt and Export/differs-rxjs.txt, with the reason: these lists do not grow silently.
# EXAMPLES=1 does the same with the examples of the operators that can be exported, which takes long.
set -euo pipefail
streamrun=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=${2:-$(mktemp -d)}
[ $# -gt 1 ] || trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"
rxjs=${RXJS:-/usr/share/nodejs/rxjs}

python3 "$here/Export/generate.py" "$streamrun" "$here/../.." "$scratch"
diff "$scratch/known-refused.txt" "$scratch/refused.txt" \
  || { echo "export: other files are refused than Tests/Reference/Export/refused.txt says" >&2; exit 1; }

# Warnings are errors there.
swift build --package-path "$scratch" 2>&1 | tail -40
check=$(swift build --package-path "$scratch" --show-bin-path)/ExportCheck
"$check" "$scratch/Streams" "$scratch/known-differs-swift.txt"

if ! command -v node > /dev/null; then
  echo "skipped  exported JavaScript: there is no node"
  exit
fi
node "$here/Export/syntax.mjs" "$scratch"/Script/*.mjs
if [ ! -e "$rxjs/package.json" ]; then
  echo "skipped  the histories of exported JavaScript: there is no RxJS at $rxjs (Debian has it in node-inquirer)"
  exit
fi
mkdir -p "$scratch/node_modules"
ln -sfn "$(realpath "$rxjs")" "$scratch/node_modules/rxjs"
"$check" "$scratch/Streams" --scripts "$scratch/scripts.json"
node "$scratch/histories.mjs" "$scratch/scripts.json" "$scratch/Script" "$streamrun" > "$scratch/heard.json"
"$check" "$scratch/Streams" --heard "$scratch/heard.json" "$scratch/known-differs-rxjs.txt"
