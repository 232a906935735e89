#!/usr/bin/env python3
"""The reproductions of attack.md with what they must print: attack.py STREAMRUN."""
import sys

from reproductions import Reproductions

r = Reproductions("attack", sys.argv[1])

N1 = "N1-map-literal-use-after-free"
r.check("N1", "$S strings.json", '{"x":"a"}\n{"x":"b"}\n{"x":"c"}', folder=N1)
r.check("N1", "$S test strings.json", "1 passed, 0 failed", folder=N1)
r.check("N1", "$S csv.json | wc -l; ! $S csv.json | grep -q null", folder=N1)
r.check("N1", "$S nd.json | grep -c null; true", "0", folder=N1)
r.check("N1", "$S js.json", '{"value":{"a":1}}\n{"value":{"a":2}}\n{"value":[3]}', folder=N1)
r.check("N1", "$S seq.json", '{"x":[]}\n{"x":[]}', folder=N1)
for _ in range(8):
    r.check("N1", "$S collect.json", '{"x":[1,2]}\n{"x":[3,4]}\n{"x":[5,6]}', folder=N1)
r.check("N1", "$S materialize.json | tail -1", '{"x":{"finished":true}}', folder=N1)
r.check("N1", "$S mid.json", '[{"x":[4,9]}]', folder=N1)
r.check("N1", "$S min.json < min.nd | grep -c null; true", "0", folder=N1)
r.check("N1", "$S fuzz.json < fuzz.nd > out; echo $?", "0", folder=N1)

N2 = "N2-int-becomes-double"
r.check("N2", "$S a.json", "9007199254740993", folder=N2)
r.check("N2", "echo 7 | $S b.json", "3", folder=N2)
r.check("N2", "$S c.json", '"9007199254740993"\n"1.5"', folder=N2)

N3 = "N3-groupby-key-double-becomes-int"
for file in ["a", "b"]:
    r.check("N3", f"printf '{{\"k\":3}}\\n{{\"k\":2.5}}\\n' | $S {file}.json", "[3.0,1.5,1.5]\n[2.5,1.25,1.25]", folder=N3)

for stack in [512, 256]:
    for file in ["n60", "n99"]:
        for command in ["run", "validate", "explain", "hash --behavior", "show", "format", "canonical"]:
            r.check("N4", f"ulimit -c 0; ulimit -s {stack}; $S {command} {file}.json > /dev/null", folder="N4-small-stack")

r.check("N5", "$S a.json 2> /dev/null", "1\n0\n1\n1", folder="N5-withPrevious-skip")

for expression, result in [
    ("9007199254740993 == 9007199254740992.0", "false"),
    ("9007199254740993 in [9007199254740992.0]", "false"),
    ("[9007199254740993, 9007199254740992.0].distinct().size()", "2"),
    ("[9007199254740993, 9007199254740992.0].sort()", "[9007199254740992.0,9007199254740993]"),
    ("9223372036854775807 == 9223372036854775808.0", "false"),
]:
    r.check("N6", f"$S eval '{expression}'", result)

r.check("N7", "$S bench keep-bench_TIMEOUT-77-1.json > /dev/null; [ $? -le 2 ]", folder="N7-bench-long", seconds=30)
r.check("N7", "printf '1\\0\\n' | $S <(echo '{\"inputs\":{\"a\":{}},\"source\":{\"input\":{\"name\":\"a\"}}}')",
        code=2, errors="NUL|0x00|control character")
r.finish()
