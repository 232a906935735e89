#!/bin/sh
# Compiles the adapter for Apache Flink with the jars of a Flink, and packs one jar.
#
#   build.sh [FLINK_HOME] [-o JAR] [--test]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
home=${FLINK_HOME:-}
jar=$here/streamflink.jar
test=no
while [ $# -gt 0 ]; do
  case $1 in
    -o) [ $# -ge 2 ] || { echo "build.sh: error: option '-o' needs a path" >&2; exit 2; }
        jar=$2; shift ;;
    --test) test=yes ;;
    -*) echo "build.sh: error: unknown option '$1'" >&2; exit 2 ;;
    *) home=$1 ;;
  esac
  shift
done
if [ ! -d "$home/lib" ] || ! ls "$home"/lib/flink-dist-*.jar > /dev/null 2>&1; then
  echo "build.sh: error: no Flink at '$home'; give FLINK_HOME, the directory with lib/flink-dist-*.jar" >&2
  exit 2
fi
command -v javac > /dev/null || { echo "build.sh: error: no javac; install a JDK 17 or later" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/classes"
# The oldest bytecode that Flink 2 needs; a jar that was compiled with Flink 1.20 runs on both.
javac --release 17 -Xlint:all,-classfile,-processing,-path,-serial,-options -proc:none -d "$work/classes" -cp "$home/lib/*" "$here"/java/streamrun/flink/*.java
jar --create --file "$jar" --main-class streamrun.flink.Job -C "$work/classes" .
if [ $test = yes ]; then
  mkdir "$work/tests"
  javac --release 17 -proc:none -d "$work/tests" -cp "$work/classes:$home/lib/*" "$here"/tests/*.java
  java -cp "$work/tests:$work/classes:$home/lib/*" streamrun.flink.AdapterTests
fi
echo "$jar: $(($(wc -c < "$jar") / 1024)) KB"
