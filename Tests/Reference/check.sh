#!/usr/bin/env bash
# Runs the built command on real recordings and large input, beside independent tools: check.sh STREAMRUN [MEGABYTES]
# Closes with a line "N passed, N failed".
set -u
streamrun=$(realpath "$1")
megabytes=${2:-200}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
data=$root/../shared/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # what, expected, actual
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1)); echo "ok       $1"
  else
    failed=$((failed + 1)); printf 'FAILED   %s\n  expected: %.300s\n  got:      %.300s\n' "$1" "$2" "$3"
  fi
}

if [ -d "$data" ]; then
  quakes=$data/earthquakes.ndjson gravity=$data/gravity.ndjson
  for least in 2.5 4.5 6; do
    sed "s/4\.5/$least/g" "$root/Streams/quakes-strong.json" > "$work/strong.json"
    expected=$(jq -c "select(.mag != null and .mag >= $least)" "$quakes" | wc -l)
    check "earthquakes of magnitude $least and more: $expected by jq" "$expected" \
      "$("$streamrun" run "$work/strong.json" < "$quakes" | wc -l)"
  done
  check "swarms, as the Python program finds them" "$(python3 "$here/swarm.py" < "$quakes" | md5sum)" \
    "$("$streamrun" --event-time value.time "$root/Streams/quakes-swarm.json" < "$quakes" | md5sum)"
  python3 "$here/tilt.py" < "$gravity" > "$work/tilt.expected"
  "$streamrun" --event-time value.ms --timestamps "$root/Streams/tilt.json" < "$gravity" \
    | python3 -c '
import datetime, json, sys
for line in sys.stdin:
    event = json.loads(line)
    time = datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00"))
    print(json.dumps({"ms": round(time.timestamp() * 1000), "value": event["value"]}, separators=(",", ":")))
' > "$work/tilt.actual"
  check "tilt: the same $(wc -l < "$work/tilt.expected") changes at the same milliseconds as the Python program" \
    "$(md5sum < "$work/tilt.expected")" "$(md5sum < "$work/tilt.actual")"
else
  echo "skipped  the recordings: there is no $data"
fi

cat > "$work/keep.json" <<'JSON'
{ "inputs": { "samples": {} }, "source": { "input": { "name": "samples" } },
  "operators": [ { "filter": { "expression": "value.z > 0.25" } }, { "count": {} } ] }
JSON
python3 "$here/make-ndjson.py" "${megabytes}e6" > "$work/large.ndjson"
expected=$(python3 -c '
import sys
count = 0
for line in sys.stdin:
    if float(line[line.rindex(":") + 1 : -2]) > 0.25: count += 1
print(count)' < "$work/large.ndjson")
"$streamrun" "$work/keep.json" < "$work/large.ndjson" > "$work/count" &
pid=$! peak=0
while [ -r /proc/$pid/status ]; do
  now=$(awk '/VmHWM/ {print $2}' /proc/$pid/status 2>/dev/null)
  [ -n "${now:-}" ] && peak=$now
  kill -0 $pid 2>/dev/null || break
  sleep 0.05
done
wait $pid
check "$megabytes MB of NDJSON, counted as Python counts" "$expected" "$(cat "$work/count")"
echo "         peak of resident memory: $peak KB"
check "memory does not grow with the input: below 32 MB" yes "$([ "$peak" -lt 32768 ] && echo yes || echo "no, $peak KB")"

"$streamrun" "$work/keep.json" < <(head -c 1000 "$work/large.ndjson") > /dev/null 2> "$work/errors"
check "input that ends within a line: exit code 2" 2 $?
check "… with the number of the line" 1 "$(grep -c "^<stdin>:$(head -c 1000 "$work/large.ndjson" | wc -l | awk '{print $1 + 1}'):" "$work/errors")"

printf '{ "source": { "timer": { "every": 0.01 } } }' > "$work/endless.json"
check "a closed pipe ends it quietly" "0 0" "$("$streamrun" "$work/endless.json" 2>&1 | head -1) ${PIPESTATUS[0]}"
timeout --preserve-status -s INT 0.5 "$streamrun" "$work/endless.json" > "$work/ticks"
check "Ctrl-C ends it with 130" 130 $?
check "… and what it printed is whole lines" "$(wc -l < "$work/ticks")" "$(jq -c . "$work/ticks" | wc -l)"

# Never early, and within its second: how late a value is says more about the machine than about the command.
python3 - "$streamrun" "$root/Streams/serial-a.json" > "$work/live" <<'PYTHON'
import subprocess, sys, time
start = time.monotonic()
process = subprocess.Popen([sys.argv[1], sys.argv[2]], stdout=subprocess.PIPE)
late = [time.monotonic() - start - value for value, _ in enumerate(process.stdout, 1)]
print("late by at most", round(max(late) * 1000, 1), "ms;", "4 values" if len(late) == 4 else len(late),
      "in time" if all(-0.001 < l < 1 for l in late) else "not in time")
PYTHON
check "serial-a: one value a second" "4 values in time" "$(sed 's/.*; //' "$work/live")"
echo "         $(cat "$work/live")"
check "serial-a in virtual time" '{"at":1,"value":1} {"at":2,"value":2} {"at":3,"value":3} {"at":4,"value":4}' \
  "$("$streamrun" --virtual --timestamps "$root/Streams/serial-a.json" | xargs -d '\n')"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
