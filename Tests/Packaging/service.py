#!/usr/bin/env python3
"""Runs the example of the packages as a service: service.py STREAMRUN FOLDER, where FOLDER has failures.json, failures.conf
and logrotate.conf. Needs logrotate, faketime, prometheus and prometheus-node-exporter.

An application writes its log, which logrotate rotates and compresses by the example's configuration, a day each time. The
run follows it with the example's options, is stopped with SIGTERM and started again. No alert may be missing or double.
Meanwhile, Prometheus scrapes the run's metrics from the node exporter, and knows those of the page "Running for years".
"""
import json, os, re, shlex, shutil, signal, socket, subprocess, sys, tempfile, time, urllib.parse, urllib.request

binary, examples = map(os.path.abspath, sys.argv[1:3])
project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
page = os.path.join(project, "Sources/StreamCommands/StreamCommands.docc/RunningForYears.md")
folder = tempfile.mkdtemp(prefix="service")
os.chmod(folder, 0o700)
log, textfiles = os.path.join(folder, "requests.ndjson"), os.path.join(folder, "textfiles")
os.mkdir(textfiles)
children = []

def stop():
    for child in children:
        if child.poll() is None:
            child.kill()
            child.wait()
    shutil.rmtree(folder, ignore_errors=True)

def fail(text):
    print("service.py: " + text)
    stop()
    sys.exit(1)

def wait(condition, what, seconds=30):
    end = time.time() + seconds
    while time.time() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.1)
    fail(f"waited {seconds} s for {what}; {len(alerts())} alerts, {sorted(os.listdir(folder))} " + open(errors.name).read()[:600])

def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

def spawn(arguments, **options):
    child = subprocess.Popen(arguments, cwd=folder, stdin=subprocess.DEVNULL, **options)
    children.append(child)
    return child

# --- The run, with the options of the example.
options = re.search(r'^OPTIONS="(.*)"$', open(os.path.join(examples, "failures.conf")).read(), re.M).group(1)
options = [x.replace("/var/log/app/requests.ndjson", log) for x in shlex.split(options)]
options += ["--metrics", os.path.join(textfiles, "failures.prom"), "--metrics-every", "1", "--state", "state", "--every", "1s"]
errors = open(os.path.join(folder, "errors"), "wb")

def run():
    return spawn([binary, "run", os.path.join(examples, "failures.json"), *options], stdout=errors, stderr=errors)

# --- The application, which opens its log again for each write, and the alerts that the stream must publish.
expected, failures, count = [], {}, 0

def write(lines):
    global count
    with open(log, "a") as file:
        for _ in range(lines):
            count += 1
            service, status = f"s{count % 7}", [200, 500, 503, 404][count * 5 // 3 % 4]
            file.write(json.dumps({"service": service, "status": status, "path": f"/{count}"}) + "\n")
            if status >= 500:
                failures[service] = failures.get(service, 0) + 1
                if failures[service] == 5:
                    failures[service] = 0
                    expected.append({"service": service, "failures": 5, "last": f"/{count}"})

def alerts():
    try:
        with open(os.path.join(folder, "alerts.ndjson")) as file:
            return [json.loads(line) for line in file if line.endswith("\n")]
    except FileNotFoundError:
        return []

configuration = os.path.join(folder, "logrotate.conf")
with open(os.path.join(examples, "logrotate.conf")) as file, open(configuration, "w") as own:
    own.write(file.read().replace("/var/log/app/requests.ndjson", log))

write(500)
service = run()
# A run that has not opened the log before it is renamed begins with the next one, as `tail -F` does.
wait(alerts, "the first alert")

# --- Prometheus, and the node exporter with the metrics.
exporter, prometheus = port(), port()
with open(os.path.join(folder, "prometheus.yml"), "w") as file:
    file.write("global: {scrape_interval: 1s}\nscrape_configs:\n"
               f"- job_name: node\n  static_configs: [{{targets: ['127.0.0.1:{exporter}']}}]\n")
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
spawn(["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{exporter}", "--collector.disable-defaults",
       "--collector.textfile", f"--collector.textfile.directory={textfiles}"], **quiet)
spawn(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
       f"--web.listen-address=127.0.0.1:{prometheus}"], **quiet)

