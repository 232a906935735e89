#!/usr/bin/env bash
# Builds the programs and the lines that every app writes, as a user would, and runs their tests.
set -euo pipefail
cd "$(dirname "$0")"

swift test
echo "programs: the programs and the lines of an app do what they should"
