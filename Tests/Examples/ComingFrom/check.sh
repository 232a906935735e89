#!/usr/bin/env bash
# Runs the programs of the page "From Combine, RxSwift and AsyncAlgorithms" with both libraries, and compares them.
set -euo pipefail
cd "$(dirname "$0")"

swift test
echo "coming from: the programs of other libraries and their stream files publish the same"
