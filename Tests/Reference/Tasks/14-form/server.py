"""A server of user names: reads a request per line, and prints an answer per line."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    if request["argument"] == "crash":
        print(json.dumps({"id": request["id"], "failure": {"message": "out of order"}}), flush=True)
    else:
        print(json.dumps({"id": request["id"], "value": request["argument"] in ("anna", "root")}), flush=True)
