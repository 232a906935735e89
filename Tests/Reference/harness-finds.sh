#!/usr/bin/env bash
# Shows that the differential harness finds a wrong answer that the engine gave once: in columns, a choice whose arms set
# a slot to the same column left the slot's earlier column in place.
#
#   harness-finds.sh [COMMIT]   puts today's harness into an old commit (edd916c, which has the bug) and runs it there
#
# Prints the seed, the shrunk stream file and the seconds until the difference was found; fails if there is none within a
# minute. A release build of the libraries in a temporary folder takes several minutes more.
set -euo pipefail
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
clone=$scratch/main
git clone -q --shared . "$clone"

git -C "$clone" checkout -q "${1:-edd916c}"
ours=Sources/StreamTesting theirs=$clone/Sources/StreamTesting
mkdir -p "$theirs/Random" "$clone/Sources/Harness"
rm -rf "$theirs"/Differential*
cp -r $ours/Differential "$theirs"
cp $ours/Random/{PipelineMaker*,RandomPipeline,InputEvent,SeededGenerator}.swift "$theirs/Random"
cp $ours/{EventText,ValueFilesInMemory}.swift "$theirs"
cp Tests/Benchmarks/Sources/Differential/main.swift "$clone/Sources/Harness"
# Functions that the commit does not have yet.
shims=$theirs/Shims.swift
printf 'internal import %s\n' StreamCore StreamKit StreamRuntime > "$shims"
# The module had another name.
find "$theirs" "$clone/Sources/Harness" -name '*.swift' -exec sed -i 's/import StreamEngine$/import StreamRuntime/' {} +
grep -q 'init(json' "$clone/Sources/StreamKit/Model/StreamModel.swift" \
  || echo 'extension StreamModel { init(json: Value) throws(Diagnostics) { try self.init(json) } }' >> "$shims"
# A new compiler may warn of old code, and imports that a commit without the harness needs are not used.
sed -i -e 's/\.treatAllWarnings(as: \.error)/.treatAllWarnings(as: .warning)/' \
  -e '0,/^  targets: \[/s//&\n    .executableTarget(name: "Harness", dependencies: ["StreamTesting"]),/' "$clone/Package.swift"
package=$clone product=Harness

swift build -c release --package-path "$package" --product "$product" > "$scratch/build.log" 2>&1 \
  || { cat "$scratch/build.log" >&2; exit 2; }
program=$(swift build -c release --package-path "$package" --show-bin-path)/$product
status=0
THREADS=1 DIFFERENCES=1 SHOW=1 PROPERTIES=1000000 timeout 60 "$program" > "$scratch/found" || status=$?
grep -E '^took' "$scratch/found" || true
sed -n '/differences$/,$p' "$scratch/found"
grep -q '^shrunk:' "$scratch/found" || { echo "nothing found within a minute (exit $status)" >&2; exit 1; }
