#!/usr/bin/env python3
"""A terminal in which a recording is stepped through by single keys.

Usage: step_keys.py STREAMRUN

The program gets a pseudo terminal that controls it, as a shell would start it. The keys are sent without Return. At the
end, at Ctrl-C, at SIGTERM, at a second signal and while the program is suspended, the terminal must have the settings
from before.
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

STREAMRUN = os.path.abspath(sys.argv[1])
PATIENCE = 30


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, arguments, folder):
        self.master, self.slave = pty.openpty()
        self.before = self.settings()
        self.text = ""
        self.process = subprocess.Popen(
            [STREAMRUN] + arguments, stdin=self.slave, stdout=self.slave, stderr=self.slave, cwd=folder,
            env=dict(os.environ, SWIFT_BACKTRACE="enable=no"),  # which would wait for a key after a crash
            start_new_session=True, preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)))

    def settings(self):
        return termios.tcgetattr(self.slave)

    def is_raw(self):
        return not self.settings()[3] & (termios.ICANON | termios.ECHO)

    def wait_for(self, pattern):
        """Waits until the text matches. Takes the text up to the end of the match, which is returned."""
        end = time.time() + PATIENCE
        while True:
            match = re.search(pattern, self.text)
            if match:
                self.text = self.text[match.end():]
                return match
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.time()))
            if not ready:
                raise SystemExit(f"'{pattern}' did not appear in:\n{self.text}")
            self.text += os.read(self.master, 65536).decode()

    def wait_until(self, condition, text):
        end = time.time() + PATIENCE
        while not condition():
            if time.time() > end:
                raise SystemExit(text)
            time.sleep(0.01)

    def send(self, keys):
        os.write(self.master, keys.encode())

    def end(self, *codes):
        actual = self.process.wait(PATIENCE)
        expect(actual in codes, f"exit code {actual} instead of {codes}")
        expect(self.settings() == self.before, "the terminal is not restored")
        os.close(self.master)
        os.close(self.slave)


def expect(is_so, text):
    if not is_so:
        raise SystemExit(f"FAILED: {text}")


def main():
    # A gate that runs beyond its terminal ignores this signal, and its children would, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "s.json"), "w") as file:
        json.dump({"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [
            {"id": "even", "filter": {"expression": "value % 2 == 0"}},
            {"id": "sum", "scan": {"initialValue": 0, "expression": "acc + value"}}]}, file)
    numbers = "".join(f"{number}\n" for number in range(20))
    subprocess.run([STREAMRUN, "s.json", "--virtual", "--record", "r.ndjson"], input=numbers, text=True, cwd=folder,
                   stdout=subprocess.DEVNULL, check=True)
    arguments = ["replay", "r.ndjson", "--step"]

    terminal = Terminal(arguments, folder)
    terminal.wait_for(r"the next event \(10n: ten events\)")
    terminal.wait_for(r"event 0 of 21 before the first event")
    terminal.wait_until(terminal.is_raw, "the terminal is not raw")
    for keys, event in [
        ("n", 1), ("\x1b[C", 2), ("\r", 3), ("\x1bOC", 4), ("b", 3), ("\x1b[D", 2), ("10n", 12), ("4b", 8),
        ("g5\r", 5), ("g16\x7f\r", 1), ("osum\r", 3), ("oevem\x7fn\r", 5), ("12g", 12), ("nnb", 13), ("e", 21),
    ]:
        terminal.send(keys)
        terminal.wait_for(rf"event {event} of 21 ")
    # A key whose bytes arrive one by one.
    terminal.send("g3\r")
    terminal.wait_for(r"event 3 of 21 ")
    for byte in "\x1b[C":
        terminal.send(byte)
    terminal.wait_for(r"event 4 of 21 ")
    # Escape cancels a line, and a number.
    terminal.send("o")
    terminal.wait_for(r"operator: ")
    terminal.send("su\x1b")
    terminal.wait_for(r"operator: su\r\x1b\[K")
    terminal.send("5")
    terminal.send("\x1b")
    time.sleep(0.2)
    terminal.send("n")
    terminal.wait_for(r"event 5 of 21 ")
    terminal.send("osun\r")
    terminal.wait_for(r"there is no operator 'sun'; did you mean 'sum'\?")
    terminal.send("x")
    terminal.wait_for(r"to an event: asks for its number")
    terminal.send("q")
    terminal.end(0)

    terminal = Terminal(arguments, folder)
    terminal.wait_for(r"event 0 of 21")
    terminal.send("\x04")
    terminal.end(0)

    # Ctrl-C, also while a line is read.
    for keys in ["", "o"]:
        terminal = Terminal(arguments, folder)
        terminal.wait_for(r"event 0 of 21")
        terminal.wait_until(terminal.is_raw, "the terminal is not raw")
        terminal.send(keys)
        if keys:
            terminal.wait_for("operator: ")
        terminal.send("\x03")
        terminal.end(130)

    for number, code in [(signal.SIGTERM, 143), (signal.SIGHUP, 129)]:
        terminal = Terminal(arguments, folder)
        terminal.wait_for(r"event 0 of 21")
        terminal.wait_until(terminal.is_raw, "the terminal is not raw")
        terminal.process.send_signal(number)
        terminal.end(code)

    # Signals while the program is at work: the second one ends it at once. A crash.
    for numbers, codes in [([signal.SIGTERM, signal.SIGINT], [130, 143]), ([signal.SIGABRT], [-signal.SIGABRT])]:
        terminal = Terminal(arguments, folder)
        terminal.wait_for(r"event 0 of 21")
        terminal.wait_until(terminal.is_raw, "the terminal is not raw")
        terminal.process.send_signal(signal.SIGSTOP)
        for number in numbers:
            terminal.process.send_signal(number)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.end(*codes)

    # Suspended and continued.
    terminal = Terminal(arguments, folder)
    terminal.wait_for(r"event 0 of 21")
    terminal.wait_until(terminal.is_raw, "the terminal is not raw")
    # A session's only process group is orphaned, and Ctrl-Z does not suspend it; the signal's handler does.
    terminal.process.send_signal(signal.SIGTSTP)
    terminal.wait_until(lambda: terminal.settings() == terminal.before, "a suspended program leaves the terminal raw")
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_until(terminal.is_raw, "the terminal is not raw again")
    terminal.send("n")
    terminal.wait_for(r"event 1 of 21")
    terminal.send("q")
    terminal.end(0)

    # Standard input that is not a terminal is read as lines.
    lines = subprocess.run([STREAMRUN] + arguments, input="n\n\ng 4\n", text=True, cwd=folder, stdout=subprocess.PIPE)
    events = re.findall(r"^event (\d+)", lines.stdout, re.M)
    expect(events == ["0", "1", "2", "4"], f"lines are read as {events}")
    print("keys step through a recording; the terminal is restored")


main()
