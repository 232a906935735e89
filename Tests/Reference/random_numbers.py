"""The numbers of `random()`, computed by the model of the reference: random_numbers.py SEED PLACE [KEY…] INDEX COUNT.

PLACE is the JSON Pointer of the expression. Keys and the index are JSON values. Prints the numbers of COUNT calls.
"""

import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "Model")]

from randoms import Numbers  # noqa: E402
from values import read_json  # noqa: E402

if __name__ == "__main__":
    seed, place, *values, count = sys.argv[1:]
    numbers = Numbers(int(seed), place, [read_json(value) for value in values])
    print(*[numbers.next() for _ in range(int(count))])
