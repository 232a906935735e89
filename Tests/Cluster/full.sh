#!/usr/bin/env bash
# What all.sh does with more: full.sh STREAMRUN. Takes an hour and a half: a million hostile frames, ten million keys, kills with
# three million events, and the rates beside PyFlink, for which the machine has to be quiet.
. "$(dirname "$0")/install.sh"
python3 -m venv "$scratch/python"
"$scratch/python/bin/pip" install -q apache-flink==2.3.0

"$here/throughput.py" --flink "$new" --streamrun "$streamrun" --pyflink "$scratch/python/bin/python"
"$here/throughput.py" --flink "$new" --streamrun "$streamrun" --costs
"$here/worker_speed.py" "$streamrun" "$here/../../Streams/devices.json"
"$here/many_keys.py" --flink "$new" --streamrun "$streamrun"
"$here/hostile_frames.py" "$streamrun" --frames 1000000
"$here/cluster.py" chains memory sources errors launcher --flink "$new" --flink "$old" --streamrun "$streamrun" --devices 1000
kills() { "$here/cluster.py" "$@" --streamrun "$streamrun" --events 3000000 --limit 600; }
kills exact kill-worker kill-taskmanager rescale takeover --flink "$new" --devices 1000
kills kill-taskmanager rescale takeover --flink "$old" --devices 1000
kills exact kill-worker kill-taskmanager rescale --flink "$new" --devices 100000 --rows --interval 2000 --stretch 2
"$here/shards.py" "$streamrun" --events 3000000 --keys 1000 --rows
