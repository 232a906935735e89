TITLE = "Check of a form"
ABOUT = "Asks a server whether a user name is free. A program answers the call; in a test of the file, the file does."
COMMAND = "streamrun stream.json --call taken='python3 server.py' < names.ndjson"


def data(random):
    return {"names.ndjson": [random.choice(["bo", "anna", "root", "peter", "maria", "crash", ""]) for _ in range(60)]}


def expected(data):
    for name in data["names.ndjson"]:
        error = (
            "is too short"
            if len(name) < 4
            else "is taken" if name in ("anna", "root") else "the server failed" if name == "crash" else ""
        )
        yield {"name": name, "error": error}
