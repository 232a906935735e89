"""More odd files for `formats.py`: some that no reader should accept, and some about which readers differ."""

import gzip
import subprocess


class Error:
    """The file is an error, with a code of ours."""

    def __init__(self, code):
        self.code = code

    def __repr__(self):
        return f"an error {self.code}"


def packed(program, content):
    return subprocess.run([program, "-qc"], input=content, capture_output=True, check=True).stdout


LINE, TWO = b'{"a": 1}\n', [{"a": 1}, {"a": 2}]
LENIENT = "it reads the row, with other fields"
NO_SCALARS = "its records are objects"
OTHER_NAMES = "it gives the column a name"
NO_XZ = "it does not know xz"


def cases(table, texts, Case, rows, AB):
    """The cases, made by the functions of `formats.py`."""

    def csv_error(name, content, code, **differs):
        return table(name, content, Error(code), differs=differs)

    def json_error(name, content, code, file="t.ndjson", **differs):
        return texts(name, content, Error(code), file=file, differs=differs)

    def tsv(name, content, expected, **more):
        return Case(name, "t.tsv", content, expected, **more)

    return [
        # CSV
        table(
            "byte order mark, quoted header, CR LF in quotes",
            '\ufeff"a","b"\r\n"1","x\r\ny"\r\n',
            rows(["a", "b"], ["1", "x\r\ny"]),
            differs={"mlr": "it writes LF for CR LF"},
        ),
        table("an empty file", "", []),
        table("a line break alone", "\n", []),
        table("a byte order mark alone", "\ufeff", []),
        table("a header without a line break", "a,b", []),
        table("a column without a name", "a,\n1,2\n", rows(["a", ""], ["1", "2"]), differs={"duckdb": OTHER_NAMES}),
        table(
            "a separator at the end of all rows",
            "a,b,\n1,2,\n",
            rows(["a", "b", ""], ["1", "2", ""]),
            differs={"duckdb": OTHER_NAMES},
        ),
        table(
            "numbers stay texts",
            "n,x\n+5,0x1F\n1e400,-0\n.5,5.\n",
            rows(["n", "x"], ["+5", "0x1F"], ["1e400", "-0"], [".5", "5."]),
        ),
        table(
            "a null character",
            b"a,b\n1\x002,3\n",
            rows(["a", "b"], ["1\0" + "2", "3"]),
            differs={"mlr": "the JSON that it writes is not valid"},
        ),
        table("mixed line breaks", "a,b\r\n1,2\n3,4\r\n", AB, differs={"duckdb": "it does not find the dialect"}),
        table(
            "spaces around names",
            " a , b \n1,2\n",
            rows([" a ", " b "], ["1", "2"]),
            differs={"duckdb": "it trims names"},
        ),
        table("a row of separators", "a,b\n,\n", rows(["a", "b"], ["", ""])),
        table("a line break at the end in quotes", 'a,b\n1,"2\n"\n', rows(["a", "b"], ["1", "2\n"])),
        table("a backslash before a quotation mark", 'a,b\n"x\\",2\n', rows(["a", "b"], ["x\\", "2"])),
        table(
            "control characters",
            "a,b\n\x0c\x1f,\x7f\n",
            rows(["a", "b"], ["\x0c\x1f", "\x7f"]),
            differs={"mlr": "the JSON that it writes is not valid"},
        ),
        table("line separators of Unicode", "a,b\nx\u2028y,\u0085\n", rows(["a", "b"], ["x\u2028y", "\u0085"])),
        csv_error("a short row", "a,b\n1\n3,4\n", "S302", duckdb=LENIENT),
        csv_error("a long row", "a,b\n1,2,3\n3,4\n", "S302", duckdb=LENIENT),
        csv_error("a separator at the end of rows", "a,b\n1,2,\n", "S302", duckdb=LENIENT),
        csv_error("a quotation mark in the middle", 'a,b\n5"x,2\n', "S001", duckdb=LENIENT),
        csv_error("text after a quotation mark", 'a,b\n"x"y,2\n', "S001", duckdb=LENIENT),
        csv_error("a space before a quotation mark", 'a,b\n "x,y",2\n', "S001", duckdb=LENIENT),
        csv_error("a quotation mark that is not closed", 'a,b\n"1,2\n3,4\n', "S010", duckdb=LENIENT),
        csv_error("a name twice", "a,a\n1,2\n", "S003", mlr=OTHER_NAMES, duckdb=OTHER_NAMES),
        csv_error("Latin-1", b"a,b\n\xe4,2\n", "S002"),
        csv_error("UTF-16", "a,b\n1,2\n".encode("utf-16"), "S302"),
        # TSV
        tsv("CR LF of TSV", "a\tb\r\n1\t2\r\n3\t4\r\n", AB),
        tsv(
            "byte order mark of TSV",
            "\ufeffa\tb\n1\t2\n3\t4\n",
            AB,
            differs={"mlr": "the mark becomes part of a name"},
        ),
        tsv("empty cells of TSV", "a\tb\n\t2\n3\t\n", rows(["a", "b"], ["", "2"], ["3", ""])),
        tsv("a header alone of TSV", "a\tb\n", []),
        tsv("an empty file of TSV", "", []),
        tsv("a single column of TSV", "a\n1\n2\n", rows(["a"], ["1"], ["2"])),
        tsv(
            "tabs in quotes",
            'a\tb\n"x\ty"\t2\n',
            rows(["a", "b"], ["x\ty", "2"]),
            differs={"mlr": "its TSV has no quotation marks"},
        ),
        tsv(
            "backslashes in TSV",
            "a\tb\nx\\ty\t2\n",
            rows(["a", "b"], ["x\\ty", "2"]),
            differs={"mlr": "it reads \\t as a tab"},
        ),
        tsv("spaces in TSV", "a b\tc\n 1 \t2 3\n", rows(["a b", "c"], [" 1 ", "2 3"])),
        tsv("Unicode in TSV", "ä\t日\n😀\té\n", rows(["ä", "日"], ["😀", "é"])),
        tsv("a short row of TSV", "a\tb\n1\n", Error("S302"), differs={"duckdb": LENIENT}),
        tsv(
            "a quotation mark in TSV",
            'a\tb\n5"\t2\n',
            Error("S001"),
            differs={"mlr": "its TSV has no quotation marks", "duckdb": LENIENT},
        ),
        # NDJSON
        texts("line separators in strings", '{"a": "x\u2028y\u2029\u0085"}\n', [{"a": "x\u2028y\u2029\u0085"}]),
        texts("deep arrays", '{"a": ' + "[" * 100 + "1" + "]" * 100 + "}\n", [{"a": deep(100)}]),
        texts(
            "byte order mark of NDJSON",
            "\ufeff" + '{"a": 1}\n',
            [{"a": 1}],
            differs={"mlr": "it needs JSON without a mark"},
        ),
        texts(
            "scalars on lines",
            '1\n"x"\nnull\ntrue\n[1]\n',
            [1, "x", None, True, [1]],
            differs={"mlr": NO_SCALARS, "duckdb": NO_SCALARS},
        ),
        texts(
            "the largest uint",
            '{"n": 18446744073709551615}\n',
            [{"n": 18446744073709551615}],
            differs={"mlr": "it gives a string"},
        ),
        texts("an empty file of NDJSON", "", []),
        texts("blanks alone", " \n\t\n", []),
        texts(
            "a null character in a string",
            '{"a": "x\\u0000y"}\n',
            [{"a": "x\0y"}],
            differs={"mlr": "the JSON that it writes is not valid"},
        ),
        texts("an empty name", '{"": 1}\n', [{"": 1}], differs={"mlr": "it refuses the name", "duckdb": OTHER_NAMES}),
        texts("escaped slashes and noncharacters", '{"a": "\\/\uffff"}\n', [{"a": "/\uffff"}]),
        texts("negative zeros", '{"a": -0.0, "b": -0}\n', [{"a": 0, "b": 0}]),
        texts("much white space", ' { "a" :\t1 , "b" : [ 1 , 2 ] } \n', [{"a": 1, "b": [1, 2]}]),
        json_error("too deep arrays", '{"a": ' + "[" * 600 + "1" + "]" * 600 + "}\n", "S004", mlr="it has no limit"),
        json_error("a key twice", '{"a": 1, "a": 2}\n', "S003", mlr="it takes the last one"),
        json_error("half of a surrogate pair", '{"a": "\\ud800"}\n', "S007", mlr="it writes a replacement character"),
        json_error(
            "surrogates in the wrong order",
            '{"a": "\\udc00\\ud800"}\n',
            "S007",
            mlr="it writes replacement characters",
        ),
        json_error("a comma at the end of an object", '{"a": 1,}\n', "S001", duckdb="it allows the comma"),
        json_error("a comment", '{"a": 1} // x\n', "S008"),
        json_error("NaN", '{"a": NaN}\n', "S001", duckdb="it takes NaN"),
        json_error("single quotation marks", "{'a': 1}\n", "S001"),
        json_error("a leading zero", '{"a": 007}\n', "S001"),
        json_error("a plus sign", '{"a": +5}\n', "S001"),
        json_error("a hexadecimal number", '{"a": 0x1F}\n', "S001"),
        json_error("no digit after the point", '{"a": 1.}\n', "S001"),
        json_error(
            "a number beyond all doubles",
            '{"a": 1e400}\n',
            "S006",
            mlr="it takes the digits",
            duckdb="it gives Infinity",
        ),
        json_error(
            "an integer of 65 bits",
            '{"n": 18446744073709551616}\n',
            "S006",
            mlr="it gives a string",
            duckdb="it gives a double",
        ),
        json_error("a tab in a string", '{"a": "x\ty"}\n', "S001"),
        json_error("invalid UTF-8", b'{"a": "\xff"}\n', "S002", mlr="it writes a replacement character"),
        texts("CR between values", '{"a": 1}\r{"a": 2}\r', TWO, file="t.ndjson"),
        json_error("record separators", '\x1e{"a": 1}\n\x1e{"a": 2}\n', "S001"),
        # JSON
        texts("one object in a file", '{"a": 1}\n', [{"a": 1}], file="t.json"),
        texts("objects one after another in a file", '{\n "a": 1\n}\n{\n "a": 2\n}\n', TWO, file="t.json"),
        texts("an empty file of JSON", "", [], file="t.json"),
        texts("blanks alone in JSON", " \n", [], file="t.json"),
        texts(
            "byte order mark of JSON",
            "\ufeff" + '[{"a": 1},\n{"a": 2}]\n',
            TWO,
            file="t.json",
            differs={"mlr": "it needs JSON without a mark", "duckdb": "it gives the array as a value"},
        ),
        texts("an empty object and an array in it", '[{}, {"a": []}]\n', [{}, {"a": []}], file="t.json"),
        texts(
            "an array far down",
            '{"a": {"b c": [{"x": 1}, {"x": 2}]}}\n',
            [{"x": 1}, {"x": 2}],
            file="t.json",
            ours=["--items", "/a/b c"],
            differs={"mlr": "another place", "duckdb": "another place"},
        ),
        json_error("a comma at the end of an array", '[{"a": 1},]\n', "S001", file="t.json"),
        json_error("a comma at the start of an array", '[,{"a": 1}]\n', "S001", file="t.json"),
        json_error("an array without an end", '[{"a": 1}\n', "S010", file="t.json"),
        json_error("text after an array", '[{"a": 1}] x\n', "S008", file="t.json"),
        json_error("UTF-16 of JSON", '[{"a": 1}]'.encode("utf-16"), "S002", file="t.json"),
        # Compressed. Miller's reader of JSON often closes the pipe from another program, so it is not asked there.
        Case(
            "a line over two parts of gzip",
            "t.ndjson.gz",
            gzip.compress(b'{"a": 1}\n{"a"') + gzip.compress(b": 2}\n") + gzip.compress(b""),
            TWO,
        ),
        Case("nothing in gzip", "t.ndjson.gz", gzip.compress(b""), []),
        Case(
            "zeros after gzip",
            "t.ndjson.gz",
            gzip.compress(LINE) + b"\0" * 512,
            [{"a": 1}],
            differs={"mlr": "it refuses them", "duckdb": "it refuses them"},
        ),
        Case(
            "gzip without its name",
            "t.ndjson",
            gzip.compress(LINE),
            [{"a": 1}],
            differs={"mlr": "it goes by the name", "duckdb": "it goes by the name"},
        ),
        Case(
            "the name of gzip alone",
            "t.ndjson.gz",
            LINE,
            [{"a": 1}],
            differs={"mlr": "it goes by the name", "duckdb": "it goes by the name"},
        ),
        Case(
            "byte order mark and CR LF in gzip",
            "t.csv.gz",
            gzip.compress("\ufeffa,b\r\n1,2\r\n3,4\r\n".encode()),
            AB,
            differs={"mlr": "the mark becomes part of a name"},
        ),
        Case("garbage after gzip", "t.ndjson.gz", gzip.compress(LINE) + b"garbage", Error("S505")),
        Case("gzip that is cut", "t.ndjson.gz", gzip.compress(LINE * 1000)[:-20], Error("S505")),
        Case(
            "a line over two frames of zstd",
            "t.ndjson.zst",
            packed("zstd", b'{"a": 1}\n{"a"') + packed("zstd", b": 2}\n"),
            TWO,
            mlr=None,
        ),
        Case("nothing in zstd", "t.ndjson.zst", packed("zstd", b""), [], mlr=None),
        Case("TSV in zstd", "t.tsv.zst", packed("zstd", b"a\tb\n1\t2\n3\t4\n"), AB, mlr=["--prepipe", "zstd -dc"]),
        Case(
            "zstd that is cut",
            "t.ndjson.zst",
            packed("zstd", LINE * 1000)[:-8],
            Error("S505"),
            mlr=None,
            differs={"duckdb": "it gives no records"},
        ),
        Case(
            "two streams of xz",
            "t.ndjson.xz",
            packed("xz", LINE) + packed("xz", b'{"a": 2}\n'),
            TWO,
            mlr=None,
            differs={"duckdb": NO_XZ},
        ),
        Case(
            "CSV in xz",
            "t.csv.xz",
            packed("xz", b"a,b\n1,2\n3,4\n"),
            AB,
            mlr=["--prepipe", "xz -dc"],
            differs={"duckdb": NO_XZ},
        ),
    ]


def deep(levels):
    return [deep(levels - 1)] if levels else 1
