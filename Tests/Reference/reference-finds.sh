#!/usr/bin/env bash
# Shows that the reference (Tests/Reference/Model) finds, within a minute each, five mistakes that commit b178f704 had:
# N1, N2, N3, B1 and F4. Prints a minimal file for each.
#
#   reference-finds.sh [BINARY]   a streamrun of that commit; without it, the commit is built, which takes minutes
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=${1:-}
if [ -z "$binary" ]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  git clone -q --shared . "$scratch/old"
  git -C "$scratch/old" checkout -q b178f704
  swift build -c release --package-path "$scratch/old" --product streamrun > "$scratch/build.log" 2>&1 \
    || { cat "$scratch/build.log" >&2; exit 2; }
  binary=$(swift build -c release --package-path "$scratch/old" --show-bin-path)/streamrun
fi
python3 Tests/Reference/Model/finds.py "$binary"
