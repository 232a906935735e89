"""Random pipelines of the reference model, whose records carry their times: `ModelCase(seed)`, as an `EventCase`."""

import copy
import random

from event_cases import UNITS
from generate import Case

BASE = 1_600_000_000_000


class ModelCase:
    partition = None

    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed + 1)
        case = Case(seed)
        while case.partition or case.clock or case.streams or len(case.values) > 100:
            seed += 1_000_000
            case = Case(seed)
        self.seed_of_numbers = case.seed_of_numbers
        self.operators = [{"map": {"expression": "value.v"}}] + case.operators
        self.type = {"t": "int", "v": case.type} if case.typed else None
        self.unit = self.rng.choice(["ms", "us", "ns"])
        self.lateness = self.rng.choice([2, 10, 50, 1000])
        factor = UNITS["ms"] // UNITS[self.unit]
        records = [{"t": (BASE + time) * factor, "v": value} for time, value in zip(case.times, case.values)]
        self.rng.shuffle(records)
        records.sort(key=lambda record: record["t"] + self.rng.randint(0, self.lateness * factor))
        self.shuffled = {"a": records}
        self.sorted = {"a": sorted(records, key=lambda record: record["t"])}
        self.clocks = {"a": self}

    def model(self, lateness=True, clocks=True, **members):
        time = {"expression": "value.t", "unit": self.unit}
        if lateness:
            time["lateness"] = self.lateness / 1000
        declaration = {"time": time} if clocks else {}
        if self.type:
            declaration["type"] = self.type
        seed = {} if self.seed_of_numbers is None else {"seed": self.seed_of_numbers}
        return {**seed, "inputs": {"a": declaration}, "source": {"input": {"name": "a"}},
                "operators": copy.deepcopy(self.operators), **members}

    @property
    def options(self):
        return ["--event-time", "value.t", "--unit", self.unit, "--lateness", str(self.lateness / 1000)]
