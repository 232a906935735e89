"""The data of W9 to W14, the same in every run."""

import os

START = 1_700_000_000_000


class Numbers:
    """A linear congruential generator, so that no library's version changes the data."""

    def __init__(self, seed):
        self.state = seed

    def next(self, bound):
        """A number from 0 up to `bound`, exclusive."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return (self.state >> 33) % bound


def write_lines(path, texts):
    """Writes the file at once under its name, so that a run that was stopped leaves no half of it."""
    with open(path + ".part", "w") as file:
        file.writelines(texts)
    os.replace(path + ".part", path)


def events(count, keys):
    """Records of users who come at random, each every three seconds on average."""
    numbers = Numbers(12345)
    for index in range(count):
        yield numbers.next(keys), numbers.next(1000), START + index * 3000 // keys


def every_key(count, keys):
    """Records whose users take turns, so that exactly `keys` users come if there are as many records."""
    numbers = Numbers(54321)
    for index in range(count):
        yield index * 7919 % keys, numbers.next(1000), START + index


def as_ndjson(records):
    """The records as lines of JSON."""
    return (f'{{"user":{user},"amount":{amount},"t":{t}}}\n' for user, amount, t in records)


class Records:
    """Files of records in a folder; each is written when it is first asked for."""

    def __init__(self, folder, count):
        self.folder = folder
        self.count = count

    def path(self, name, make):
        """The file with this name; `make` returns its lines."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            write_lines(path, make())
        return path

    def events(self, keys):
        """Events of up to `keys` users."""
        return self.path(f"events-{keys}.ndjson", lambda: as_ndjson(events(self.count, keys)))

    def last_instant(self, keys):
        """How many events come in the last millisecond."""
        return sum(1 for index in range(self.count) if index * 3000 // keys == (self.count - 1) * 3000 // keys)

    def growing(self, keys):
        """Events of exactly `keys` users, or of as many as there are records."""
        return self.path(f"growing-{keys}.ndjson", lambda: as_ndjson(every_key(self.count, keys)))

    def table(self):
        """The events of 1,000 users as CSV, under the name that w14-csv.json refers to."""

        def lines():
            yield "user,amount,t\n"
            for user, amount, t in events(self.count, 1000):
                yield f"{user},{amount},{t}\n"

        return self.path("events.csv", lines)

    def numbers(self):
        """The numbers from 1 through the count."""
        return self.path("numbers.ndjson", lambda: (f"{number}\n" for number in range(1, self.count + 1)))

    def gravity(self):
        """Readings of a sensor that is turned over from time to time, for W4."""

        def lines():
            numbers = Numbers(777)
            for index in range(self.count):
                x, y, z = (numbers.next(20000) / 10000 - 1 for _ in range(3))
                yield f'{{"t":{START + index},"x":{x:.4f},"y":{y:.4f},"z":{z:.4f}}}\n'

        return self.path("gravity.ndjson", lines)

    def orders(self, count):
        """Ten orders a second."""

        def lines():
            numbers = Numbers(99)
            for order in range(count):
                yield f'{{"id":{order},"amount":{numbers.next(1000)},"t":{START + 100 * order}}}\n'

        return self.path(f"orders-{count}.ndjson", lines)

    def payments(self, count):
        """A payment for each order, up to 120 seconds after it, in order of time."""

        def lines():
            numbers = Numbers(98)
            times = ((START + 100 * order + 1 + numbers.next(120_000), order) for order in range(count))
            return (f'{{"id":{order},"t":{t}}}\n' for t, order in sorted(times))

        return self.path(f"payments-{count}.ndjson", lines)
