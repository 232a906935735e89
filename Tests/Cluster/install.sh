# Installs what the tests of several machines need: for scripts that are called with the path of streamrun. Sets here,
# streamrun, scratch, and the FLINK_HOME of both versions, old and new.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
streamrun=$(realpath "${1:?the path of streamrun is missing}")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$scratch"' EXIT

need() { # command, Debian package
  command -v "$1" > /dev/null || { apt-get update -qq && apt-get install -y -qq "$2"; }
}

flink() { # version; prints FLINK_HOME
  python3 -m venv "$scratch/flink-$1"
  "$scratch/flink-$1/bin/pip" install -q --no-deps "apache-flink==$1" "apache-flink-libraries==$1"
  echo "$scratch/flink-$1"/lib/python*/site-packages/pyflink
}

need javac openjdk-17-jdk-headless
need redis-server redis-server
need zstd zstd
need xz xz-utils
old=$(flink 1.20.5)
new=$(flink 2.3.0)
export STREAMFLINK_JAR=$scratch/streamflink.jar
# The jar that was compiled with Flink 1.20 runs on both.
"$here/../../Sources/StreamFlink/build.sh" "$old" -o "$STREAMFLINK_JAR" --test
[ "$(wc -c < "$STREAMFLINK_JAR")" -lt 102400 ]
