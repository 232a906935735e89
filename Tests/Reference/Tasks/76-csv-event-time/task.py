from support import iso, table, times

TITLE = "CSV with event time"
ABOUT = "The stream runs by the times in the rows of a table: the input declares its clock."
COMMAND = "streamrun stream.json --input events.csv"


def data(random):
    return {"events.csv": table([{"ts": ts, "id": index} for index, ts in enumerate(times(random, 200, 30_000))])}


def expected(data):
    rows = [tuple(map(int, line.split(","))) for line in data["events.csv"].splitlines()[1:]]
    for before, after in zip(rows, rows[1:]):
        if after[0] - before[0] > 60_000:
            yield {"id": before[1], "at": iso(before[0] + 60_000)}
