#!/usr/bin/env bash
# Type-checks, on Linux, every target as on macOS, those with a condition on tvOS as on tvOS too, and those of StreamKit
# as on Android, with musl and on WASI: the conditions of `#if` have the values of that system, and its modules are
# replaced by those in this folder. README.md says more.
#
# Arguments: the folder of a build with all traits, for the modules of the dependencies. Default this package's.
# With `--native` after it: see README.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec python3 Tests/Apple/check.py "${1:-$(swift build --enable-all-traits --show-bin-path)}" "${@:2}"
