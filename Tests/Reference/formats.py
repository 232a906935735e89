#!/usr/bin/env python3
"""Odd files of every format, read by the built command, by Miller and by DuckDB: the records must be the same.

    formats.py BINARY

Each row of CASES, here and in `formats_more.py`, has a file and the records that are expected, or the code of the error.
Where Miller or DuckDB reads a file otherwise, or not at
all, the row says why; a tool that reads it as expected in spite of such an entry is a failure, too. Needs `mlr` (6),
the Python package `duckdb`, `gzip` and `zstd`.
"""
import gzip
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
from formats_more import Error, cases

PASS = '{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}}'


def rows(names, *lines):
    return [dict(zip(names, line)) for line in lines]


AB = rows(["a", "b"], ["1", "2"], ["3", "4"])


class Case:
    def __init__(self, name, file, content, expected, ours=(), mlr=(), duckdb="", differs=None):
        self.name, self.file, self.expected = name, file, expected
        self.content = content.encode() if isinstance(content, str) else content
        self.ours, self.mlr, self.duckdb = list(ours), mlr if mlr is None else list(mlr), duckdb
        # Why another tool reads the file otherwise.
        self.differs = differs or {}

    @property
    def is_json(self):
        return any(part in self.file for part in (".json", ".ndjson"))


def table(name, content, expected, **more):
    return Case(name, "t.csv", content, expected, **more)


def texts(name, content, expected, **more):
    return Case(name, more.pop("file", "t.ndjson"), content, expected, **more)


def zstd(content):
    return subprocess.run(["zstd", "-qc"], input=content, capture_output=True, check=True).stdout


