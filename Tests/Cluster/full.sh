#!/usr/bin/env bash
# What all.sh does with more: full.sh STREAMRUN. Takes an hour and a half: a million hostile frames, ten million keys, kills with
# three million events, and the rates beside PyFlink, for which the machine has to be quiet.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
streamrun=$(realpath "$1")
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$scratch"' EXIT

. "$here/install.sh"
python3 -m venv "$scratch/python"
"$scratch/python/bin/pip" install -q apache-flink==2.3.0

"$here/throughput.py" --flink "$new" --streamrun "$streamrun" --pyflink "$scratch/python/bin/python"
"$here/throughput.py" --flink "$new" --streamrun "$streamrun" --costs
"$here/worker_speed.py" "$streamrun" "$here/../../Streams/devices.json"
"$here/many_keys.py" --flink "$new" --streamrun "$streamrun"
"$here/hostile_frames.py" "$streamrun" 1000000
kills() { "$here/cluster.py" "${@:3}" --flink "$1" --streamrun "$streamrun" --events 3000000 --devices "$2" --limit 400; }
kills "$new" 1000 exact kill-worker kill-taskmanager rescale takeover
kills "$new" 100000 exact kill-worker kill-taskmanager rescale
kills "$old" 1000 kill-taskmanager rescale takeover
"$here/shards.py" "$streamrun" 3000000 1000
