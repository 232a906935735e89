TITLE = "Parts in files of their own"
ABOUT = "A stream in another file is used twice, each time with another input."
COMMAND = "streamrun stream.json --input attic=attic.ndjson --input cellar=cellar.ndjson"


def data(random):
    return {f"{room}.ndjson": [round(random.gauss(20, 3), 1) for _ in range(100)] for room in ("attic", "cellar")}


def expected(data):
    attic, cellar = ([(a + b) / 2 for a, b in zip(rows, rows[1:])] for rows in data.values())
    return [{"attic": a, "cellar": c} for a, c in zip(attic, cellar)]
