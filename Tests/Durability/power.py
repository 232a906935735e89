"""A double of a file system, and the states in which a power cut leaves it: kills.py --mode power.

A run is traced with strace. Its system calls are repeated in the double, which knows of each file the bytes that its last
fsync has made durable and the changes since, and of each folder the same for its entries. POSIX promises no more: an
fsync of a file does not make its name durable, nor does a rename make the data of the file durable. At instants of the
run, the double creates folders as a cut may leave them, and the run continues in each.
"""
import os, random, re, shutil, subprocess

CALLS = ("openat,open,creat,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir,"
         "ftruncate,truncate,mkdir,mkdirat,link,linkat,symlink,symlinkat,sendfile,copy_file_range,fallocate,"
         "pwritev,pwritev2,sync_file_range,msync")

class Node:
    def promise(self):
        """What an fsync that begins now makes durable."""
        return self.now(), self.base + len(self.pending)

    def keep(self, promise):
        """Makes a promise durable. Another fsync that began later may have ended before."""
        now, count = promise
        if count >= self.base:
            self.durable, self.pending, self.base = now, self.pending[count - self.base:], count

class File(Node):
    """A file: `durable` are the bytes on disk, `pending` the changes since, as ("write", offset, bytes) or ("cut", n)."""
    def __init__(self, content=b""):
        self.durable, self.pending, self.base = content, [], 0
        self.content = bytearray(content)

    def now(self):
        return bytes(self.content)

    def change(self, change):
        self.pending.append(change)
        apply(self.content, change)

class Folder(Node):
    """A folder: `durable` are the entries on disk, `pending` the changes since, as (name, node or None) or renames."""
    def __init__(self):
        self.durable, self.pending, self.base, self.entries = {}, [], 0, {}

    def now(self):
        return dict(self.entries)

    def change(self, *changes):
        self.pending.append(changes)
        for name, node in changes:
            enter(self.entries, name, node)

def enter(entries, name, node):
    if node is None:
        entries.pop(name, None)
    else:
        entries[name] = node

def apply(content, change):
    if change[0] == "cut":
        if change[1] <= len(content):
            del content[change[1]:]
        else:
            content.extend(bytes(change[1] - len(content)))
    else:
        _, offset, data = change
        if offset > len(content):
            content.extend(bytes(offset - len(content)))
        content[offset:offset + len(data)] = data

class Disk:
    """The double, of one folder and everything below it."""
    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.top = self.scan(self.root)

    def scan(self, path):
        folder = Folder()
        for entry in os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                folder.durable[entry.name] = self.scan(entry.path)
            else:
                with open(entry.path, "rb") as file:
                    folder.durable[entry.name] = File(file.read())
        folder.entries = dict(folder.durable)
        return folder

    def find(self, path):
        """The folder of a path and the last name; (None, None) for a path elsewhere. A path of the root has no name."""
        if path != self.root and not path.startswith(self.root + "/"):
            return None, None
        names = [name for name in path[len(self.root):].split("/") if name and name != "."]
        if not names:
            return self.top, None
        folder = self.top
        for name in names[:-1]:
            folder = folder.entries.get(name)
            if not isinstance(folder, Folder):
                return None, None
        return folder, names[-1]

    def node(self, path):
        folder, name = self.find(path)
        return folder if name is None else folder.entries.get(name)

    def perform(self, step, promises):
        """Repeats a step, if it is below the double's folder."""
        kind = step[0]
        if kind == "open":
            folder, name = self.find(step[1])
            if folder is None or name is None:
                return
            node = folder.entries.get(name)
            if node is None and step[3]:
                folder.change((name, File()))
            elif isinstance(node, File) and step[2] and node.content:
                node.change(("cut", 0))
            else:
                return
        elif kind in ("write", "cut"):
            node = self.node(step[1])
            if not isinstance(node, File):
                return
            if kind == "cut":
                node.change(("cut", step[2]))
            else:
                node.change(("write", len(node.content) if step[3] is None else step[3], step[2]))
        elif kind == "promise":
            node = self.node(step[2])
            if node is not None:
                promises[step[1]] = node, node.promise()
            return
        elif kind == "sync":
            node = self.node(step[2])
            if step[1]:
                # The file may have another name since the call began.
                node, promise = promises.pop(step[1], (None, None))
            elif node is not None:
                promise = node.promise()
            if node is None:
                return
            node.keep(promise)
        elif kind == "rename":
            (folder, name), (other, next_) = self.find(step[1]), self.find(step[2])
            node = folder.entries.get(name) if folder else None
            if node is None or other is None:
                return
            if folder is other:
                folder.change((next_, node), (name, None))
            else:
                other.change((next_, node))
                folder.change((name, None))
        elif kind == "link":
            (folder, name), (other, next_) = self.find(step[1]), self.find(step[2])
            if folder and other and name in folder.entries:
                other.change((next_, folder.entries[name]))
        elif kind == "unlink":
            folder, name = self.find(step[1])
            if folder is None:
                return
            folder.change((name, None))
        elif kind == "mkdir":
            folder, name = self.find(step[1])
            if folder is None or name in folder.entries:
                return
            folder.change((name, Folder()))