def query(expression):
    url = f"http://127.0.0.1:{prometheus}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)["data"]["result"]
    except OSError:
        return []

# --- Days: the log is rotated, and the run is stopped on one of them.
for day in range(1, 7):
    write(500)
    if day == 3:
        service.send_signal(signal.SIGTERM)
        code = service.wait(30)
        if code not in (143, -signal.SIGTERM):
            fail(f"SIGTERM: exit code {code}")
        write(200)
    rotated = subprocess.run(["faketime", "-f", f"+{day}d", "logrotate", "-f", "-s", os.path.join(folder, "rotated"),
                              configuration], capture_output=True)
    if rotated.returncode != 0:
        fail(f"logrotate: {rotated.stderr.decode()}")
    write(500)
    if day == 3:
        service = run()
    wait(lambda: len(alerts()) >= len(expected) or service.poll() is not None, f"the alerts of day {day}: "
         f"{len(alerts())} of {len(expected)}")
time.sleep(0.5)
if alerts() != expected:
    fail(f"{len(alerts())} alerts, {len(expected)} expected: " + open(errors.name).read()[:500])
names = os.listdir(folder)
packed = [name for name in names if name.startswith("requests.ndjson-") and name.endswith(".gz")]
if len(packed) != 5:
    fail(f"logrotate has made {sorted(names)}")
print(f"passed: {count} lines of a log that logrotate rotated 6 times, {len(expected)} alerts")

# --- What Prometheus has.
wait(lambda: any(float(x["value"][1]) > 0 for x in query("streamrun_values_in_total")), "streamrun_values_in_total")
wait(lambda: query("streamrun_input_bytes_behind") and query("streamrun_state_age_seconds"), "the metrics of the state")
for expression in re.findall(r"^\| `([^`]*)`", open(page).read().split("## Alerts")[1].split("\n## ")[0], re.M):
    subprocess.run(["promtool", "check", "rules", "/dev/stdin"], check=True, stdout=subprocess.DEVNULL, text=True,
                   input=json.dumps({"groups": [{"name": "a", "rules": [{"alert": "A", "expr": expression}]}]}))
    name = re.search(r"(streamrun|node)_\w+", expression).group(0)
    # Programs, and limits that drop values, have metrics where they are used.
    if name != "streamrun_program_restarts_total" and not query(name):
        fail(f"Prometheus has no {name}")
with open(os.path.join(textfiles, "failures.prom")) as file:
    checked = subprocess.run(["promtool", "check", "metrics"], stdin=file, capture_output=True, text=True)
if checked.returncode != 0 or checked.stderr.strip():
    fail("promtool check metrics: " + checked.stdout + checked.stderr)
print("passed: Prometheus scrapes the metrics, and knows those of the page")
service.send_signal(signal.SIGTERM)
service.wait(30)

# --- A silence that lasts longer than each run: a timer's time counts while the stream runs, through all restarts.
with open(os.path.join(folder, "silence.json"), "w") as file:
    json.dump({"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"timeout": {"seconds": 4}}]}, file)
open(os.path.join(folder, "quiet.ndjson"), "w").close()
runs, code = 0, 143
while code == 143 and runs < 10:
    child = spawn([binary, "silence.json", "--input", "quiet.ndjson", "--follow", "--state", "silence", "--output", "silent"],
                  stdout=errors, stderr=errors)
    runs += 1
    try:
        code = child.wait(1.5)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGTERM)
        code = child.wait(30)
if code != 0:
    fail(f"a time-out of 4 s through {runs} runs of 1.5 s: exit code {code}")
print(f"passed: a time-out of 4 s through {runs} runs")
stop()