PLAIN = b"a,b\n1,2\n3,4\n"
CASES = [
    # Tables.
    table("plain", PLAIN, AB),
    table("no line break at the end", "a,b\n1,2\n3,4", AB),
    table("CR LF", "a,b\r\n1,2\r\n3,4\r\n", AB),
    table("byte order mark", "\ufeffa,b\n1,2\n3,4\n", AB),
    table("CR alone", "a,b\r1,2\r3,4\r", AB, differs={"mlr": "it needs LF"}),
    table("blank lines", "a,b\n\n1,2\n\n\n3,4\n\n", AB, differs={"mlr": "a blank line is a row with one field"}),
    table("blank lines with CR LF", "a,b\r\n1,2\r\n\r\n3,4\r\n", AB,
          differs={"mlr": "a blank line is a row with one field"}),
    table("header only", "a,b\n", []),
    table("quoted separator", 'a,b\n"x,y",2\n', rows(["a", "b"], ["x,y", "2"])),
    table("doubled quotes", 'a,b\n"x ""y""",2\n', rows(["a", "b"], ['x "y"', "2"])),
    table("line break in quotes", 'a,b\n"x\ny",2\n3,4\n', rows(["a", "b"], ["x\ny", "2"], ["3", "4"])),
    table("quoted header", '"a","b c"\n1,2\n', rows(["a", "b c"], ["1", "2"])),
    table("separator in the header", '"a,z",b\n1,2\n', rows(["a,z", "b"], ["1", "2"])),
    table("empty cells", "a,b\n,2\n3,\n", rows(["a", "b"], ["", "2"], ["3", ""])),
    table("quoted empty cells", 'a,b\n"",2\n3,""\n', rows(["a", "b"], ["", "2"], ["3", ""])),
    table("white space is kept", "a,b\n 1 ,\t2\n", rows(["a", "b"], [" 1 ", "\t2"])),
    table("Unicode", "naïve,日本\nä,😀\n", rows(["naïve", "日本"], ["ä", "😀"])),
    table("leading zeros", "id,x\n007,1\n010,2\n", rows(["id", "x"], ["007", "1"], ["010", "2"])),
    table("big numbers", "n,x\n18446744073709551616,1e400\n", rows(["n", "x"], ["18446744073709551616", "1e400"])),
    table("a single column", "a\n1\n2\n", rows(["a"], ["1"], ["2"])),
    table("words like null", "a,b\nNULL,null\nNA,nan\n", rows(["a", "b"], ["NULL", "null"], ["NA", "nan"])),
    table("a long field", "a,b\n" + "x" * 100_000 + ",2\n", rows(["a", "b"], ["x" * 100_000, "2"])),
    table("many columns", ",".join(f"c{i}" for i in range(300)) + "\n" + ",".join("1" * 300) + "\n",
          [{f"c{i}": "1" for i in range(300)}]),
    table("a row like a comment", "a,b\n#x,2\n", rows(["a", "b"], ["#x", "2"])),
    table("one quote at the end of a plain field", "a,b\n5'10,2\n", rows(["a", "b"], ["5'10", "2"])),
    # Dialects.
    table("semicolons are found", "a;b\n1;2\n3;4\n", AB, mlr=["--ifs", ";"]),
    table("semicolons and decimal commas", "a;b\n1,5;2\n", rows(["a", "b"], ["1,5", "2"]), mlr=["--ifs", ";"],
          duckdb="delim = ';'"),
    table("tabs are found", "a\tb\n1\t2\n3\t4\n", AB, mlr=["--ifs", "tab"]),
    table("bars are found", "a|b\n1|2\n3|4\n", AB, mlr=["--ifs", "|"]),
    table("quoted names between semicolons", '"a";"b;c"\n"1";"2;3"\n', rows(["a", "b;c"], ["1", "2;3"]),
          mlr=["--ifs", ";"], duckdb="delim = ';'"),
    table("a given separator", "a:b\n1:2\n", rows(["a", "b"], ["1", "2"]), ours=["--csv-delimiter", ":"],
          mlr=["--ifs", ":"], duckdb="delim = ':'"),
    table("a given quotation mark", "a,b\n'x,y',2\n", rows(["a", "b"], ["x,y", "2"]), ours=["--csv-quote", "'"],
          duckdb="quote = ''''", differs={"mlr": "its quotation mark cannot be chosen"}),
    table("no quotation mark", 'a,b\n5",2\n', rows(["a", "b"], ['5"', "2"]), ours=["--csv-quote", "none"],
          duckdb="quote = ''", differs={"mlr": "its quotation mark cannot be chosen"}),
    Case("TSV", "t.tsv", "a\tb\n1\t2\n3\t4\n", AB),
    Case("TSV with commas", "t.tsv", "a\tb\n1,5\t2\n", rows(["a", "b"], ["1,5", "2"])),
    # Compressed.
    Case("CSV in gzip", "t.csv.gz", gzip.compress(PLAIN), AB),
    Case("two parts in gzip", "t.csv.gz", gzip.compress(PLAIN[:6]) + gzip.compress(PLAIN[6:]), AB),
    Case("CSV in zstd", "t.csv.zst", zstd(PLAIN), AB, mlr=["--prepipe", "zstd -dc"]),
    Case("NDJSON in gzip", "t.ndjson.gz", gzip.compress(b'{"a": 1}\n{"a": 2}\n'), [{"a": 1}, {"a": 2}]),
    Case("an array in gzip", "t.json.gz", gzip.compress(b'[{"a": 1},\n {"a": 2}]\n'), [{"a": 1}, {"a": 2}]),
    Case("an empty file in gzip", "t.csv.gz", gzip.compress(b"a,b\n"), []),
    # JSON.
    texts("lines", '{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
    texts("blank lines of JSON", '{"a": 1}\n\n \n{"a": 2}', [{"a": 1}, {"a": 2}]),
    texts("CR LF of JSON", '{"a": 1}\r\n{"a": 2}\r\n', [{"a": 1}, {"a": 2}]),
    texts("over several lines", '{\n  "a": 1,\n  "b": [1,\n 2]\n}\n{\n  "a": 2\n}\n', [{"a": 1, "b": [1, 2]}, {"a": 2}]),
    texts("several on a line", '{"a": 1}{"a": 2} {"a": 3}\n', [{"a": 1}, {"a": 2}, {"a": 3}]),
    texts("an array", '[\n  {"a": 1},\n  {"a": 2}\n]\n', [{"a": 1}, {"a": 2}], file="t.json"),
    texts("an array on one line", '[{"a": 1}, {"a": 2}]\n', [{"a": 1}, {"a": 2}], file="t.json"),
    texts("an array as lines", '[\n{"a": 1},\n{"a": 2}\n]\n', [{"a": 1}, {"a": 2}]),
    texts("an empty array", "[]\n", [], file="t.json"),
    texts("nested objects", '{"a": {"b": {"c": [1, {"d": 2}]}}}\n', [{"a": {"b": {"c": [1, {"d": 2}]}}}]),
    texts("different members", '{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
    texts("escapes", '{"a": "\\u00e4\\n\\"x\\" \\ud83d\\ude00"}\n', [{"a": 'ä\n"x" 😀'}]),
    texts("big integers", '{"n": 9223372036854775807, "m": -9223372036854775808}\n',
          [{"n": 9223372036854775807, "m": -9223372036854775808}]),
    texts("decimals", '{"x": 0.1, "y": 1e3, "z": -2.5e-3}\n', [{"x": 0.1, "y": 1000, "z": -0.0025}]),
    texts("brackets in strings", '{\n"a": "}]{[,"\n}\n', [{"a": "}]{[,"}]),
    texts("the list under a member", '{"n": 2, "results": [{"a": 1}, {"a": 2}], "next": null}\n', [{"a": 1}, {"a": 2}],
          file="t.json", ours=["--items", "/results"], duckdb="unnest results",
          mlr=["unnest"]),
]


sys.setrecursionlimit(10_000)  # for deep arrays
CASES += cases(table, texts, Case, rows, AB)


def same(found, expected):
    """Whether a reader has found what is expected: records, or an error. An error of ours has the code."""
    if isinstance(expected, Error):
        return isinstance(found, str)
    return json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


def without_null(value):
    """DuckDB gives each row the columns of all."""
    if isinstance(value, dict):
        return {key: without_null(inner) for key, inner in value.items() if inner is not None}
    return [without_null(inner) for inner in value] if isinstance(value, list) else value


def number(value):
    if isinstance(value, dict):
        return {key: number(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [number(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def ours(binary, case, path, stream, through_pipe):
    command = [binary, str(stream), *case.ours]
    if through_pipe:
        kind = next((end for end in (".csv", ".tsv") if end in case.file), None)
        if kind:
            command += ["--input-format", kind[1:]]
        result = subprocess.run(command, input=case.content, capture_output=True)
    else:
        result = subprocess.run([*command, "--input", str(path)], capture_output=True)
    if result.returncode:
        return result.stderr.decode()
    return [json.loads(line) for line in result.stdout.decode().split("\n")[:-1]]


def miller(case, path):
    kind = "--ijson" if case.is_json else "--itsv" if ".tsv" in case.file else "--icsv"
    command = ["mlr", *([] if case.is_json else ["-S"]), kind, "--ojson"]
    verb = ["cat"]
    if case.mlr == ["unnest"]:
        verb = ["put", "-q", "for (r in $results) { emit r }"]
    else:
        command += case.mlr
    result = subprocess.run([*command, *verb, str(path)], capture_output=True)
    if result.returncode:
        return result.stderr.decode()
    try:
        return json.loads(result.stdout.decode() or "[]")
    except ValueError as error:
        return f"no JSON: {error}"


def duck(case, path):
    connection = duckdb.connect()
    try:
        if case.is_json:
            source = f"read_json('{path}', maximum_object_size = 20000000)"
            if case.duckdb.startswith("unnest"):
                source = f"(select unnest({case.duckdb.split()[1]}) as r from {source})"
                query = f"select to_json(r) from {source}"
            else:
                query = f"select to_json(t) from {source} t"
            return [without_null(json.loads(text)) for (text,) in connection.execute(query).fetchall()]
        options = "".join(f", {part}" for part in [case.duckdb] if part)
        cursor = connection.execute(f"select * from read_csv('{path}', all_varchar = true, header = true{options})")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, ["" if cell is None else cell for cell in row])) for row in cursor.fetchall()]
    except Exception as error:
        return str(error)


def check(binary, case, folder, stream):
    path = folder / str(CASES.index(case)) / case.file
    path.parent.mkdir(parents=True)
    path.write_bytes(case.content)
    problems = []
    for through_pipe in (False, True):
        found = ours(binary, case, path, stream, through_pipe)
        has_code = not isinstance(case.expected, Error) or f"error {case.expected.code}" in str(found)
        if not same(number(found), number(case.expected)) or not has_code:
            problems.append(f"{case.name}: {'standard input' if through_pipe else 'the file'} gave {str(found)[:300]}")
    for tool, read in (("mlr", miller), ("duckdb", duck)):
        if tool == "mlr" and case.mlr is None:
            continue
        found = read(case, path)
        is_same = same(number(found), number(case.expected))
        if is_same == (tool in case.differs):
            problems.append(f"{case.name}: {tool} gave {str(found)[:300]}")
    return problems


def main():
    binary = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stream = folder / "pass.json"
        stream.write_text(PASS)
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda case: check(binary, case, folder, stream), CASES))
    problems = [problem for result in results for problem in result]
    for problem in problems:
        print(problem)
    others = sum(len(case.differs) for case in CASES)
    print(f"{len(CASES)} files, read by streamrun (as files and from standard input), Miller and DuckDB; "
          f"{others} readings differ for the reasons in the table; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