class Trace:
    """The system calls of a trace, which change the double one by one."""
    LINE = re.compile(rb"^(\d+) +(.*)$")
    CALL = re.compile(rb"^(\w+)\((.*)\) += (-?\d+|\?|0x[0-9a-f]+)(.*)$", re.S)
    STRING = re.compile(rb'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
    FILE = re.compile(rb"(?:AT_FDCWD|-?\d+)<((?:\\x[0-9a-f]{2}|[^>])*)>")

    def __init__(self, path, working):
        self.steps, self.working, begun = [], working, {}
        # Paths of calls in which a process was killed: they may have had their effect.
        self.uncertain = set()
        with open(path, "rb") as file:
            for line in file:
                match = self.LINE.match(line.rstrip(b"\n"))
                if not match:
                    continue
                process, text = match.groups()
                if text.endswith(b"<unfinished ...>"):
                    begun[process] = text[:-len(b"<unfinished ...>")].rstrip()
                    # An fsync promises what was written before it began.
                    if text.startswith((b"fsync", b"fdatasync")):
                        self.steps.append(("promise", process, self.path(text)))
                    continue
                resumed = re.match(rb"^<\.\.\. (\w+) resumed>(.*)$", text, re.S)
                interrupted = False
                if resumed:
                    start = begun.pop(process, None)
                    if start is None:
                        continue
                    text, interrupted = start + resumed.group(2), True
                call = self.CALL.match(text)
                if call and call.group(3) == b"?":
                    self.doubt(text)
                if call and not call.group(3).startswith((b"-", b"?")):
                    self.note(call.group(1).decode(), call.group(2), int(call.group(3), 0), process, interrupted)
        for text in begun.values():
            self.doubt(text)

    def doubt(self, text):
        self.uncertain |= {self.path(text), *self.names(text)}

    @staticmethod
    def text(escaped):
        return bytes.fromhex(escaped.replace(b"\\x", b"").decode()) if b"\\x" in escaped else escaped

    def path(self, text):
        match = self.FILE.search(text)
        return self.text(match.group(1)).decode() if match else None

    def names(self, text):
        """The paths of a call, each joined with the folder before it."""
        paths, folder = [], None
        for match in re.finditer(rb'(?:AT_FDCWD|\d+)<(?P<at>[^>]*)>|"(?P<name>(?:\\x[0-9a-f]{2})*)"', text):
            if match.group("at") is not None:
                folder = self.text(match.group("at")).decode()
            else:
                paths.append(os.path.normpath(os.path.join(folder or self.working, self.text(match.group("name")).decode())))
        return paths

    def note(self, call, text, result, process, interrupted):
        if call in ("openat", "open", "creat"):
            if b"O_CREAT" in text or b"O_TRUNC" in text or call == "creat":
                self.steps.append(("open", self.names(text)[-1], b"O_TRUNC" in text or call == "creat", b"O_CREAT" in text))
        elif call in ("write", "writev", "pwrite64"):
            data = b"".join(self.text(x.group(1)) for x in self.STRING.finditer(text))[:result]
            if len(data) != result:
                raise SystemExit(f"power: strace has shortened a {call}")
            offset = int(text.rsplit(b",", 1)[1]) if call == "pwrite64" else None
            self.steps.append(("write", self.path(text), data, offset))
        elif call in ("fsync", "fdatasync"):
            self.steps.append(("sync", process if interrupted else None, self.path(text)))
        elif call.startswith("rename"):
            self.steps.append(("rename", *self.names(text)))
        elif call in ("unlink", "unlinkat", "rmdir"):
            self.steps.append(("unlink", self.names(text)[-1]))
        elif call == "ftruncate":
            self.steps.append(("cut", self.path(text), int(text.rsplit(b",", 1)[1])))
        elif call in ("mkdir", "mkdirat"):
            self.steps.append(("mkdir", self.names(text)[-1]))
        else:
            raise SystemExit(f"power: the double knows no {call}")

class Logged:
    """The steps of a log of `FaultPlan`."""
    def __init__(self, calls, working):
        self.steps = []
        for call in calls:
            paths = [os.path.normpath(os.path.join(os.path.realpath(working), path)) for path in call.paths]
            thread = call.process, *paths
            if call.result < 0:
                continue
            if call.name == "open" and call.size & (os.O_CREAT | os.O_TRUNC):
                self.steps.append(("open", *paths, bool(call.size & os.O_TRUNC), bool(call.size & os.O_CREAT)))
            elif call.name == "write":
                self.steps.append(("write", *paths, bytes.fromhex(call.data), None))
            elif call.name == "cut":
                self.steps.append(("cut", *paths, call.size))
            elif call.name == "promise":
                self.steps.append(("promise", thread, *paths))
            elif call.name == "sync":
                self.steps.append(("sync", thread, *paths))
            elif call.name in ("rename", "link"):
                self.steps.append((call.name, *paths))
            elif call.name == "remove":
                self.steps.append(("unlink", *paths))
            elif call.name == "makeFolder":
                self.steps.append(("mkdir", *paths))

STYLES = ["durable", "all", "prefix", "names", "data", "torn", "sectors", "zeros", "reordered"]

def survivor(file, style, choose):
    """The bytes of a file after a cut."""
    content = bytearray(file.durable)
    pending = file.pending
    if style in ("durable", "names"):
        return content
    if style in ("all", "data"):
        return bytearray(file.content)
    if style == "reordered":
        for change in pending:
            if choose.random() < 0.5:
                apply(content, change)
        return content
    count = choose.randrange(len(pending) + 1)
    for change in pending[:count]:
        apply(content, change)
    if style == "prefix" or count == len(pending):
        return content
    change = pending[count]
    if change[0] == "write":
        _, offset, data = change
        kept = choose.randrange(len(data) + 1)
        if style == "sectors":
            kept = max(0, (offset + kept) // 512 * 512 - offset)
        apply(content, ("write", offset, data[:kept]))
        if style == "zeros":
            # The length is durable, the data is not.
            apply(content, ("write", offset + kept, bytes(len(data) - kept)))
            if len(file.content) > len(content):
                content.extend(bytes(len(file.content) - len(content)))
    return content

def materialize(folder, path, style, choose):
    """Creates what a cut leaves of a folder."""
    os.makedirs(path)
    entries = dict(folder.durable)
    if style in ("all", "names"):
        count = len(folder.pending)
    elif style in ("durable", "data"):
        count = 0
    else:
        count = choose.randrange(len(folder.pending) + 1)
    for changes in folder.pending[:count]:
        for name, node in changes:
            enter(entries, name, node)
    for name, node in entries.items():
        target = os.path.join(path, name)
        if isinstance(node, Folder):
            materialize(node, target, style, choose)
        else:
            with open(target, "wb") as file:
                file.write(survivor(node, style, choose))

def trace(arguments, folder, log, timeout=120):
    """Runs a command under strace. Returns the process and the double as it was before the run."""
    disk = Disk(folder)
    ended = subprocess.run(
        ["strace", "-f", "-y", "-xx", "-s", "100000000", "-e", "signal=none", "-e", "trace=" + CALLS,
         # Time for copies of the process to save, while the run reads.
         "-e", "inject=read:delay_enter=8000", "-o", log, *arguments],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    return ended, disk

def check(disk, path, uncertain):
    """Whether the double has come to what is in the folder: what is wrong, or None."""
    def compare(folder, path):
        names = set(os.listdir(path))
        if any(os.path.join(path, name) not in uncertain for name in names ^ set(folder.entries)):
            return f"{path}: {sorted(names)} and {sorted(folder.entries)}"
        for name, node in folder.entries.items():
            target = os.path.join(path, name)
            if target in uncertain:
                continue
            if isinstance(node, Folder):
                wrong = compare(node, target)
                if wrong:
                    return wrong
            else:
                with open(target, "rb") as file:
                    if file.read() != bytes(node.content):
                        return f"{target} has other bytes"
        return None
    return compare(disk.top, path)

def cuts(arguments, folder, scratch, count, choose, mayFail=False):
    """Traces a run in a folder, and yields folders as cuts of its power leave them: (path, what it is).

    Half of the instants are at an fsync or a change of names, half are any change.
    """
    log = os.path.join(scratch, "trace")
    ended, disk = trace(arguments, folder, log)
    if ended.returncode != 0:
        if mayFail:
            return
        raise SystemExit(f"power: {arguments}: {ended.returncode} {ended.stderr.decode()[:500]}")
    steps = Trace(log, disk.root)
    yield from states(disk, steps, scratch, count, choose)
    wrong = check(disk, disk.root, steps.uncertain)
    if wrong:
        raise SystemExit(f"power: the double differs from the disk: {wrong}")

def states(disk, steps, scratch, count, choose):
    """Performs the steps of a run, and yields folders as cuts of its power before some of them leave them."""
    own = [number for number, step in enumerate(steps.steps) if step[0] != "promise"]
    marked = [number for number in own if steps.steps[number][0] not in ("write", "cut")]
    instants = set(choose.sample(marked, min(len(marked), (count + 1) // 2)))
    instants |= set(choose.sample(own, min(len(own), count - len(instants))))
    promises, turn = {}, choose.randrange(len(STYLES))
    for number, step in enumerate(steps.steps):
        if number in instants:
            # The cut comes before this step.
            style = STYLES[turn % len(STYLES)]
            turn += 1
            target = os.path.join(scratch, "cut")
            shutil.rmtree(target, ignore_errors=True)
            materialize(disk.top, target, style, choose)
            yield target, f"{style} before step {number} of {len(steps.steps)}, {step[0]}"
        disk.perform(step, promises)


# Where a run keeps its files: options beside those that all have, and the files with its output.
LAYOUTS = {
    "beside": ["--output", "{n}.out", "--format", "ndjson", "--state", "{n}.state"],
    "apart": ["--output", "out/{n}.out", "--format", "ndjson", "--state", "keep/{n}.state", "--record", "rec/{n}.rec"],
    "rotated": ["--output", "out/{n}.ndjson", "--rotate", "20KB", "--state", "keep/{n}.state"],
    "array": ["--output", "out/{n}.json", "--state", "{n}.state"],
    "standard": ["--format", "ndjson", "--state", "keep/{n}.state"],
}

def command(binary, name, layout, state=True):
    options = [option.format(n=name) for option in LAYOUTS[layout]]
    if not state:
        del options[options.index("--state"):]
    arguments = [binary, name + ".json", "--input", "a=a.ndjson", "--event-time", "value.t", *options]
    if state:
        arguments += ["--every", "3000"]
    if layout == "standard":
        return ["sh", "-c", 'exec "$@" >> out/standard', "sh", *arguments]
    return arguments

def output(folder, name, layout):
    """The bytes of the output, of all its files in the order of rotation."""
    if layout == "beside":
        paths = [name + ".out"]
    elif layout == "standard":
        paths = ["out/standard"]
    else:
        names = os.listdir(os.path.join(folder, "out"))
        paths = ["out/" + x for x in sorted(names, key=rotation)]
    return b"".join(read(os.path.join(folder, path)) for path in paths)

def rotation(name):
    """Sorts NAME-TIME.ndjson, NAME-TIME-2.ndjson, …, and NAME.ndjson as the last."""
    parts = name.split(".")[0].split("-")
    return len(parts) == 1, parts[1:2], int(parts[2]) if len(parts) > 2 else 1

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""

def prepare(source, folder, name):
    """A folder with the inputs, and with folders for outputs."""
    shutil.rmtree(folder, ignore_errors=True)
    for inner in ("out", "keep", "rec"):
        os.makedirs(os.path.join(folder, inner))
    for file in (name + ".json", "a.ndjson"):
        shutil.copy(os.path.join(source, file), folder)

def resume(binary, folder, name, layout, reference, what):
    """Continues a run after a cut. Returns whether its output is that of a run that was never stopped."""
    ended = subprocess.run(command(binary, name, layout), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, timeout=120)
    if ended.returncode != 0:
        print(f"FAILED {name}, {layout}: {ended.returncode} {ended.stderr.decode()[:500]}; {what}", flush=True)
        return False
    now = output(folder, name, layout)
    if now != reference:
        at = next((i for i, (x, y) in enumerate(zip(reference, now)) if x != y), min(len(reference), len(now)))
        print(f"DIFFERENT {name}, {layout}: {len(reference)} and {len(now)} bytes, first at {at}; {what}", flush=True)
        return False
    if layout == "apart":
        again = subprocess.run([binary, "replay", f"rec/{name}.rec"], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        if again.returncode != 0 or again.stdout != reference:
            print(f"DIFFERENT replay of {name}: {again.returncode} {again.stderr.decode()[:300]}; {what}", flush=True)
            return False
    return True

def power_cuts(binary, source, names, count, choose):
    """Cuts the power of runs of each pipeline in each layout, and that of some resumed runs once more."""
    done, again, bad, lost = 0, 0, 0, 0
    each = max(1, count // (len(names) * len(LAYOUTS)) + 1)
    with_cut = os.path.join(source, "power")
    for name in names:
        for layout in LAYOUTS:
            folder = os.path.join(with_cut, "run")
            prepare(source, folder, name)
            ended = subprocess.run(command(binary, name, layout, False), cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            reference = output(folder, name, layout)
            if ended.returncode != 0 or not reference:
                raise SystemExit(f"power: {name}, {layout}: {ended.returncode} {ended.stderr.decode()[:300]}")
            prepare(source, folder, name)
            for cut, what in cuts(command(binary, name, layout), folder, with_cut, each, choose):
                done += 1
                states = [x for _, _, files in os.walk(cut) for x in files if x.startswith("state-")]
                lost += not states
                if choose.random() < 0.2:
                    second = os.path.join(with_cut, "second")
                    shutil.rmtree(second, ignore_errors=True)
                    os.makedirs(second)
                    shutil.copytree(cut, os.path.join(second, "run"))
                    # A run that the first cut lets fail is reported below.
                    for twice, which in cuts(command(binary, name, layout), os.path.join(second, "run"), second, 2, choose,
                                             mayFail=True):
                        again += 1
                        bad += not resume(binary, twice, name, layout, reference, f"{what}; then {which}")
                bad += not resume(binary, cut, name, layout, reference, what)
    shutil.rmtree(with_cut)
    print(f"{done} states after a cut of power, {lost} of them without a saved state, and {again} after a second cut: "
          f"{bad} differ", flush=True)
    return bad == 0
