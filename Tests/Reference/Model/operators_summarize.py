"""Operators that publish one result about all values: they request everything, and the result waits for demand."""

from functools import cmp_to_key

from stage import UNLIMITED, Queued
from table import operator
from values import Failure, Map, check_nesting, compare, equal, is_number, kind


class Summary(Queued):
    """The end waits for demand as well, also without a result, as in Combine."""

    is_asked = False

    def drain(self):
        if self.is_asked:
            super().drain()

    def on_request(self, count):
        self.is_asked = True
        super().on_request(count)

    def set_up(self):
        self.index = 0
        self.begin_summary()

    def begin_summary(self):
        pass

    def on_ready(self, up):
        self.ready()
        self.ask(UNLIMITED, up)

    def on_value(self, value, up):
        if not self.closing:
            index, self.index = self.index, self.index + 1
            self.add(value, index)

    def on_skip(self, up):
        pass

    def conclude(self, *values):
        """The result is known early: upstream is canceled."""
        self.queue.extend(values)
        self.detach(self.up)
        self.close()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        else:
            self.queue.extend(self.results())
            self.close()

    def matches(self, value, index):
        return "expression" not in self.fields or self.scope.test(self.fields["expression"], value=value, index=index)

    def number(self, value, index):
        if "expression" in self.fields:
            value = self.scope.evaluate(self.fields["expression"], value=value, index=index)
        if not is_number(value):
            raise Failure("S405", f"a value is of the type {kind(value)}, not a number")
        return value


@operator("reduce")
class Reduce(Summary):
    def begin_summary(self):
        self.acc = (self.fields["initialValue"],) if "initialValue" in self.fields else None

    def add(self, value, index):
        if self.acc:
            value = self.scope.evaluate(self.fields["expression"], acc=self.acc[0], value=value, index=index)
            check_nesting(value, index)
        self.acc = (value,)

    def results(self):
        return self.acc or ()


@operator("first")
class First(Summary):
    def add(self, value, index):
        if self.matches(value, index):
            self.conclude(value)

    def results(self):
        return ()


@operator("last")
class Last(Summary):
    def begin_summary(self):
        self.found, self.count = [], self.fields.get("count", 1)

    def start(self):
        if self.count == 0:
            self.ready()
            self.scheduler.effect(lambda: self.handle(self.end))
        else:
            super().start()

    def add(self, value, index):
        if self.matches(value, index):
            self.found.append(value)
            self.found = self.found[max(0, len(self.found) - self.count):]

    def results(self):
        return self.found


@operator("single")
class Single(Summary):
    def begin_summary(self):
        self.found = []

    def add(self, value, index):
        if self.matches(value, index):
            if self.found:
                raise Failure("S407", "more than one value matches")
            self.found.append(value)

    def results(self):
        if not self.found:
            raise Failure("S407", "no value matches")
        return self.found


@operator("findIndex")
class FindIndex(Summary):
    def add(self, value, index):
        if self.matches(value, index):
            self.conclude(index)

    def results(self):
        return (-1,)


@operator("contains")
class Contains(Summary):
    def add(self, value, index):
        found = self.matches(value, index) if "expression" in self.fields else equal(value, self.fields["value"])
        if found:
            self.conclude(True)

    def results(self):
        return (False,)


@operator("allSatisfy")
class AllSatisfy(Summary):
    def add(self, value, index):
        if not self.matches(value, index):
            self.conclude(False)

    def results(self):
        return (True,)


@operator("isEmpty")
class IsEmpty(Summary):
    def add(self, value, index):
        self.conclude(False)

    def results(self):
        return (True,)


@operator("count")
class Count(Summary):
    def begin_summary(self):
        self.count = 0

    def add(self, value, index):
        self.count += self.matches(value, index)

    def results(self):
        return (self.count,)


def plus(scope, left, right):
    """The sum as CEL has it: ints overflow, an int beside a double becomes one."""
    return scope.evaluate("left + right", left=left, right=right)


@operator("sum")
class Sum(Summary):
    def begin_summary(self):
        self.total = None

    def add(self, value, index):
        """The first number is the sum so far: that of -0.0 alone is -0.0."""
        number = self.number(value, index)
        self.total = number if self.total is None else plus(self.scope, self.total, number)

    def results(self):
        return (0 if self.total is None else self.total,)


@operator("average")
class Average(Summary):
    def begin_summary(self):
        self.total, self.count = None, 0

    def add(self, value, index):
        """Ints are added exactly, as long as there are only ints. The mean of -0.0 alone is -0.0."""
        number = self.number(value, index)
        self.total = number if self.total is None else self.total + number
        self.count += 1

    def results(self):
        return (self.total / self.count,) if self.count else ()


