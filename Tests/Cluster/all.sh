#!/usr/bin/env bash
# Everything about several machines, on Flink 1.20 and 2 and on Redis: all.sh STREAMRUN. Installs what it needs; the two
# versions of Flink are tested side by side.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
streamrun=$(realpath "$1")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$scratch"' EXIT

need() { # command, Debian package
  command -v "$1" > /dev/null || { apt-get update -qq && apt-get install -y -qq "$2"; }
}
need javac openjdk-17-jdk-headless
need redis-server redis-server

flink() { # version; prints FLINK_HOME
  python3 -m venv "$scratch/flink-$1"
  "$scratch/flink-$1/bin/pip" install -q --no-deps "apache-flink==$1" "apache-flink-libraries==$1"
  echo "$scratch/flink-$1"/lib/python*/site-packages/pyflink
}
old=$(flink 1.20.5)
new=$(flink 2.3.0)
export STREAMFLINK_JAR=$scratch/streamflink.jar
# The jar that was compiled with Flink 1.20 runs on both.
"$here/../../Sources/StreamFlink/build.sh" "$old" -o "$STREAMFLINK_JAR" --test
[ "$(wc -c < "$STREAMFLINK_JAR")" -lt 102400 ]

"$here/transcript.py" "$streamrun"
"$here/worker_exact.py" "$streamrun" 200
test() { "$here/cluster.py" "${@:2}" --flink "$1" --streamrun "$streamrun" --events 60000 --devices 1000; }
test "$new" exact late then kill-worker kill-taskmanager takeover & first=$!
test "$old" exact rescale kill-taskmanager takeover & second=$!
wait $first && wait $second
test "$new" rescale hang columns & first=$!
"$here/page.py" "$streamrun" "$scratch/flink-2.3.0" & second=$!
"$here/shards.py" "$streamrun"
wait $first && wait $second
