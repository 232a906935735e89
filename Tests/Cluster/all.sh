#!/usr/bin/env bash
# Everything about several machines, on Flink 1.20 and 2 and on Redis: all.sh STREAMRUN. Takes about half an hour. Installs what it needs; the two
# versions of Flink and Redis are tested side by side.
. "$(dirname "$0")/install.sh"

"$here/transcript.py" "$streamrun"
"$here/worker_exact.py" "$streamrun" 200
"$here/hostile_frames.py" "$streamrun" --frames 20000
test() { "$here/cluster.py" "${@:2}" --flink "$1" --streamrun "$streamrun" --events 60000 --devices 1000; }
# Most of the tests wait for checkpoints and time: three at once use two cores.
test "$new" exact late then kill-worker kill-taskmanager takeover hang & first=$!
{ test "$old" exact rescale kill-taskmanager takeover && "$here/page.py" "$streamrun" "$scratch/flink-2.3.0"; } & second=$!
"$here/shards.py" "$streamrun"
"$here/promises.py" all --flink "$old" --streamrun "$streamrun"
test "$new" rescale columns parameters
"$here/promises.py" all --flink "$new" --streamrun "$streamrun"
"$here/silence.py" all --flink "$new" --streamrun "$streamrun"
"$here/silence.py" restored --flink "$old" --streamrun "$streamrun"
"$here/order.py" --flink "$new" --streamrun "$streamrun"
"$here/order.py" --flink "$old" --streamrun "$streamrun" --repeat 1 --only windows
wait $first && wait $second
