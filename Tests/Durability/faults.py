#!/usr/bin/env python3
"""Runs every command that writes while its calls of the system fail.

usage: faults.py FOLDER [--each N] [--seed S] [--only NAME] [--show]

FOLDER has debug builds of the commands: these count their calls on files, and let chosen ones fail (`FaultPlan.swift`).
Each command runs undisturbed first. Then it runs again with each of N of its calls and each fault: a short read or write,
EINTR, ENOSPC, EIO, and a kill before or after the call; with all of its reads and writes short; and with cuts of power,
after which files have only what was synchronized (power.py). In each case:

* the command succeeds with the same result, or ends with 1 or 2 and a message that names a file; it never hangs or traps;
* a file that existed has its old or its new content, and a file that is written whole is whole or missing;
* the same command, undisturbed, then comes to the result of a run that was never disturbed.
"""
import argparse, fnmatch, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time, urllib.error, urllib.request

import power

ERRORS = {"noSpace": "write sync rename link makeFolder open", "failed": "", "interrupted": "open read write cut sync lock",
          "short": "read write", "before": "", "after": ""}
HARMLESS = ("short", "interrupted")
CREATES = os.O_CREAT


class Case:
    """A command with the files that it finds.

    `result` names the files that it makes or changes: patterns. `grows` names those of them that are written piece by
    piece, so that an error leaves a part. `again` is whether the command, run again after an error, comes to the result.
    `valid` is a command that checks the result afterwards. `prints` is whether it prints the same each time.
    """
    def __init__(self, name, words, files=None, result="*", grows="", again=True, stdin="", before=(), valid=None,
                 prints=True):
        self.name, self.words, self.files, self.stdin, self.before = name, words, files or {}, stdin, before
        self.result, self.grows, self.again, self.valid = result.split(), grows.split(), again, valid
        self.prints = prints and valid is None

    def prepare(self, folder, programs):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, text in self.files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        for words in self.before:
            done = self.run(folder, programs, words)
            if done.returncode != 0:
                sys.exit(f"{self.name}: {words}: {done.returncode} {done.stderr.decode()}")

    def run(self, folder, programs, words=None, **environment):
        words = words or self.words
        return subprocess.run(
            [os.path.join(programs, words[0]), *words[1:]], cwd=folder, input=self.stdin.encode(), timeout=60,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "NO_COLOR": "1", "HOME": folder, "XDG_CACHE_HOME": folder + "/cache", **environment})

    def counts(self, name):
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.result)

    def may_grow(self, name):
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.grows)

    def content(self, folder):
        """The files that count, and all of them."""
        found = {}
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, folder)] = file.read()
        return {name: data for name, data in found.items() if self.counts(name)}, found