def order_of_keys(first, second):
    """Lists are compared by their elements, all of which have an order; NaN is last among them."""
    if not (isinstance(first, list) and isinstance(second, list)):
        return compare(first, second)
    orders = [order_of_keys(one, other) for one, other in zip(first, second)]
    for order, one, other in zip(orders, first, second):
        if order is None:
            order = (one != one) - (other != other)
        if order:
            return order
    return (len(first) > len(second)) - (len(first) < len(second))


class Extreme(Summary):
    """min and max: equal values keep the first; NaN is neither."""

    def begin_summary(self):
        self.best = None

    def add(self, value, index):
        key = self.scope.evaluate(self.fields["by"], value=value, index=index) if "by" in self.fields else value
        if self.best is None:
            if "compare" not in self.fields:
                order_of_keys(key, key)
            self.best = (key, value)
        elif self.replaces(self.best[0], key):
            self.best = (key, value)

    def order(self, first, second):
        if "compare" in self.fields:
            result = self.scope.evaluate(self.fields["compare"], first=first, second=second)
            if not is_number(result):
                raise Failure("S408", f"the expression returns {kind(result)}, not a number")
            return result
        result = order_of_keys(first, second)
        return 0 if result is None else result

    def results(self):
        return self.best[1:] if self.best else ()


@operator("min")
class Min(Extreme):
    def replaces(self, best, key):
        return self.order(key, best) < 0


@operator("max")
class Max(Extreme):
    def replaces(self, best, key):
        return self.order(best, key) < 0


@operator("collectMap")
class CollectMap(Summary):
    def begin_summary(self):
        self.map, self.count = Map(), 0

    def add(self, value, index):
        key = self.scope.evaluate(self.fields["key"], value=value, index=index)
        if kind(key) not in ("string", "int", "uint", "bool"):
            raise Failure("S408", f"a key is of the type {kind(key)}")
        if "expression" in self.fields:
            value = self.scope.evaluate(self.fields["expression"], value=value, index=index)
        multiple = self.fields.get("multiple", False)
        if (multiple or key not in self.map) and self.count >= self.fields.get("limit", 1_000_000):
            raise Failure("S409", "collectMap is full")
        self.count += multiple or key not in self.map
        self.map.set(key, self.map.get(key, []) + [value] if multiple else value)

    def results(self):
        return (self.map,)


@operator("sort")
class Sort(Summary):
    def begin_summary(self):
        self.found = []

    def add(self, value, index):
        if len(self.found) >= self.fields["limit"]:
            raise Failure("S409", "sort is full")
        key = self.scope.evaluate(self.fields["by"], value=value, index=index) if "by" in self.fields else value
        lists = [other for other, _ in self.found if isinstance(other, list)]
        known = max(lists, key=len) if lists else self.found[0][0] if self.found else key
        order_of_keys(known, key)
        self.found.append((key, value))

    def results(self):
        sign = -1 if self.fields.get("descending") else 1
        ordered = sorted(self.found, key=cmp_to_key(lambda a, b: sign * (order_of_keys(a[0], b[0]) or 0)))
        return [value for _, value in ordered]


@operator("sequenceEqual")
class SequenceEqual(Queued):
    def set_up(self):
        self.waiting, self.ended = ([], []), [False, False]

    def start(self):
        self.up = self.connect(self.upstream, 0)
        self.connect(self.scope.stream(self.fields["with"][0]), 1)
        self.readies = 0

    def on_ready(self, up):
        self.readies += 1
        if self.readies == 1:
            self.ready()
        self.ask(UNLIMITED, up)

    def on_value(self, value, up):
        if self.closing:
            return
        mine, others = self.waiting[up.tag], self.waiting[1 - up.tag]
        if others:
            other = others.pop(0)
            first, second = (value, other) if up.tag == 0 else (other, value)
            if "expression" in self.fields:
                same = self.scope.test(self.fields["expression"], first=first, second=second)
            else:
                same = equal(first, second)
            if not same:
                self.conclude(False)
        elif self.ended[1 - up.tag]:
            self.conclude(False)
        elif len(mine) >= self.fields.get("limit", 1_000_000):
            raise Failure("S409", "sequenceEqual is full")
        else:
            mine.append(value)

    def conclude(self, result):
        for up in list(self.ups):
            self.detach(up)
        self.queue.append(result)
        self.close()

    def on_end(self, failure, up):
        if failure:
            self.end(failure)
        elif not self.closing:
            self.ended[up.tag] = True
            if self.waiting[1 - up.tag]:
                self.conclude(False)
            elif all(self.ended):
                self.conclude(not self.waiting[up.tag])
