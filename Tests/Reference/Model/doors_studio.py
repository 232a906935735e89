"""The doors of the studio, over its HTTP interface: runs in virtual time, live runs and stepping."""

import atexit
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request

from casefiles import INPUT, Unusable, by_data, hot, lines_of, paced, results, stream_file, text_of
from commands import SECONDS, run
from doors_runs import compare, judge_steps, recorded, results_of, stop_at_host
from doors_tools import event_objects, test
from judging import Check, Outcome, by_output, judge_lines, judge_times
from sources import FINISHED


class Studio:
    """A studio over a folder of its own, which each process of the reference starts once."""

    command, running, checks = None, None, 0

    def __init__(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="reference-studio-"))
        atexit.register(shutil.rmtree, self.folder, True)
        self.process = subprocess.Popen(
            [self.command, self.folder, "--port", "0", "--color", "never"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_STATE_HOME": os.path.join(self.folder, "state")},
            preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))  # it ends with this process
        self.base, token = re.search(r"(http://\S+)/\?token=(\S+)", self.process.stderr.readline()).groups()
        self.headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}

    @classmethod
    def shared(cls):
        if cls.running is None or cls.running.process.poll() is not None:
            cls.running = cls()
        return cls.running

    def open(self, method, path, body=None):
        data = None if body is None else text_of(body).encode()
        request = urllib.request.Request(f"{self.base}/api{path}", data, self.headers, method=method)
        return urllib.request.urlopen(request, timeout=SECONDS)

    def ask(self, method, path, body=None):
        with self.open(method, path, body) as answer:
            return json.load(answer)

    def place(self, check):
        """A folder in the studio's with the files of a check."""
        Studio.checks += 1
        name = str(Studio.checks)
        os.mkdir(os.path.join(self.folder, name))
        for file, text in check.files.items():
            with open(os.path.join(self.folder, name, file), "w", encoding="utf-8", newline="") as target:
                target.write(text)
        return name


def asked(work):
    """The outcome that requests give: lines of values with their times, and how the stream ends."""

    def perform(check, binary, folder):
        studio = Studio.shared()
        place = studio.place(check)
        try:
            return work(check, studio, place, binary)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            said = " ".join(f"error {one['code']}: {one['message']}" for one in problem.get("diagnostics", []))
            return Outcome(2, "", f"{error.code} {problem.get('title')} {said}")
        except TimeoutError:
            return Outcome(-1, "", f"no answer after {SECONDS} s")
        finally:
            shutil.rmtree(os.path.join(studio.folder, place))

    return perform


def text_of_value(value):
    """JSON of a value as the page reads it, which has objects for what JavaScript lacks."""
    if isinstance(value, list):
        return "[" + ",".join(map(text_of_value, value)) + "]"
    if not isinstance(value, dict):
        return json.dumps(value)
    ((name, inner),) = value.items() if len(value) == 1 else ((None, None),)
    if name == "$double":
        return repr(float(inner)) if not isinstance(inner, str) else json.dumps(inner)
    if name in ("$int", "$uint"):
        return inner
    if name in ("$timestamp", "$duration", "$bytes"):
        return json.dumps(inner)
    if name == "$map":
        return "{" + ",".join(f"{key_text(key)}:{text_of_value(member)}" for key, member in inner) + "}"
    return "{" + ",".join(f"{json.dumps(key)}:{text_of_value(member)}" for key, member in value.items()) + "}"


def key_text(key):
    text = text_of_value(key)
    return text if text.startswith('"') else json.dumps(text)


def line(at, value):
    return f'{{"at":{at},"value":{text_of_value(value)}}}\n'


def draft(place, check):
    return {"path": f"{place}/s.json", "text": check.files["s.json"]}


def run_page(check, studio, place, binary):
    """Runs the draft in virtual time. Each output has a line of its own."""
    answer = studio.ask("POST", "/run", {**draft(place, check), "test": "t", "limit": 20_000})
    events, end, stop = [], None, answer["stop"]
    for track in answer["tracks"]:
        if track["kind"] != "output":
            continue
        for at, step, value in zip(*(track["events"][name] for name in ("at", "steps", "values"))):
            if value == {"$finished": True}:
                continue
            if isinstance(value, dict) and "$failure" in value:
                end = value["$failure"]["code"]
            else:
                events.append((at, value, track["title"]))
    said = f"error {stop['code'] if stop else end}" if stop or end else ""
    if '"outputs"' in check.files["s.json"]:
        events = [(at, {title: value}, title) for at, value, title in sorted(events, key=lambda event: event[2])]
    return Outcome(1 if said else 0, "".join(line(at, value) for at, value, _ in events), said)


def page_run(case, rng):
    """A test of the draft, which gives the inputs and the parameters."""
    model = stream_file(case, INPUT)
    follows = by_data(case)
    events = hot(case)
    result = results(model, paced(case) if follows else {"a": events})
    stop_at_host(result)
    if result.is_refused:
        raise Unusable("a test refuses the record, also behind the end")
    if model.seed is not None:
        model["seed"], model.seed = model.seed, None
    fed = {"values": case.values} if follows else {
        "events": event_objects([(at, "finished" if one is FINISHED else "value", one) for at, one in events])}
    model["tests"] = [{"name": "t", "inputs": {"a": fed}, "parameters": model.given, "expect": {"values": []}}]
    events = by_output(result.events) if case.outputs else result.events
    return Check("studio run", {"s.json": text_of(model)}, [], "", events, judge_times, asked(run_page))


