#!/usr/bin/env python3
"""What device_totals.json does, written for PyFlink: pyflink_peer.py INPUT.ndjson PARALLELISM.

Runs with the Python of an environment that has `apache-flink` with all that it depends on, in one process of Flink.
Prints the seconds that the job took.
"""
import json
import sys

from pyflink.common import Types, WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import FileSource, StreamFormat
from pyflink.datastream.functions import KeyedProcessFunction
from pyflink.datastream.state import ValueStateDescriptor


class Totals(KeyedProcessFunction):
    """The number and the sum of the values of a device, for each of its records."""

    def open(self, runtime_context):
        self.state = runtime_context.get_state(ValueStateDescriptor("totals", Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value, ctx):
        count, total = self.state.value() or (0, 0.0)
        count, total = count + 1, total + value["value"]
        self.state.update((count, total))
        yield json.dumps({"device": ctx.get_current_key(), "count": count, "sum": total}, separators=(",", ":"))


def main():
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_python_executable(sys.executable)
    environment.set_parallelism(int(sys.argv[2]))
    environment.enable_checkpointing(5000)
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), sys.argv[1]).build()
    lines = environment.from_source(source, WatermarkStrategy.no_watermarks(), "readings")
    results = (lines.map(json.loads, output_type=Types.PICKLED_BYTE_ARRAY())
               .key_by(lambda value: value["device"], key_type=Types.STRING())
               .process(Totals(), output_type=Types.STRING()))
    table = results.filter(lambda line: False)
    table.print()
    result = environment.execute("readings")
    print(result.get_net_runtime() / 1000)


if __name__ == "__main__":
    main()