class Saving(Case):
    """A studio that is asked to replace the text of a file."""
    def run(self, folder, programs, words=None, **environment):
        process = subprocess.Popen(
            [os.path.join(programs, "streamstudio"), folder, "--port", "0", "--color", "never"], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_STATE_HOME": folder + "/state", **environment})
        code, said = 2, process.stderr.readline()
        found = re.search(r"(http://\S+)/\?token=(\S+)", said)
        if found:
            headers = {"Authorization": "Bearer " + found[2], "Content-Type": "application/json"}
            try:
                code, said = 0, self.save(found[1] + "/api/file?path=s.json", headers)
            except urllib.error.HTTPError as error:
                said = error.read().decode()
            except OSError as error:
                said = f"s.json: {error}"
        process.terminate()
        said += process.stderr.read()
        ended = process.wait(30)
        return subprocess.CompletedProcess([], ended if ended == -signal.SIGKILL else code, b"", said.encode())

    def save(self, address, headers):
        """Replaces the text, whatever it is."""
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
            known = json.load(answer)
        body = json.dumps({"text": self.text, "base": known["digest"]}).encode()
        request = urllib.request.Request(address, body, headers, method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()


def stream(operators, **more):
    return json.dumps({"inputs": {"a": {"time": {"expression": "value.t", **more}}}, "source": {"input": {"name": "a"}},
                       "operators": operators}, indent=2)


SUM = stream([{"id": "sum", "scan": {"initialValue": 0, "expression": "acc + value.v"}},
              {"map": {"expression": "{'sum': value}"}}])
PLAIN = json.dumps({"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [
    {"filter": {"expression": "value.v % 2 == 0"}}, {"map": {"expression": "value.v"}}]}, indent=2)
TWO = json.dumps({"inputs": {"a": {}}, "outputs": {"even": {"stream": "a"}, "all": {"stream": "a"}}}, indent=2)
WRONG = json.dumps({"source": {"range": {"from": 1, "through": 3}}, "operators": [{"map": {"expression": "value * 2"}}],
                    "tests": [{"name": "t", "expect": {"values": [1, 2, 3]}}]}, indent=2)
CONFLICT = ('{"source": {"range": {"from": 1, "through": 9}}, "operators": [{"prefix": {"count": %d}}]}\n')
PLAYGROUND = json.dumps({"id": "00000000-0000-4000-8000-000000000001", "isDefault": True, "name": "A",
                         "stream": [{"value": "1", "operators": [{"delay": {"seconds": 1}}]}]})


def records(count=400):
    choose, time_, lines = random.Random(4), 1_700_000_000_000, []
    for number in range(count):
        time_ += choose.choice([0, 5, 50, 400])
        lines.append(json.dumps({"v": number, "t": time_ - (100_000 if number % 97 == 96 else 0)}))
    return "\n".join(lines) + "\n"


def cases():
    data = {"s.json": SUM, "p.json": PLAIN, "two.json": TWO, "a.ndjson": records(),
            "late.json": stream([{"count": {}}], lateness=1, late="output")}
    run = lambda name, *words, file="s.json", **more: Case(  # noqa: E731
        f"run {name}", ["streamrun", file, "--input", "a=a.ndjson", *words], data, **{"again": False, **more})
    for form in ("ndjson", "csv", "json", "txt"):
        yield run(form, "--output", f"out.{form}", result="out.*", grows="out.*")
    yield run("gzip", "--output", "out.ndjson.gz", result="out.*", grows="out.*")
    yield run("zstd", "--output", "out.ndjson.zst", result="out.*", grows="out.*")
    yield run("rotate", "--output", "out.ndjson", "--rotate", "2KB", file="p.json", result="out*.ndjson", grows="out*")
    yield run("outputs", "--output", "even=e.ndjson", "--output", "all=f.csv", file="two.json", result="[ef].*", grows="*")
    yield run("late", "--late-output", "late.out", "--output", "out.ndjson", file="late.json", result="*out*", grows="*out*")
    yield run("record", "--record", "run.ndjson", result="", grows="run.*")
    yield run("tap", "--tap", "sum", "--tap-to", "seen.ndjson", result="seen.*", grows="seen.*")
    yield run("metrics", "--metrics", "run.prom", "--metrics-every", "1", result="", grows="")
    yield run("program", "--output", "|cat > made", result="made", grows="made")
    yield run("state", "--output", "out.ndjson", "--state", "kept", "--every", "100", result="out.*", grows="out.*",
              again=True)
    yield run("state rotate", "--output", "out.ndjson", "--rotate", "2KB", "--state", "kept", "--every", "100",
              file="p.json", result="out*.ndjson", grows="out*", again=True)
    yield run("state record", "--output", "out.csv", "--record", "run.ndjson", "--state", "kept", "--every", "100",
              result="out.*", grows="out.* run.*", again=True)

    edit = lambda name, *words, files, **more: Case(name, ["streamrun", *words], files, **more)  # noqa: E731
    old = {"s.json": SUM}
    yield edit("edit", "edit", "s.json", "--rename", "Sums", files=old)
    yield edit("edit -o", "edit", "s.json", "--rename", "Sums", "-o", "t.json", files=old)
    yield edit("format -i", "format", "--in-place", "s.json", "p.json", files={"s.json": SUM.replace("  ", " "), "p.json": SUM})
    yield edit("format -o", "format", "s.json", "-o", "t.json", files={"s.json": SUM, "t.json": "old"})
    yield edit("patch -i", "patch", "s.json", "c.json", "-i", files={"s.json": SUM, "c.json": '{"name": "Sums"}'})
    yield edit("merge -i", "merge", "b.json", "o.json", "t.json", "--in-place", files={
        "b.json": SUM, "o.json": SUM.replace('"sum"', '"total"'), "t.json": SUM.replace("acc +", "1 + acc +")})
    merged = ["streamrun", "merge", "b.json", "o.json", "t.json", "-o", "m.json"]
    yield edit("resolve", "resolve", "m.json", "--favor", "theirs", "-o", "r.json", result="r.json", files={
        "b.json": CONFLICT % 1, "o.json": CONFLICT % 2, "t.json": CONFLICT % 3, "m.json": conflict()})
    yield edit("import -o", "import", "old.json", "-o", "new.json", files={"old.json": PLAYGROUND})
    yield edit("import folder", "import", "old.json", "-o", "made", files={"old.json": f"[{PLAYGROUND}]", "made/x.json": "{}"})
    for form in ("svg", "html"):
        yield edit(f"show {form}", "show", "w.json", "-o", f"w.{form}", files={"w.json": WRONG, f"w.{form}": "old"})
    yield edit("test --update", "test", "w.json", "--update", files={"w.json": WRONG})
    yield edit("replay --as-test", "replay", "run.ndjson", "s.json", "--as-test", "it", files={**old, "run.ndjson": recording()})
    yield edit("state export", "state", "export", "kept", "-o", "state.json", files={"s.json": PLAIN, "a.ndjson": records(20)},
               before=[["streamrun", "s.json", "--input", "a=a.ndjson", "--state", "kept", "--limit", "3"]], result="state.json")
    yield edit("state import", "state", "import", "new", "--input", "state.json", result="", files={
        "s.json": PLAIN, "a.ndjson": records(20)},
        before=[["streamrun", "s.json", "--input", "a=a.ndjson", "--state", "kept", "--limit", "3"],
                ["streamrun", "state", "export", "kept", "-o", "state.json"]],
        valid=["streamrun", "state", "verify", "new"])

    saving = Saving("studio save", [], {"s.json": SUM}, result="s.json")
    saving.text = PLAIN
    yield saving

    hub = lambda name, *words, **more: Case(  # noqa: E731
        f"hub {name}", ["streamhub", *words], {"s.json": PLAIN, "n.json": PLAIN.replace("== 0", "== 1")}, result="", **more)
    place = ["--repository", "repo", "--keys", "keys"]
    made = ["streamhub", "init", *place, "--no-passphrase", "--root", "root.json"]
    first = ["streamhub", "publish", "s.json", "--name", "s", *place]
    shown = ["streamhub", "pull", "s", "--repository", "repo", "--trust", "root.json", "-o", "pulled"]
    yield hub("init", *made[1:], valid=["streamhub", "list", "--repository", "repo", "--trust", "root.json"])
    yield hub("keys new", "keys", "new", "targets", "--keys", "keys", "--no-passphrase", prints=False)
    yield hub("publish", *first[1:], before=[made], valid=shown)
    yield hub("publish again", "publish", "n.json", "--name", "s", *place, before=[made, first], valid=shown)
    yield hub("renew", "renew", *place, before=[made, first], valid=shown)
    yield hub("rotate", "keys", "rotate", "targets", *place, "--no-passphrase", before=[made, first], valid=shown)
    yield hub("pull", *shown[1:], before=[made, first], again=True)
    yield hub("tokens", "tokens", "new", "--scope", "read", "--state", "hub", valid=["streamhub", "tokens", "list", "--state", "hub"])


def made_by(words, name, files, stdin=""):
    """A file that a command makes."""
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            with open(os.path.join(folder, file), "w") as target:
                target.write(text)
        subprocess.run([os.path.join(programs, words[0]), *words[1:]], cwd=folder, input=stdin.encode(), capture_output=True)
        with open(os.path.join(folder, name)) as file:
            return file.read()


def conflict():
    return made_by(["streamrun", "merge", "b", "o", "t", "-o", "m"], "m",
                   {"b": CONFLICT % 1, "o": CONFLICT % 2, "t": CONFLICT % 3})


def recording():
    return made_by(["streamrun", "s.json", "--input", "a=a.ndjson", "--record", "run.ndjson"], "run.ndjson",
                   {"s.json": SUM, "a.ndjson": records(20)})


class Call:
    def __init__(self, line):
        number, self.process, self.name, size, result, *paths = line.rstrip("\n").split("\t")
        self.number, self.size, self.result, self.paths, self.data = int(number), int(size), int(result), paths[:-1], paths[-1]

    def can(self, fault):
        """Whether a fault can befall the call."""
        if fault == "noSpace" and self.name == "open":
            return bool(self.size & CREATES)
        names = ERRORS[fault].split()
        return (not names or self.name in names) and not (fault == "failed" and self.name in ("lock", "changeMode"))


def calls_of(log):
    with open(log) as file:
        return [Call(line) for line in file]


class Faults:
    def __init__(self, programs, options):
        self.programs, self.options, self.choose = programs, options, random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="faults")
        self.place, self.log = os.path.join(self.folder, "run"), os.path.join(self.folder, "log")
        self.prepared = os.path.join(self.folder, "prepared")
        self.done, self.bad = 0, 0

    def report(self, case, what, problem, done=None):
        self.bad += 1
        said = f"\n    {done.returncode} {done.stderr.decode(errors='replace')[:400].strip()}" if done else ""
        print(f"BAD {case.name}, {what}: {problem}{said}", flush=True)

    def reset(self):
        """The folder as the command finds it."""
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.prepared, self.place, symlinks=True)

    def disturbed(self, case, plan):
        for path in (self.log, self.log + ".count"):
            if os.path.exists(path):
                os.remove(path)
        return case.run(self.place, self.programs, STREAM_FAULTS=f"{self.log}{plan}")

    def all_of(self, case):
        case.prepare(self.prepared, self.programs)
        self.reset()
        old = case.content(self.place)[1]
        done = self.disturbed(case, ",data")
        if done.returncode not in (0, 1):
            return self.report(case, "undisturbed", "it fails", done)
        case.code, case.output, case.old = done.returncode, done.stdout, old
        case.new = case.content(self.place)[0]
        calls = [call for call in calls_of(self.log) if call.name not in ("promise",)]
        if self.options.show:
            print(f"{case.name}: {len(calls)} calls, {sorted({call.name for call in calls})}")
        self.disturb(case, "every read and write short", "short", ",1+=short", None)
        chosen = self.choose.sample(calls, min(len(calls), self.options.each))
        for call in sorted(chosen, key=lambda call: call.number):
            for fault in ERRORS:
                if call.can(fault):
                    path = ", ".join(os.path.relpath(os.path.join(self.place, path), self.place) for path in call.paths)
                    self.disturb(case, f"{fault} at call {call.number}, {call.name} {path}", fault,
                                 f",{call.number}={fault}", call)
        self.cut_power(case)

    def disturb(self, case, what, fault, plan, call):
        self.reset()
        try:
            done = self.disturbed(case, plan)
        except subprocess.TimeoutExpired:
            return self.report(case, what, "it hangs")
        self.done += 1
        hit = [one for one in calls_of(self.log) if call is None or one.number == call.number and one.name != "promise"]
        if not hit:
            return  # there were fewer calls
        problem = self.problem_of(case, fault, done, hit[0]) or self.problem_with_files(case, done.returncode == case.code)
        problem = problem or self.problem_again(case)
        if problem:
            self.report(case, what, problem, done)

    def problem_of(self, case, fault, done, call):
        """What is wrong with the end of a disturbed command."""
        if fault in ("before", "after"):
            # A copy of the process, or one of a program that it starts, may be the one that was killed.
            return None if done.returncode in (-signal.SIGKILL, 0, 1, 2) else "it ends otherwise"
        if done.returncode == case.code:
            return None if done.stdout == case.output or case.grows or not case.prints else "it prints something else"
        if fault in HARMLESS:
            return f"the exit code is not {case.code}"
        if done.returncode not in (1, 2):
            return "the exit code is neither 1 nor 2"
        names = {part for path in call.paths for part in path.split("/") if part} | {"standard", "<stdout>"}
        said = done.stderr.decode(errors="replace")
        stem = lambda name: re.sub(r"^\.(.*)\.\d+-\d+\.new$", r"\1", name)  # noqa: E731
        return None if any(stem(name) in said for name in names if len(stem(name)) > 2) else "no file is named"

    def problem_with_files(self, case, succeeds):
        counted, found = case.content(self.place)
        for name, data in case.old.items():
            if name in found and found[name] in (data, case.new.get(name, data)) or case.may_grow(name):
                continue
            if case.counts(name) or case.result:
                if not name.startswith(("repo/", "kept/", "keys/", "cache/")):
                    return f"'{name}' is lost or changed"
        for name, data in counted.items():
            if name in case.old:
                continue
            whole = case.new.get(name)
            if case.may_grow(name):
                if whole is not None and not case.again and not whole.startswith(data) and not name.endswith((".gz", ".zst")):
                    return f"'{name}' is no beginning of what it was to be"
            elif not name.endswith(".new") and whole != data:
                return f"'{name}' is no whole file"
        if succeeds and case.result and {name: data for name, data in counted.items() if not name.endswith(".new")} != case.new:
            return "the result is another one"
        left = [name for name in found if name.endswith(".new")]
        return f"{left} is left behind" if left and succeeds else None

    def problem_again(self, case):
        """What is wrong with the same command, undisturbed, afterwards."""
        counted = case.content(self.place)[0]
        is_done = bool(case.result) and counted == case.new
        if case.again and not is_done:
            try:
                done = case.run(self.place, self.programs)
            except subprocess.TimeoutExpired:
                return "the next run hangs"
            if done.returncode != case.code and not self.may_refuse(case, done):
                return f"the next run ends with {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"
            counted = case.content(self.place)[0]
            if case.result and counted != case.new:
                differing = [name for name in {**counted, **case.new} if counted.get(name) != case.new.get(name)]
                return f"the next run comes to another result: {differing}"
        if case.valid:
            done = case.run(self.place, self.programs, case.valid)
            if done.returncode != 0:
                return f"'{' '.join(case.valid)}' ends with {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"
        return None

    def may_refuse(self, case, done):
        """Whether a command that was done, or that was undone by a kill after its last write, may say so."""
        said = done.stderr.decode(errors="replace")
        return bool(re.search("already|exists|unchanged|has ended|there is a repository", said)) and case.valid is not None

    def cut_power(self, case):
        """Cuts the power at some instants of a run, whose bytes the log has."""
        self.reset()
        disk = power.Disk(self.place)
        self.disturbed(case, ",data")
        steps = power.Logged(calls_of(self.log), self.place)
        for target, what in power.states(disk, steps, self.folder, self.options.each, self.choose):
            shutil.rmtree(self.place)
            shutil.copytree(target, self.place)
            self.done += 1
            problem = self.problem_with_files(case, False) or self.problem_again(case)
            if problem:
                self.report(case, what, problem)


def main():
    global programs
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--each", type=int, default=40, help="how many calls of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--show", action="store_true", help="print the number of calls of each command")
    options = parser.parse_args()
    programs = os.path.abspath(options.folder)
    faults, count = Faults(programs, options), 0
    for case in cases():
        if options.only and options.only not in case.name:
            continue
        count += 1
        faults.all_of(case)
    shutil.rmtree(faults.folder)
    print(f"{count} commands, {faults.done} faults: {faults.bad} bad", flush=True)
    sys.exit(1 if faults.bad else 0)


if __name__ == "__main__":
    main()
