"""Rows of figures, and how they are printed as tables of Markdown."""

import collections

# A row: what was measured, its unit, and a number for each program; the first program is compared with the others.
Row = collections.namedtuple("Row", "title unit figures")


def figure(number):
    """A number with three significant digits, or all digits in front of the point."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def cells(row, names):
    """The cells of a row: each figure, and its ratio to the first."""
    ours = row.figures[names[0]]
    for name in names:
        number = row.figures.get(name)
        if number is None:
            yield "–"
        elif name == names[0] or ours <= 0 or row.unit == "MB":
            yield figure(number)
        else:
            yield f"{figure(number)} ({figure(number / ours)})"


def print_table(title, rows, note=None):
    """Prints a table with a column for each program of any row."""
    names = list(dict.fromkeys(name for row in rows for name in row.figures))
    print(f"\n### {title}\n")
    if note:
        print(f"{note}\n")
    print(f"| | unit | {' | '.join(names)} |")
    print("| --- | --- |" + " ---: |" * len(names))
    for row in rows:
        print(f"| {row.title} | {row.unit} | {' | '.join(cells(row, names))} |", flush=True)
