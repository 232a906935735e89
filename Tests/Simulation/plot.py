#!/usr/bin/env python3
"""Draws the plots of Simulation.md: plot.py FOLDER [OUTPUT]. FOLDER is that of SharingSimulation --csv."""
import csv
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({
    "svg.hashsalt": "streamrun", "svg.fonttype": "none", "font.size": 10, "font.family": "sans-serif",
    "axes.spines.top": False, "axes.spines.right": False, "path.simplify_threshold": 1,
})
COLORS = ["#9aa0a6", "#5b8def", "#1f5fbf", "#d9534f", "#2e9e5b"]


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    # Tenths of a point are enough.
    text = re.sub(r"(\d+\.\d)\d+", r"\1", path.read_text())
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
    print(f"{path}: {path.stat().st_size} bytes")


def versions(folder, output):
    data = rows(folder / "versions.csv")
    hours = [int(row["minute"]) / 60 for row in data][::10]
    names = ["builtIn", "v1", "v2", "v3", "v4"]
    shares = [[100 * float(row[name]) for row in data][::10] for name in names]
    figure, axes = plt.subplots(figsize=(7, 3.2))
    axes.stackplot(hours, shares, colors=COLORS, labels=["built in", "1", "2", "3 (bad)", "4"], linewidth=0)
    axes.set(xlim=(0, 24), ylim=(0, 100), xlabel="hour", ylabel="clients (%)", xticks=range(0, 25, 2))
    axes.legend(title="version", loc="lower left", frameon=True, fontsize=8)
    save(figure, output / "simulation-versions.svg")


def rollout(folder, output):
    data = [row for row in rows(folder / "rollout.csv") if int(row["second"]) < 600]
    seconds = [int(row["second"]) for row in data]
    halt = next((int(row["second"]) for row in data if row["halted"] == "1"), None)
    figure, axes = plt.subplots(figsize=(7, 3.2))
    axes.plot(seconds, [100 * float(row["ranShare"]) for row in data], color=COLORS[3], label="clients that ran it (%)")
    axes.axhline(5, color="#9aa0a6", linestyle=":", label="rolled out to (%)")
    if halt is not None:
        axes.axvline(halt, color="black", linestyle="--", linewidth=1, label="halt")
    axes.set(xlim=(0, 600), ylim=(0, 6), xlabel="seconds after the publication of the bad version", ylabel="clients (%)")
    right = axes.twinx()
    shares = [100 * int(row["failures"]) / max(int(row["reports"]), 1) for row in data]
    right.plot(seconds, shares, color=COLORS[2], label="failures of reports (%)")
    right.set(ylabel="failures of reports (%)", ylim=(0, 60))
    handles = [*axes.get_legend_handles_labels()[0], *right.get_legend_handles_labels()[0]]
    axes.legend(handles, [handle.get_label() for handle in handles], loc="center right", fontsize=8)
    save(figure, output / "simulation-halt.svg")


def load(folder, output):
    figure, axes = plt.subplots(figsize=(7, 3.2))
    data = rows(folder / "load.csv")
    for index, clients in enumerate(sorted({int(row["clients"]) for row in data})):
        day = [row for row in data if int(row["clients"]) == clients]
        hours = [int(row["minute"]) / 60 for row in day][::5]
        name = f"{clients:,}"
        for member, line in (("edges", "-"), ("origin", ":")):
            axes.plot(
                hours, [float(row[member]) for row in day][::5], line, color=COLORS[[1, 4, 3][index % 3]], linewidth=1.2,
                label=f"{member}, {name} clients")
    axes.set(
        yscale="log", xlim=(0, 24), ylim=(0.5, 100_000), xlabel="hour", ylabel="requests per second",
        xticks=range(0, 25, 2))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8, frameon=False)
    save(figure, output / "simulation-load.svg")


def delays(folder, output):
    figure, axes = plt.subplots(figsize=(7, 3.2))
    data = rows(folder / "delays.csv")
    for index, step in enumerate(dict.fromkeys(row["step"] for row in data)):
        if "bad" in step:
            continue
        points = [(int(row["second"]) / 60, 100 * float(row["share"])) for row in data if row["step"] == step]
        kept = points[:: max(1, len(points) // 80)] + points[-1:]
        axes.plot(*zip(*kept), linewidth=1.2, label=step)
    axes.set(xlim=(0, 15), ylim=(0, 100), xlabel="minutes after the change", ylabel="clients that follow (%)")
    axes.legend(loc="lower right", fontsize=8)
    save(figure, output / "simulation-delays.svg")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    output = Path(sys.argv[2] if len(sys.argv) > 2 else folder)
    output.mkdir(parents=True, exist_ok=True)
    for draw in (versions, rollout, load, delays):
        draw(folder, output)


main()
