#!/usr/bin/env bash
# Type-checks the example programs against the modules of a build with all traits, as another package sees them, and
# checks that an app that depends on StreamKit alone, with `traits: []`, resolves neither ArgumentParser nor OpenCombine
# nor swift-crypto. It takes seconds; `check.sh` builds the programs as a user would, and runs them.
#
# Argument: the folder of the build. Default this package's.
set -euo pipefail
cd "$(dirname "$0")"

build=${1:-$(swift build --package-path ../.. --enable-all-traits --show-bin-path)}
maps=()
for map in "$build"/*.build/module.modulemap ../../Sources/*/module.modulemap; do
  maps+=(-Xcc "-fmodule-map-file=$map")
done
# Arguments: the folder of the program, and options.
check() {
  swiftc -typecheck -swift-version 6 -package-name examples -module-name "$(basename "$1")" \
    -I "$build/Modules" "${maps[@]}" "${@:2}" "$1"/*.swift
}
for program in NameForm SerialStream; do check "Sources/$program"; done
for program in \
  Sharing/Sources/FollowStream Embedded/Sources/Embedded Programs/Sources/Programs Programs/Sources/AlarmApp; do
  check "$program"
done
check MainActor/Sources/MainActorApp -default-isolation MainActor
echo "examples: the programs compile with the public interface"

resolved=$(swift package --package-path Embedded show-dependencies --format json 2> /dev/null |
  jq -r '.. | objects | .identity? // empty' | sort -u | tr '\n' ' ')
echo "an app with StreamKit alone resolves: $resolved"
case $resolved in
*argument-parser* | *opencombine* | *crypto* | *asn1*) exit 1 ;;
*swift-collections*) ;;
*) exit 1 ;;
esac
