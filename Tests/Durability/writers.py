#!/usr/bin/env python3
"""Follows files under writers that rename, truncate, rewrite, copy, compress, delete and write late, at random moments,
while the run that follows is stopped, killed and continued. A model knows which line went into which file.

usage: writers.py STREAMRUN [--seconds 60] [--jobs 8] [--seed N] [--only SEED] [--keep DIR]

Each scenario has one path or a pattern, one format, with or without --state, and a writer that plays random operations.
A *generation* is the content of a path between two rotations or truncations; each line has the numbers of its generation
and of itself. The output must have

* each line once, and nothing else: no part of a line, no line of a file that was there before,
* the lines of a generation in order, and those of older generations of a path before those of newer ones, except lines
  that the writer wrote into a renamed file after the next one had begun,
* all lines, except those that were truncated or deleted without a copy before the run had read them and saved its state:
  of these, a beginning.

Without lines of the last two kinds, the output of one path is the concatenation of its generations, byte for byte, however
often the run was stopped.
"""
import argparse, concurrent.futures, gzip, json, os, random, shutil, signal, subprocess, sys, tempfile, threading, time

MODEL = {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}
FORMATS = {"ndjson": "log", "csv": "csv", "text": "txt"}


class Failure(Exception):
    pass


class Line:
    def __init__(self, generation, number, pad):
        self.generation, self.number, self.pad = generation, number, pad
        self.is_late = False

    def text(self, format):
        if format == "ndjson":
            return json.dumps({"g": self.generation.id, "n": self.number, "p": self.pad}, separators=(",", ":"))
        return (f"{self.generation.id},{self.number},{self.pad}" if format == "csv"
                else f"{self.generation.id} {self.number} {self.pad}")

    def value(self, format):
        """The line as the output has it."""
        if format == "ndjson":
            return self.text(format)
        if format == "text":
            return json.dumps(self.text(format))
        fields = {"g": str(self.generation.id), "n": str(self.number), "p": self.pad}
        return json.dumps(fields, separators=(",", ":"))


class Generation:
    """The content of a path between two rotations or truncations."""

    def __init__(self, log, id):
        self.log, self.id, self.lines = log, id, []
        # The number of lines that must be read; None for all.
        self.sure = None