def live_page(check, studio, place, binary):
    """Runs the draft by the clock, fed by a file or by hand."""
    by_hand = "in.ndjson" not in check.files
    feeds = {} if by_hand else {"a": {"by": "file", "path": f"{place}/in.ndjson", "speed": 10_000}}
    answer = studio.ask("POST", "/live", {**draft(place, check), "feeds": feeds})
    output = [track["id"] for track in answer["tracks"] if track["kind"] == "output"][0]
    values, code, said = "", 0, ""
    with studio.open("GET", f"/live/{answer['id']}/events") as events:
        if by_hand:
            sent = [{"value": json.loads(text)} for text in check.stdin.splitlines()] + [{"finished": True}]
            for event in sent:
                try:
                    studio.ask("POST", f"/live/{answer['id']}/send", {"input": "a", **event})
                except urllib.error.HTTPError as error:
                    if error.code != 409:  # it has ended
                        raise
        for text in events:
            if not text.startswith(b"data: "):
                continue
            data = json.loads(text[6:])
            if data.get("track") == output and "value" in data:
                values += text_of_value(data["value"]) + "\n"
            if "reason" in data:
                if data["reason"] == "failed":
                    code, said = 1, "error " + data["failure"]["code"]
                break
    studio.ask("DELETE", f"/live/{answer['id']}")
    return Outcome(code, values, said)


def page_live(case, rng):
    if case.partition or case.timed and not case.clock or case.outputs or case.clock and rng.random() < 0.7:
        raise Unusable("partition, or the time of the machine")
    model = stream_file(case, INPUT)
    if model.given:
        raise Unusable("values from outside")
    if model.seed is not None:
        model["seed"], model.seed = model.seed, None
    by_hand = rng.random() < 0.5
    result = results(model, paced(case)) if case.clock or not by_hand else results_of(model, case, 0)
    stop_at_host(result)
    if result.is_refused:
        raise Unusable("a value is refused behind the end")
    files = {"s.json": text_of(model), **({} if by_hand else {"in.ndjson": lines_of(case.values)})}
    return Check("studio live", files, [], lines_of(case.values), result.events, judge_lines, asked(live_page))


def page_step(case, rng):
    files, first, second, result, case = recorded(case, rng)
    stop_at_host(result)
    other = "s.json" in second

    def work(check, studio, place, binary):
        folder = os.path.join(studio.folder, place)
        begun = run(binary, first + ([] if other else check.given), folder, check.stdin)
        if begun.code not in (0, 1):
            return begun
        request = {"recording": f"{place}/run.ndjson", **({"draft": draft(place, check)} if other else {})}
        answer = studio.ask("POST", "/step", request)
        text, view, number = "", answer["view"], -1
        while not view["isAtEnd"] or number < 0:
            number += 1
            text += f"event {number}\n" + "".join(shown(event) for event in view["outputs"])
            view = studio.ask("POST", f"/step/{answer['id']}", {"move": "next"})
        studio.ask("DELETE", f"/step/{answer['id']}")
        return Outcome(0, text, "")

    if other and case.made["model"].given:
        raise Unusable("values from outside")
    return Check("studio step", files, second, lines_of(case.values), result.events, judge_steps, asked(work))


def page_test(case, rng):
    """The report of a test is that of the command."""
    check = test(case, rng)
    # The page has no options for what the command gives from outside; `completed` puts parameters into the tests.
    model, whole = case.made["model"], json.loads(check.files["s.json"])
    if model.seed is not None:
        whole["seed"], model.seed = model.seed, None
    check.files["s.json"] = text_of(whole)

    def work(check, studio, place, binary):
        passed = [one["passed"] for one in studio.ask("POST", "/test", draft(place, check))["tests"]]
        return Outcome(0 if all(passed) else 1, f"{passed.count(True)} passed, {passed.count(False)} failed", "")

    check.door, check.perform = check.door.replace("test", "studio test"), asked(work)
    return check


def page_compare(case, rng):
    """Whether two versions have the same output on a recording."""
    check = compare(case, rng)
    if "s.json" not in check.command or case.made["model"].given:
        raise Unusable("the recorded version, or values from outside")
    has_clock, check.door = '"time"' in check.files["pass.json"], "studio compare"
    first = ["pass.json", "--record", "run.ndjson"] + ([] if has_clock else ["--virtual"])

    def work(check, studio, place, binary):
        begun = run(binary, first, os.path.join(studio.folder, place), check.stdin)
        if begun.code not in (0, 1):
            return begun
        request = {"recording": f"{place}/run.ndjson", "new": draft(place, check)}
        return Outcome(0 if studio.ask("POST", "/step/compare", request)["same"] else 1, "", "")

    check.perform = asked(work)
    return check


def shown(event):
    text = text_of_value(event["value"]) if "value" in event else "finished" if "finished" in event else event["failure"]["code"]
    return f"  output at {event['at']}: {text}\n"


STUDIO_DOORS = {
    "page-run": (page_run, 2), "page-live": (page_live, 0.5), "page-step": (page_step, 1),
    "page-test": (page_test, 1), "page-compare": (page_compare, 1),
}
