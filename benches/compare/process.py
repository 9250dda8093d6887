"""Processes that end in time, and what they used.

Everything here has a limit in seconds; whatever runs past it is killed with its children, and
`Stopped` says so. CPU time is user and kernel time of the process and the children it waited for,
and of any daemon that worked for it.
"""

import json
import os
import resource
import selectors
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

TICKS = os.sysconf("SC_CLK_TCK")


class Stopped(Exception):
    """A step that failed or took too long; the text is the reason, for the table."""


@dataclass
class Run:
    wall: float  # ms
    cpu: float  # ms
    out: str


def finish(argv, env, cwd, stdin="", limit=60.0, daemons=()):
    """Runs a program from start to exit."""
    with tempfile.TemporaryFile() as errors:
        used, start = spent(daemons), time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in argv],
            env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
        )
        try:
            out, _ = process.communicate(stdin.encode(), timeout=limit)
        except subprocess.TimeoutExpired:
            end(process)
            raise Stopped(f"did not finish in {limit:.0f} s") from None
        wall = (time.perf_counter() - start) * 1e3
        if process.returncode != 0:
            errors.seek(0)
            raise Stopped(f"exit {process.returncode}: {telling(errors.read() + out)}")
        return Run(wall, spent(daemons) - used, out.decode(errors="replace"))


def telling(words):
    """The last line that names an error, else the last line."""
    lines = words.decode(errors="replace").strip().splitlines()
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["no word"])[-1].strip()[:200]


def spent(daemons=()):
    """CPU time so far, ms: children that have ended, and daemons that have not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (ended.ru_utime + ended.ru_stime) * 1e3 + sum(cpu(pid) for root in daemons for pid in tree(root))


def cpu(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15]) * 1e3 / TICKS


def tree(root):
    """A process and all that descend from it."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stat:
                parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [root] if root in parents else []
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def resident(roots):
    """Megabytes in memory; pages that processes share are split among them."""
    total = 0
    for pid in {pid for root in roots for pid in tree(root)}:
        try:
            with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as maps:
                total += sum(int(line.split()[1]) for line in maps if line.startswith("Pss:"))
        except OSError:
            continue
    return total / 1024


def on_disk(folder):
    """Megabytes of blocks under a folder."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(root, name)).st_blocks * 512
            except OSError:
                continue
    return total / 1e6


def end(process):
    """Ends a process we started, with its group."""
    for number, wait in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.wait(wait)
            return
        except subprocess.TimeoutExpired:
            continue


class Talk:
    """A process that reads and writes lines of JSON."""

    def __init__(self, argv, env, cwd):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [str(part) for part in argv],
            env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, start_new_session=True,
        )
        self.pid, self.rest = self.process.pid, b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def say(self, message):
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Stopped(f"ended: {self.last_words()}") from None

    def hear(self, limit):
        """The next line that is JSON."""
        until = time.monotonic() + limit
        while True:
            line, newline, after = self.rest.partition(b"\n")
            if newline:
                self.rest = after
                if line.lstrip().startswith(b"{"):
                    return json.loads(line)
                continue
            left = until - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                raise Stopped(f"no answer in {limit:.0f} s")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise Stopped(f"ended: {self.last_words()}")
            self.rest += more

    def last_words(self):
        self.errors.seek(0)
        return telling(self.errors.read())

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(2)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            pass
        end(self.process)
        self.selector.close()
        self.process.stdout.close()
        self.errors.close()


class Mcp(Talk):
    """The client's half of MCP on standard input and output."""

    VERSION = "2025-06-18"

    def __init__(self, argv, env, cwd, limit=60.0):
        super().__init__(argv, env, cwd)
        self.number, self.limit = 0, limit
        me = {"name": "compare", "version": "1"}
        try:
            self.request("initialize", {"protocolVersion": self.VERSION, "capabilities": {}, "clientInfo": me})
        except Stopped:
            self.close()
            raise
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method, params):
        self.number += 1
        self.say({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        until = time.monotonic() + self.limit
        while True:
            answer = self.hear(max(0.0, until - time.monotonic()))
            if answer.get("id") == self.number and "method" not in answer:
                if "error" in answer:
                    raise Stopped(f"{method}: {answer['error'].get('message', '')[:200]}")
                return answer["result"]

    def call(self, tool, **arguments):
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result.get("content", []))
        if result.get("isError"):
            raise Stopped(f"{tool}: {text[:200]}")
        return text


def ask_once(argv, env, cwd, tool, arguments, limit):
    """A server that is started, asked once and ended; the wall time ends with the answer."""
    used, start = spent(), time.perf_counter()
    server = Mcp(argv, env, cwd, limit)
    try:
        out = server.call(tool, **arguments)
        wall = (time.perf_counter() - start) * 1e3
    finally:
        server.close()
    return Run(wall, spent() - used, out)
