#!/usr/bin/env python3
"""Plays the studio in Chromium, as a person would: Tests/Studio/suite.py PATH/streamstudio [--smoke] [--only NAME…]

Needs Debian's chromium and chromium-driver, selenium from PyPI, and axe-playwright-python from PyPI for its file
axe.min.js. A play fails with what it expected and saw, and a screenshot; any error in the console fails it, too.
"""
import argparse
import os
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import plays_build  # noqa: E402
import plays_compare  # noqa: E402
import plays_editor  # noqa: E402
import plays_files  # noqa: E402
import plays_frame  # noqa: E402
import plays_hands  # noqa: E402
import plays_live  # noqa: E402
import plays_looks  # noqa: E402
import plays_marbles  # noqa: E402
import plays_pipeline  # noqa: E402
import plays_reach  # noqa: E402
import plays_share  # noqa: E402
import plays_sizes  # noqa: E402
import plays_step  # noqa: E402
import plays_tests  # noqa: E402
import plays_text  # noqa: E402
from server import Failure, Server, expect  # noqa: E402
from studio import Person  # noqa: E402

GROUPS = [
    plays_files, plays_frame, plays_marbles, plays_hands, plays_build, plays_pipeline, plays_text, plays_editor,
    plays_tests, plays_live, plays_step, plays_compare, plays_share, plays_sizes, plays_reach, plays_looks,
]


class World:
    """What a play gets: a server over a folder of its own, and people in front of browsers."""

    def __init__(self, options, person):
        self.options = options
        self.streamrun = options.streamrun
        self.is_smoke = options.smoke
        self.server = Server(options.studio)
        self.person = person
        self.others = []
        self.notes = []

    def another_person(self):
        """A second browser, with cookies and drafts of its own."""
        person = Person()
        self.others.append(person)
        return person

    def note(self, text):
        """Adds a measurement to the line of the play."""
        self.notes.append(text)

    def close(self):
        for person in self.others:
            person.close()
        self.server.close()


def run(play, world, folder):
    """Runs a play, and returns what is wrong, or None."""
    people = lambda: [world.person, *world.others]  # noqa: E731
    try:
        play(world)
        for person in people():
            errors = person.errors()
            expect(not errors, "the console has errors: " + " | ".join(errors[:5]))
        return None
    except Exception as error:
        places = [frame for frame in traceback.extract_tb(error.__traceback__) if "/plays_" in frame.filename]
        place = ", ".join(f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in places)
        kind = f" ({place})" if isinstance(error, Failure) else f"\n{traceback.format_exc()}"
        lines = [f"{error}{kind}"]
        for number, person in enumerate(people()):
            path = os.path.join(folder, f"{play.__name__}-{number}.png")
            try:
                person.screenshot(path)
                lines.append(f"screenshot: {path}")
                lines += [f"console: {entry}" for entry in person.errors()[:5]]
            except Exception as problem:
                lines.append(f"no screenshot: {problem}")
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studio", help="the built command streamstudio")
    parser.add_argument("--streamrun", help="the built command streamrun; by default the one beside streamstudio")
    parser.add_argument("--smoke", action="store_true", help="only the short plays, in less than 20 s")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="plays whose names hold one of these")
    parser.add_argument("--screenshots", metavar="DIR", help="write screenshots of each view into a folder")
    parser.add_argument("--documentation", action="store_true", help="write the pictures of the documentation")
    parser.add_argument("--list", action="store_true", help="list the plays")
    options = parser.parse_args()
    options.studio = os.path.abspath(options.studio)
    options.streamrun = os.path.abspath(
        options.streamrun or os.path.join(os.path.dirname(options.studio), "streamrun"))
    plays = [play for group in GROUPS for play in group.PLAYS]
    if options.smoke:
        plays = [play for play in plays if getattr(play, "is_smoke", False)]
    if options.only:
        plays = [play for play in plays if any(name in play.__name__ for name in options.only)]
    if options.list:
        for play in plays:
            print(f"{play.__name__}: {play.__doc__.strip()}")
        return 0
    folder = tempfile.mkdtemp(prefix="studio-suite-failures-")
    failed = 0
    start = time.monotonic()
    person = Person()
    try:
        for play in plays:
            person.begin()
            world = World(options, person)
            begin = time.monotonic()
            try:
                problem = run(play, world, folder)
            finally:
                world.close()
            duration = f"{(time.monotonic() - begin) * 1000:7.0f} ms"
            notes = f" ({'; '.join(world.notes)})" if world.notes else ""
            print(f"{'failed' if problem else 'passed'} {duration}  {play.__name__}{notes}", flush=True)
            if problem:
                failed += 1
                print("    " + problem.replace("\n", "\n    "), flush=True)
    finally:
        person.close()
    print(f"{len(plays) - failed} passed, {failed} failed, {time.monotonic() - start:.0f} s")
    if not failed:
        os.rmdir(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
