"""W9 as a dataflow of Bytewax on one worker: keyed_bytewax.py whole running FILE writes lines of JSON."""

import sys

import bytewax.operators as op
import orjson
from bytewax.connectors.files import FileSource
from bytewax.dataflow import Dataflow
from bytewax.outputs import DynamicSink, StatelessSinkPartition
from bytewax.testing import run_main


class Lines(StatelessSinkPartition):
    """Writes each batch of keyed totals to standard output."""

    def write_batch(self, items):
        write = sys.stdout.buffer.write
        for key, total in items:
            write(orjson.dumps({"user": int(key), "total": total}, option=orjson.OPT_APPEND_NEWLINE))


class StandardOutput(DynamicSink):
    """A sink of one partition for each worker."""

    def build(self, step_id, worker_index, worker_count):
        return Lines()


def add(total, record):
    """The state after a record of a user, and the total to publish."""
    total = (total or 0) + record["amount"]
    return total, total


def main():
    flow = Dataflow("w9")
    lines = op.input("lines", flow, FileSource(sys.argv[3], batch_size=1000))
    records = op.map("parse", lines, orjson.loads)
    keyed = op.key_on("user", records, lambda record: str(record["user"]))
    op.output("write", op.stateful_map("total", keyed, add), StandardOutput())
    run_main(flow)


if __name__ == "__main__":
    main()
