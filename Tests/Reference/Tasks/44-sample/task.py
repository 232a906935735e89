TITLE = "A random sample"
ABOUT = "One value in a hundred, at random. The seed makes a run repeatable."
COMMAND = "streamrun stream.json --seed 7 < events.ndjson"


def data(random):
    return {"events.ndjson": [{"id": index} for index in range(20_000)]}


def run(folder, command):
    first, second, other = (command(COMMAND.replace("7", seed)) for seed in "778")
    assert first == second != other
    ids = [int(line) for line in first.splitlines()]
    assert ids == sorted(set(ids)) and 140 < len(ids) < 260, f"{len(ids)} values"
    early = sum(id < 10_000 for id in ids)
    assert 0.3 < early / len(ids) < 0.7
    return "right\n"


def expected(data):
    return "right\n"
