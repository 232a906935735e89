#!/usr/bin/env bash
# Builds the example programs as a user would, runs them, and compares what they print. Then checks that an app that
# depends on StreamKit alone, with `traits: []`, resolves neither ArgumentParser nor OpenCombine
# nor swift-crypto.
set -euo pipefail
cd "$(dirname "$0")"

swift build
programs=$(swift build --show-bin-path)
"$programs/NameForm" Streams | diff expected.txt -
"$programs/SerialStream" | diff serial-stream.txt -
echo "examples: the form hears what the rules say, and changes its rules while it runs"

resolved=$(swift package --package-path Embedded show-dependencies --format json 2> /dev/null |
  jq -r '.. | objects | .identity? // empty' | sort -u | tr '\n' ' ')
echo "an app with StreamKit alone resolves: $resolved"
case $resolved in
*argument-parser* | *opencombine* | *crypto* | *asn1*) exit 1 ;;
*swift-collections*) ;;
*) exit 1 ;;
esac
