"""Marble diagrams: text to events, and back only for people."""

import re

from values import Failure

UNITS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9}


def parse_marbles(text, values=None, frame=10**6):
    """The events [(nanoseconds, value or FINISHED or Failure)]; times before '^' are negative."""
    from sources import FINISHED
    events, time, start, position = [], 0, 0, 0

    def event(symbol):
        if symbol == "|":
            return FINISHED
        if symbol == "#":
            return Failure("S407", "error", "error")
        return values[symbol] if values is not None and symbol in values else symbol

    def symbol_at(position):
        if text[position] == "'":
            end = text.index("'", position + 1)
            return text[position + 1:end], end + 1
        return text[position], position + 1

    while position < len(text):
        character = text[position]
        span = None
        if position == 0 or character == " ":
            span = re.match(r"\s*(\d+(?:\.\d+)?)(ms|s|m)(?=\s|$)", text[position:])
        if span:
            time += round(float(span[1]) * UNITS[span[2]])
            position += span.end()
        elif character == " ":
            position += 1
        elif character == "-":
            time, position = time + frame, position + 1
        elif character == "^":
            start, position = time, position + 1
            time += frame
        elif character in "([":
            begin, position = position, position + 1
            while text[position] not in ")]":
                symbol, position = symbol_at(position)
                if symbol != " ":
                    events.append((time, event(symbol)))
            position += 1
            time += (position - begin) * frame if character == "(" else frame
        else:
            symbol, position = symbol_at(position)
            events.append((time, event(symbol)))
            time += frame
    return [(at - start, what) for at, what in events]