class Log:
    """A path, and its writer."""

    def __init__(self, scenario, path, style):
        self.scenario, self.path, self.style = scenario, path, style
        self.generations = []
        self.rotations, self.file = 0, None
        # A renamed file to which the writer still writes, with its generation, until a time.
        self.old = None
        self.part = None

    # --- Lines

    def begin(self):
        # Always at the end: after a truncation, another writer would leave zeros before its place.
        self.file = open(self.path, "a")
        self.generation = self.scenario.generation(self)
        if self.scenario.format == "csv":
            self.file.write("g,n,p\n")
            self.file.flush()

    def line(self, generation):
        choose = self.scenario.choose
        pad = "x" * choose.choice([0, 3, 40, 40, 200, 3000 if choose.random() < 0.05 else 10])
        line = Line(generation, self.scenario.count, pad)
        self.scenario.count += 1
        generation.lines.append(line)
        return line

    def write(self, count):
        if self.file is None:
            self.begin()
        format = self.scenario.format
        if self.part is not None and self.part[0] is self.file:
            self.file.write(self.part[1])
            self.part = None
        lines = [self.line(self.generation) for _ in range(count)]
        text = "".join(line.text(format) + "\n" for line in lines)
        if self.part is None and self.scenario.choose.random() < 0.15:
            # The end of the last line comes with the next write.
            cut = self.scenario.choose.randrange(1, max(2, len(lines[-1].text(format))))
            text, self.part = text[:-cut], (self.file, text[-cut:], self.generation)
        self.file.write(text)
        self.file.flush()

    def complete(self):
        """Writes the rest of a line that was begun."""
        if self.part is not None:
            self.part[0].write(self.part[1])
            self.part[0].flush()
            if self.old is not None and self.part[0] is self.old[0] and self.generation.lines:
                self.part[2].lines[-1].is_late = True
            self.part = None

    def write_late(self):
        if self.old is None:
            return
        file, generation, end = self.old
        if time.time() >= end:
            self.close_old()
            return
        self.complete()
        line = self.line(generation)
        line.is_late = bool(self.generation.lines)
        file.write(line.text(self.scenario.format) + "\n")
        file.flush()

    def close_old(self):
        if self.old is not None:
            if self.part is not None and self.part[0] is self.old[0]:
                self.complete()
            self.old[0].close()
            self.old = None

    # --- Rotation

    def rotated_name(self):
        self.rotations += 1
        stem, ending = os.path.splitext(self.path)
        if self.style == "dated":
            return f"{self.path}-202601{self.rotations:02d}"
        if self.style == "stem":
            return f"{stem}-202601{self.rotations:02d}T120000Z{ending}"
        # The newest one has the number 1.
        for number in range(self.rotations, 0, -1):
            for end in ("", ".gz"):
                name = f"{self.path}.{number}{end}"
                if os.path.exists(name):
                    os.rename(name, f"{self.path}.{number + 1}{end}")
        return self.path + ".1"

    def older(self):
        """The path of the rotated file before the newest one."""
        if self.style == "dated":
            return f"{self.path}-202601{self.rotations - 1:02d}"
        if self.style == "stem":
            stem, ending = os.path.splitext(self.path)
            return f"{stem}-202601{self.rotations - 1:02d}T120000Z{ending}"
        return self.path + ".2"

    def rename(self, pack=None):
        if self.file is None:
            return
        self.close_old()
        name = self.rotated_name()
        os.rename(self.path, name)
        if pack is None and self.scenario.choose.random() < 0.5:
            self.old = (self.file, self.generation, time.time() + 2)
        else:
            self.complete()
            self.file.close()
        self.file = None
        if pack == "now":
            self.compress(name)
        elif pack == "later" and os.path.exists(self.older()):
            self.compress(self.older())
        if self.scenario.choose.random() < 0.8 or self.old is not None:
            self.begin()

    def compress(self, path):
        """As gzip does: the time is kept, and the file is removed when the new one is complete."""
        status = os.stat(path)
        with open(path, "rb") as source, open(path + ".gz", "wb") as target:
            data = gzip.compress(source.read())
            half = len(data) // 2
            target.write(data[:half])
            target.flush()
            if self.scenario.choose.random() < 0.3:
                time.sleep(0.2)
            target.write(data[half:])
        os.utime(path + ".gz", ns=(status.st_atime_ns, status.st_mtime_ns))
        os.remove(path)

    def copy_truncate(self, pack):
        if self.file is None:
            return
        self.close_old()
        self.complete()
        name = self.rotated_name()
        shutil.copyfile(self.path, name)
        self.file.truncate(0)
        self.generation = self.scenario.generation(self)
        if self.scenario.format == "csv":
            self.file.write("g,n,p\n")
            self.file.flush()
        if pack == "now":
            self.compress(name)

    def rewrite(self):
        """Truncates the file, and writes it again: shorter, equally long, or longer."""
        if self.file is None:
            return
        self.complete()
        self.scenario.settle(self.generation)
        count = len(self.generation.lines)
        self.file.truncate(0)
        self.file.close()
        self.begin()
        self.write(max(1, count + self.scenario.choose.choice([-count // 2, 0, 0, 3, 2 * count])))

    def delete(self):
        if self.file is None:
            return
        self.close_old()
        self.complete()
        self.scenario.settle(self.generation)
        os.remove(self.path)
        self.file.close()
        self.file = None
        if self.scenario.choose.random() < 0.5:
            self.begin()


class Scenario:
    def __init__(self, binary, seed, folder):
        self.binary, self.seed, self.folder = binary, seed, folder
        self.choose = choose = random.Random(seed)
        self.format = choose.choice(list(FORMATS))
        self.is_pattern = choose.random() < 0.35
        self.has_state = choose.random() < 0.8
        self.stops = choose.choice(["none", "term", "kill", "kill", "mixed"]) if self.has_state else "none"
        self.count, self.all, self.errors = 0, [], []
        self.figures = dict.fromkeys(["lines", "operations", "stops", "kills", "unsure", "late", "exact"], 0)
        style = choose.choice(["numbered", "numbered", "dated", "stem"])
        names = ["app", "web"][:1 + (self.is_pattern and choose.random() < 0.5)]
        ending = FORMATS[self.format]
        os.mkdir(self.path("logs"))
        self.logs = [Log(self, self.path(f"logs/{name}.{ending}"), style) for name in names]
        # A writer of one kind at a time is as likely as one of all kinds.
        kinds = ["rename", "pack", "delay", "copytruncate", "rewrite", "delete"]
        self.kinds = kinds if choose.random() < 0.5 else [choose.choice(kinds)]
        self.argument = (choose.choice(["logs/*", f"logs/*.{ending}*"]) if self.is_pattern
                         else os.path.relpath(self.logs[0].path, folder))
        self.process, self.is_over = None, False

    def path(self, name):
        return os.path.join(self.folder, name)

    def generation(self, log):
        generation = Generation(log, len(self.all))
        self.all.append(generation)
        log.generations.append(generation)
        return generation

    # --- The run

    def start(self):
        arguments = [self.binary, "s.json", "--input", self.argument, "--follow", "--input-format", self.format,
                     "--output", "out.ndjson"]
        if self.has_state:
            arguments += ["--state", "state", "--every", "100ms"]
        with open(self.path("errors"), "ab") as errors:
            self.process = subprocess.Popen(arguments, cwd=self.folder, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=errors)

    def wait_until_open(self):
        """A run that has not opened a file before it is renamed begins with the next one."""
        end = time.time() + 30
        while time.time() < end:
            self.check_alive()
            files = {real(f"/proc/{self.process.pid}/fd/{x}") for x in listed(f"/proc/{self.process.pid}/fd")}
            if any(log.file for log in self.logs):
                is_open = all(log.path in files for log in self.logs if log.file)
            else:
                is_open = b"the run waits" in read(self.path("errors"))
            if is_open:
                break
            time.sleep(0.02)
        while self.has_state and not os.path.exists(self.path("state/state-1")) and time.time() < end:
            time.sleep(0.02)

    def message(self):
        return read(self.path("errors"))[-800:].decode(errors="replace")

    def check_alive(self):
        if self.process.poll() is not None:
            raise Failure(f"the run ended with {self.process.returncode}: {self.message()}")

    def stop(self, number):
        self.check_alive()
        self.process.send_signal(number)
        code = self.process.wait(30)
        # A signal may come before the run handles it.
        if code not in (-number, 128 + number):
            raise Failure(f"signal {number}: exit code {code}: {self.message()}")
        self.figures["kills" if number == signal.SIGKILL else "stops"] += 1

    def disturb(self):
        """Stops and continues the run, beside the writer."""
        choose = random.Random(self.seed + 1)
        signals = {"term": [signal.SIGTERM, signal.SIGINT], "kill": [signal.SIGKILL],
                   "mixed": [signal.SIGTERM, signal.SIGKILL, signal.SIGKILL]}[self.stops]
        try:
            while not self.is_over:
                time.sleep(choose.choice([0.05, 0.3, 0.8, 1.5]) * choose.random() + 0.02)
                self.stop(choose.choice(signals))
                time.sleep(choose.choice([0, 0, 0.2, 0.8]))
                self.start()
        except Exception as error:
            self.errors.append(error)

    # --- What the run has read for good

    def written(self):
        """The values in the output that no kill can take away."""
        output = read(self.path("out.ndjson"))
        if self.stops != "none":
            output = output[:self.saved_length()]
        return output.decode().split("\n")[:-1]

    def saved_length(self):
        for _ in range(20):
            try:
                numbers = [int(x[6:]) for x in os.listdir(self.path("state")) if x.startswith("state-") and x[6:].isdigit()]
                text = read(self.path(f"state/state-{max(numbers)}"))
                return json.loads(text.split(b"\n", 1)[1])["outputs"][0]["bytes"]
            except (OSError, ValueError, IndexError):
                time.sleep(0.01)
        return 0

    def settle(self, generation):
        """Before content is lost: waits until it has been read, or notes how much of it has been."""
        def number():
            values = set(self.written())
            return sum(1 for line in generation.lines if line.value(self.format) in values)
        if self.choose.random() < 0.5:
            end = time.time() + 1.5
            while number() < len(generation.lines) and time.time() < end:
                time.sleep(0.05)
        sure = number()
        if sure < len(generation.lines):
            generation.sure = sure

    # --- The writer

    def play(self):
        choose = self.choose
        with open(self.path("s.json"), "w") as file:
            json.dump(MODEL, file)
        for log in self.logs:
            if not self.is_pattern:
                # It was rotated before the run began.
                with open(log.path + "-20250101", "w") as file:
                    file.write("g,n,p\n-1,-1,\n" if self.format == "csv" else '"before"\n')
            if choose.random() < 0.7 or self.is_pattern:
                log.begin()
                if choose.random() < 0.7 or self.is_pattern:
                    log.write(choose.randrange(1, 20))
        self.start()
        self.wait_until_open()
        disturber = threading.Thread(target=self.disturb)
        if self.stops != "none":
            disturber.start()
        try:
            for _ in range(choose.randrange(10, 45)):
                if self.errors:
                    break
                if self.stops == "none":
                    self.check_alive()
                self.operate(choose.choice(self.logs))
                time.sleep(choose.choice([0, 0, 0.02, 0.15, 0.4]))
            for log in self.logs:
                log.close_old()
                log.complete()
                # A file that was rotated without a new one at its path.
                if log.file is None:
                    log.begin()
                    log.write(1)
                    log.complete()
        finally:
            self.is_over = True
            if disturber.is_alive():
                disturber.join()
        if self.errors:
            raise self.errors[0]
        self.finish()

    def operate(self, log):
        choose = self.choose
        self.figures["operations"] += 1
        action = choose.choices(["write", "burst", "late", "lose"], [8, 1, 3, 4])[0]
        if action == "write":
            return log.write(choose.randrange(1, 6))
        if action == "burst":
            return log.write(choose.choice([100, 1000]))
        if action == "late":
            return log.write_late()
        kind = choose.choice(self.kinds)
        if kind == "rename":
            log.rename()
        elif kind == "pack":
            log.rename("now")
        elif kind == "delay":
            log.rename("later")
        elif kind == "copytruncate":
            log.copy_truncate(choose.choice([None, None, "now"]))
        elif kind == "rewrite":
            log.rewrite()
        else:
            log.delete()
        if self.is_pattern and choose.random() < 0.1:
            self.clutter()

    def clutter(self):
        """Something that matches the pattern and cannot be followed."""
        ending = FORMATS[self.format]
        name = self.path(f"logs/other{self.choose.randrange(3)}.{ending}")
        try:
            self.choose.choice([os.mkdir, os.mkfifo, lambda path: open(path, "wb").write(gzip.compress(b"1\n"))])(name)
        except OSError:
            pass

    # --- The judge

    def finish(self):
        wanted = {line.value(self.format) for generation in self.all for line in self.sure(generation)}
        end = time.time() + 30
        while time.time() < end:
            self.check_alive()
            # A run that was killed may have written lines that the next one cuts off and writes again.
            if wanted <= set(self.written()):
                break
            time.sleep(0.1)
        self.stop(signal.SIGTERM)
        self.judge(read(self.path("out.ndjson")).decode())

    def sure(self, generation):
        return generation.lines if generation.sure is None else generation.lines[:generation.sure]

    def judge(self, output):
        places = {}
        for place, value in enumerate(output.split("\n")[:-1]):
            if value in places:
                raise Failure(f"a line twice, at {places[value] + 1} and {place + 1}: {value[:100]}")
            places[value] = place
        if not output.endswith("\n") and output:
            raise Failure(f"the output ends with {output[-100:]!r}")
        known = set()
        exact, is_exact = [], len(self.logs) == 1
        for log in self.logs:
            last = (-1, None)
            for generation in log.generations:
                values = [line.value(self.format) for line in generation.lines]
                known.update(values)
                found = [places.get(value) for value in values]
                number = len([place for place in found if place is not None])
                for line, place in zip(self.sure(generation), found):
                    if place is None:
                        raise Failure(f"a line is missing: {line.value(self.format)[:100]}; {number} of {len(values)}"
                                      f" of its generation, {len(places)} in all")
                if None in found and any(place is not None for place in found[found.index(None):]):
                    raise Failure(f"a line is missing before others: {values[found.index(None)][:100]}")
                present = [place for place in found if place is not None]
                if present != sorted(present):
                    raise Failure(f"the lines of generation {generation.id} are not in order")
                timely = [place for line, place in zip(generation.lines, found) if place is not None and not line.is_late]
                if timely and timely[0] < last[0]:
                    raise Failure(f"a line of generation {generation.id} precedes one of {last[1]}")
                if timely:
                    last = (timely[-1], generation.id)
                late = sum(1 for line in generation.lines if line.is_late)
                self.figures["late"] += late
                self.figures["unsure"] += len(values) - len(self.sure(generation))
                is_exact &= late == 0 and generation.sure is None
                exact += values
        strange = [value for value in places if value not in known]
        if strange:
            raise Failure(f"{len(strange)} values that no line has, such as {strange[0][:100]}")
        if is_exact and output != "".join(value + "\n" for value in exact):
            raise Failure("the output is not the concatenation of the generations")
        self.figures["exact"] += is_exact
        self.figures["lines"] += self.count

    def words(self):
        return (f"{self.format}, {'a pattern' if self.is_pattern else 'one path'}, "
                f"{'state' if self.has_state else 'no state'}, {self.stops}, {'/'.join(self.kinds)}")


def listed(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def real(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def play(binary, seed, root):
    folder = os.path.join(root, str(seed))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    scenario = Scenario(binary, seed, folder)
    try:
        scenario.play()
        shutil.rmtree(folder)
        return scenario.figures, None
    except Failure as failure:
        return scenario.figures, f"FAILED seed {seed} ({scenario.words()}): {failure}"
    except Exception as error:
        return scenario.figures, f"FAILED seed {seed} ({scenario.words()}): {type(error).__name__}: {error}"
    finally:
        if scenario.process is not None and scenario.process.poll() is None:
            scenario.process.kill()
            scenario.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    options = parser.parse_args()
    # A shell starts its background jobs without it, and with them what they start.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    binary = os.path.abspath(options.binary)
    root = options.keep or tempfile.mkdtemp(prefix="writers")
    end = time.time() + options.seconds
    totals, failures, runs = {}, [], 0
    lock = threading.Lock()
    seeds = iter([options.only] if options.only is not None else range(options.seed * 100_000, 1 << 60))

    def work():
        nonlocal runs
        while time.time() < end:
            with lock:
                seed = next(seeds, None)
            if seed is None:
                return
            figures, failure = play(binary, seed, root)
            with lock:
                runs += 1
                for name, number in figures.items():
                    totals[name] = totals.get(name, 0) + number
                if failure:
                    failures.append(failure)
                    print(failure, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for job in [pool.submit(work) for _ in range(options.jobs)]:
            job.result()
    print(f"{runs} scenarios with {totals['operations']} operations and {totals['lines']} lines, {totals['late']} of them "
          f"late and {totals['unsure']} lost by the writer before they were saved; {totals['stops']} stops, "
          f"{totals['kills']} kills; {totals['exact']} outputs compared byte for byte; {len(failures)} failed", flush=True)
    if not options.keep:
        shutil.rmtree(root, ignore_errors=True)
    sys.exit(1 if failures else 0)


main()
