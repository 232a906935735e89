#!/usr/bin/env python3
"""The reproductions of newcomer.md with what they must print: newcomer.py STREAMRUN."""
import sys

from reproductions import Reproductions

r = Reproductions("newcomer", sys.argv[1])
IDENTITY = '\'{"inputs":{"a":{}},"source":{"input":{"name":"a"}}}\''


def stream(operators: str, inputs: str = '{"a":{}}') -> str:
    return f'<(echo \'{{"inputs":{inputs},"source":{{"input":{{"name":"a"}}}},"operators":[{operators}]}}\')'


r.check("B1 run", "$S b01-partition.json < b01.ndjson", "1\n9\n11", errors="1 value arrived more than 2 s late")
r.check("B1 show", "$S show b01-partition.json --input a=b01.ndjson | grep -E '^output' | grep -oE '[0-9]+' | xargs", "1 9 11")
r.check("B1 diff", "$S diff --behavior b01-partition.json b01-lateness10.json --input a=b01.ndjson | tail -1",
        "1 run, 1 different")
r.check("B2 input", "cp b01.ndjson b17.in; $S b17-late-output.json --input a=b17.in --late-output b17.in; "
        "echo \"code $?\"; cmp b01.ndjson b17.in", "code 2", errors="b17.in")
r.check("B2 append", "echo '{\"from\":\"yesterday\"}' > b17.late; $S b17-late-output.json --late-output b17.late "
        "< b01.ndjson > /dev/null; cat b17.late", '{"from":"yesterday"}\n{"k":1,"t":2000,"v":4}')
r.check("B2 dash", "$S b17-late-output.json --late-output - < b01.ndjson > /dev/null 2>&1; ls ./- 2> /dev/null | wc -l", "0")
r.check("B2 flush", "(cat b01.ndjson; sleep 2) | $S b17-late-output.json --late-output b18.new > /dev/null & "
        "sleep 1; wc -l < b18.new; wait", "1")
r.check("B3", "$S b02-groupby-list-key.json < b02.ndjson | tail -1 | grep -o '\"n\":2'", '"n":2')
r.check("B4", "$S b03-unnest.json --skip-errors < b03.ndjson", errors="other", code=0)
r.check("B5 validate", "$S validate b05-requires.json", code=2, errors="acme.smooth")
r.check("B5 run", "$S b05-requires.json", "", code=2, errors="acme.smooth")
# What lateness holds is counted when a run ends early: its time has not come.
r.check("B6 bad line", "(head -2 b01.ndjson; echo oops) | $S b12-held.json > out; true",
        errors="2 values held because of 'lateness'")
r.check("B6 Ctrl-C", "(cat b01.ndjson; sleep 2) | timeout -s INT 1 $S b12-held.json > out; true",
        errors="4 values held because of 'lateness'")
r.check("B7", "$S show b04-show-now.json --event-time value.t --input a=b04.ndjson | grep -cE '^output +─+\\[?A'", "1")
r.check("B8", "echo '{\"time\":1000,\"at\":5}' | $S id.json --event-time value.time --timestamps --format csv | head -1 "
        "| tr ',' '\\n' | sort | uniq -d | wc -l", "0")
r.check("B9", "$S validate b07-test-input.json", code=2, errors="S116")
r.check("B10", "$S validate b08-partition-by.json 2>&1 | grep -c S201; true", "0")
r.check("B11", "$S validate b09-partition-file.json 2>&1 | grep -c \"write the stream under 'streams'\"; true", "0")
r.check("B12", "$S b10-json-object.json", code=2)
r.check("B13", "$S <(echo '{\"source\":{\"file\":{\"path\":\"b11.csv\",\"format\":\"csv\"}}}')", code=2, errors="^b11.csv:1:1")
r.check("B14 pow", "$S eval 'pow(2,3)'", code=2, errors="write x \\* x")
r.check("B14 !==", "$S eval '1 !== 2'", code=2, errors="write '!='")
r.check("B14 select", "$S eval 'select(1)'", code=2, errors="list.map.*list.filter")
r.check("B14 tap", "$S operators tap", code=2, errors="handleEvents")
r.check("B14 microseconds", "echo '{\"t\":1700000000000000}' | $S id.json --event-time value.t", code=2, errors="1000")
r.check("B15", "$S eval 'timestamp(1700000000000)'", code=1, errors="millisecond")
r.check("B16", "echo 1 | $S " + stream('{"withLatestFrom":{"with":["p"]}}', '{"a":{},"p":{"initialValue":5}}'), "[1,5]")
r.check("B17 comment", "echo 7 | $S " + stream('{"map":{"expression":"value // 2"}}', '{"a":{"type":"int"}}'), errors="//")
r.check("B18", "cp id.json f07.json; $S show f07.json --graph --format mermaid -o f07.json; echo $?; cmp id.json f07.json", "2")
r.check("a key outside 64 bits", "echo 18446744073709551615 | $S " + stream("", '{"a":{"type":"uint"}}'),
        "18446744073709551615")
r.finish()
