#!/usr/bin/env python3
"""The recorded transcript in WorkerProtocol.md: the frames of a short conversation, as hexadecimal text.

transcript.py STREAMRUN [--update]: compares the page with what the worker answers now, or writes it.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from worker import NONE, Worker

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "../../Sources/StreamPartition/StreamPartition.docc/WorkerProtocol.md")
BEGIN, END = "<!-- transcript:begin -->\n", "<!-- transcript:end -->"
FILE = """{
  "inputs": { "e": {} },
  "source": { "input": { "name": "e" } },
  "partition": { "key": "value.k", "time": "value.t" },
  "operators": [ { "debounce": { "seconds": 1 } } ]
}
"""


def conversation(streamrun):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stream.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(FILE)
        frames = []
        worker = Worker([streamrun, "worker", path], record=frames)
        worker.hello()
        records = [b'{"k":"a","t":1000}', b'{"k":"a","t":1500}']
        newest, watermark, routes = worker.route(NONE, records)
        items = [(time, record) for record, (_, time, _) in zip(records, routes)]
        worker.batch([(routes[0][2], 2, None, items)], watermark)
        worker.snapshots()
        worker.batch([], 3_000_000_000)
        worker.finish(newest)
        assert worker.close() == (0, "")
        return frames


def hexadecimal(data):
    text = data.hex(" ", 1)
    words = text.split(" ")
    return "\n".join("  " + " ".join(words[start : start + 32]) for start in range(0, len(words), 32))


def transcript(streamrun):
    parts = ["```json\n" + FILE + "```\n\n```text\n"]
    for request, answer in conversation(streamrun):
        parts.append(f"> {chr(request[4])}\n{hexadecimal(request)}\n< {chr(answer[4])}\n{hexadecimal(answer)}\n")
    parts.append("```\n")
    return "".join(parts)


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    before, _, rest = page.partition(BEGIN)
    old, _, after = rest.partition(END)
    new = transcript(os.path.abspath(sys.argv[1]))
    if "--update" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + new + END + after)
    elif old != new:
        sys.exit("the transcript in WorkerProtocol.md is not what the worker answers; write it with --update")
    print("the transcript is what the worker answers")


if __name__ == "__main__":
    main()
