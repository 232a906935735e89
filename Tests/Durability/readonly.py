"""Runs whose folders cannot be written to: kills.py --mode readonly, as root.

The folder of the state, of the output or of the recording is read-only, by a mount or for a user without rights, from the
start or suddenly while the run goes on. The run must end with exit code 2 and a message that names a path in the folder;
once the folder can be written to again, the same command must come to the bytes of a run that was never stopped.
"""
import os, shutil, signal, subprocess, time

import power

USER = 65534

class Mount:
    """Makes a folder read-only for everyone: what opens it from now on finds it so. Open files stay as they are."""
    words = "mounted read-only"
    user = []

    def begin(self, path):
        subprocess.run(["mount", "--bind", path, path], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", path], check=True)

    def end(self, path):
        subprocess.run(["umount", "-l", path], check=True)

class Mode:
    """Makes a folder and its files read-only for a user without rights."""
    words = "without rights"
    user = ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups"]

    def begin(self, path):
        self.change(path, 0o555, 0o444)

    def end(self, path):
        self.change(path, 0o755, 0o644)

    def change(self, path, folder, file):
        for name in os.listdir(path):
            if os.path.isfile(os.path.join(path, name)):
                os.chmod(os.path.join(path, name), file)
        os.chmod(path, folder)

def own(folder):
    for path, folders, files in os.walk(folder):
        for name in [path] + [os.path.join(path, x) for x in files]:
            os.chown(name, USER, USER)

def start(arguments, folder):
    return subprocess.Popen(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)

def stopped(arguments, folder, state):
    """Starts a run and stops it once it has saved a state while it runs; None if it ends before."""
    process = start(arguments, folder)
    while process.poll() is None:
        if os.path.isdir(state) and any(x.startswith("state-") and x != "state-1" for x in os.listdir(state)):
            process.send_signal(signal.SIGSTOP)
            return process
        time.sleep(0.0005)
    process.communicate()
    return None

def read_only(binary, source, names):
    os.chmod(source, 0o755)
    good, done, sudden, messages = True, 0, 0, {}
    base = os.path.join(source, "readonly")
    os.makedirs(base, exist_ok=True)
    own_binary = os.path.join(base, "streamrun")
    shutil.copy(binary, own_binary)
    folder = os.path.join(base, "run")

    def problem(text):
        nonlocal good
        good = False
        print(text, flush=True)

    for name in names:
        references = {}
        for layout in ("apart", "rotated"):
            power.prepare(source, folder, name)
            subprocess.run(power.command(own_binary, name, layout, False), cwd=folder, stdin=subprocess.DEVNULL, check=True,
                           stdout=subprocess.DEVNULL)
            references[layout] = power.output(folder, name, layout)
        state = f"keep/{name}.state"
        for way in (Mount(), Mode()):
            for layout, closed, when in [
                ("apart", "keep", "before the first run"), ("apart", "out", "before the first run"),
                ("apart", "rec", "before the first run"), ("apart", state, "between two runs"),
                ("apart", "out", "between two runs"), ("apart", "rec", "between two runs"),
                ("apart", state, "suddenly"), ("rotated", "out", "suddenly"), ("rotated", state, "suddenly"),
            ]:
                what = f"{name}, {layout}: '{closed}' {way.words} {when}"
                power.prepare(source, folder, name)
                own(folder)
                arguments = way.user + power.command(own_binary, name, layout)
                path = os.path.join(folder, closed)
                if when != "before the first run":
                    # A run that is stopped in the middle.
                    for _ in range(20):
                        process = stopped(arguments, folder, os.path.join(folder, state))
                        if process is not None:
                            break
                        power.prepare(source, folder, name)
                        own(folder)
                    if process is None:
                        problem(f"FAILED {what}: the run has ended before it could be stopped")
                        continue
                    if when == "between two runs":
                        process.kill()
                        process.communicate()
                        time.sleep(0.05)
                before = None if when == "suddenly" else power.output(folder, name, layout)
                way.begin(path)
                try:
                    if when == "suddenly":
                        process.send_signal(signal.SIGCONT)
                    else:
                        process = start(arguments, folder)
                    message = process.communicate(timeout=120)[1].decode()
                    code = process.returncode
                    if (closed, when) not in messages:
                        messages[closed, when] = message.splitlines()
                    # A run that does not rotate again needs no more of the folder than its open file.
                    isDone = when == "suddenly" and code == 0 and power.output(folder, name, layout) == references[layout]
                    if not isDone and (code != 2 or closed not in message):
                        problem(f"FAILED {what}: {code} {message[:400]}")
                    if before is not None and power.output(folder, name, layout) != before and closed != "rec":
                        problem(f"FAILED {what}: the output has been changed")
                finally:
                    way.end(path)
                done += 1
                sudden += when == "suddenly"
                good &= power.resume(own_binary, folder, name, layout, references[layout], what)
    shutil.rmtree(base)
    if len(names) == 1:
        for (closed, when), lines in messages.items():
            print(f"'{closed}' {when}:", *lines, sep="\n    ")
    print(f"{done} runs with read-only folders, {sudden} of them suddenly", flush=True)
    return good
