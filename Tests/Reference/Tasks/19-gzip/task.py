import gzip

from support import ndjson

TITLE = "Compressed logs"
ABOUT = "Counts the errors in all files of a folder; the files' names say that they are compressed."
COMMAND = "streamrun stream.json --input 'logs/*.ndjson.gz'"


def rows(random):
    return [{"level": random.choice(["info", "info", "error"])} for _ in range(200)]


def data(random):
    return {f"logs/{day}.ndjson.gz": gzip.compress(ndjson(rows(random)).encode()) for day in range(1, 4)}


def expected(data):
    return [sum(gzip.decompress(content).count(b'"error"') for content in data.values())]
