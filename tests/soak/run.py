#!/usr/bin/env python3
"""run.py PATH_OF_MEMDIR [--minutes 20] [--sessions 10] [--write]: many sessions on one memory for a long time.

Every session is a client as a host would be: its own `memdir mcp` that stays, hooks for every prompt, tool and turn end,
a transcript that grows, and the worker that the hooks start. Beside them one `memdir serve` answers the page's questions.
Now and then a session ends and a new one takes its place, and one is killed in the middle of a turn.

Looked at while it runs: private memory and open handles of every process that stays. It fails when the last quarter of the
run has more than the second quarter (above a small allowance), when a memory that was acknowledged is gone, when the doctor
finds harm, or when a lock, a staging folder or a process is left behind.
"""
import argparse, json, os, pathlib, random, shutil, signal, statistics, subprocess, tempfile, threading, time, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/robustness.md"
MARKS = ("<!-- measured: tests/soak/run.py --write -->", "<!-- end of measured: soak -->")
TOPICS = "ledger heron kestrel parser schema release migration cluster queue cache widget invoice".split()
OWN = 12  # memories that one seat keeps
MEMORY_ALLOWANCE = 1.15  # the allocator's own noise
HANDLE_ALLOWANCE = 2


class Server:
    """One `memdir mcp` over its pipes."""

    def __init__(self, soak):
        self.process = subprocess.Popen([soak.program, "mcp"], cwd=soak.project, env=soak.env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.number = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "soak", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer["result"]

    def call(self, name, **arguments):
        result = self.ask("tools/call", name=name, arguments=arguments)
        return None if result.get("isError") else result["structuredContent"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


class Soak:
    def __init__(self, program, minutes, sessions):
        self.program, self.minutes, self.sessions = program, minutes, sessions
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="memdir-soak-"))
        self.project = self.home / "work/app"
        self.project.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", self.project], check=True)
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TZ": "UTC"}
        self.until = time.monotonic() + minutes * 60
        self.guard = threading.Lock()
        self.saved, self.counts, self.samples, self.troubles, self.stay = {}, {}, [], [], {}

    def count(self, what):
        with self.guard:
            self.counts[what] = self.counts.get(what, 0) + 1

    def hook(self, event, session, transcript, **more):
        said = {"session_id": session, "cwd": str(self.project), "transcript_path": str(transcript), "hook_event_name": event} | more
        done = subprocess.run([self.program, "hook", "claude-code"], input=json.dumps(said), env=self.env, cwd=self.project,
                              capture_output=True, text=True, check=False)
        if done.returncode or done.stderr:
            self.troubles.append(f"hook {event}: {done.returncode} {done.stderr[:200]}")
        self.count("hooks")

    def turn(self, dice, session, transcript, number):
        topic, word = dice.choice(TOPICS), f"w{dice.randrange(10**6)}"
        user = f"Always write {topic} tests with {word}, not with mocks." if number % 7 == 0 else f"How does the {topic} {word} work?"
        self.hook("UserPromptSubmit", session, transcript, prompt=user)
        tool = {"tool_name": "Bash", "tool_input": {"command": f"make {topic}"}}
        self.hook("PreToolUse", session, transcript, **tool)
        self.hook("PostToolUse", session, transcript, **tool, tool_response={"stdout": "ok"})
        with open(transcript, "a", encoding="utf8") as file:
            for kind, text in (("user", user), ("assistant", f"The {topic} is fine.")):
                stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
                file.write(json.dumps({"type": kind, "uuid": f"{session}-{number}-{kind}", "sessionId": session, "timestamp": stamp,
                                       "cwd": str(self.project), "message": {"role": kind, "content": [{"type": "text", "text": text}]}}) + "\n")
        self.hook("Stop", session, transcript)

    def session(self, seat):
        dice, serial, mine = random.Random(seat), 0, []
        while time.monotonic() < self.until:
            serial += 1
            name = f"00000000-0000-4000-8000-{seat:06d}{serial:06d}"
            transcript = self.home / f".claude/projects/app/{name}.jsonl"
            transcript.parent.mkdir(parents=True, exist_ok=True)
            server = Server(self)
            with self.guard:
                self.stay[f"mcp {seat}"] = server.process.pid
            self.hook("SessionStart", name, transcript, source="startup")
            # Half the seats keep one session for the whole run: what leaks is seen there.
            turns = 10**9 if seat % 2 == 0 else dice.randrange(10, 60)
            for number in range(turns):
                if time.monotonic() >= self.until:
                    break
                self.turn(dice, name, transcript, number)
                if number % 5 == 0:
                    text = f"The {dice.choice(TOPICS)} job {seat}-{serial}-{number} runs on host h{dice.randrange(10**6)}"
                    kept = server.call("remember", text=text, type="reference")
                    if kept:
                        with self.guard:
                            self.saved[text] = kept["file"]
                        mine.append(text)
                        self.count("saved")
                    # The store keeps its size, so that what grows is a leak and not more memory of the user's.
                    if len(mine) > OWN:
                        gone = mine.pop(0)
                        with self.guard:
                            file = self.saved.pop(gone)
                        if server.call("forget", file=file):
                            self.count("forgotten")
                server.call("recall", query=f"where does the {dice.choice(TOPICS)} job run?")
                server.call("search", term=dice.choice(TOPICS))
                self.count("asked")
                time.sleep(dice.random() * 2)
            if seat % 4 == 1:
                server.process.kill()
                server.process.wait()
                self.count("killed")
            else:
                server.end()
                self.count("ended")

    def page(self, port, token):
        dice = random.Random(99)
        while time.monotonic() < self.until:
            path = dice.choice(["/api/memories", "/api/status", "/api/history", "/api/search?term=ledger"])
            path += ("&" if "?" in path else "?") + f"project={self.project}"
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Authorization": f"Bearer {token}"})
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    answer.read()
                self.count("pages")
            except OSError as error:
                self.troubles.append(f"{path}: {error}")
            time.sleep(0.5)

    def look(self):
        with self.guard:
            stay = dict(self.stay)
        row = {}
        for name, pid in stay.items():
            try:
                with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as lines:
                    memory = sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Dirty:", "Private_Clean:")))
                row[name] = (pid, memory / 1024, len(os.listdir(f"/proc/{pid}/fd")))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        self.samples.append(row)

    def run(self):
        serve = subprocess.Popen([self.program, "serve", "--no-open", "--json"], cwd=self.project, env=self.env,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        told = ""
        while True:
            told += serve.stdout.readline()
            try:
                address = json.loads(told)
                break
            except ValueError:
                continue
        self.stay["serve"] = serve.pid
        work = [threading.Thread(target=self.session, args=(seat,)) for seat in range(self.sessions)]
        work.append(threading.Thread(target=self.page, args=(address["port"], address["token"])))
        for thread in work:
            thread.start()
        while any(thread.is_alive() for thread in work):
            time.sleep(5)
            self.look()
        for thread in work:
            thread.join()
        serve.send_signal(signal.SIGINT)
        serve.wait(60)
        return self.judge()

    def judge(self):
        self.settle()
        listed = json.loads(self.ask("list", "--json"))
        here = {one["file"] for one in listed["memories"]}
        lost = [text for text, file in self.saved.items() if file not in here]
        if lost:
            self.troubles.append(f"{len(lost)} acknowledged memories are gone, such as {lost[0]!r}")
        doctor = json.loads(self.ask("doctor", "--json"))
        harm = [one for one in doctor.get("findings", []) if one.get("severity") == "error"]
        if harm:
            self.troubles.append(f"doctor: {harm[:3]}")
        left = [str(path.relative_to(self.home)) for path in self.home.rglob("*") if path.name.startswith((".staging", "staging-"))]
        if left:
            self.troubles.append(f"left behind: {left[:5]}")
        rows = self.table()
        for name, memory, handles in rows:
            if memory[2] > memory[1] * MEMORY_ALLOWANCE + 1:
                self.troubles.append(f"{name}: {memory[1]:.1f} MB became {memory[2]:.1f}")
            if handles[2] > handles[1] + HANDLE_ALLOWANCE:
                self.troubles.append(f"{name}: {handles[1]} handles became {handles[2]}")
        return rows

    def settle(self):
        """Until the detached workers are through; none may stay."""
        for _ in range(600):
            if not self.ours():
                return
            time.sleep(0.5)
        self.troubles.append(f"processes left: {self.ours()}")

    def ours(self):
        mine = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if f"HOME={self.home}".encode() in file.read().split(b"\0"):
                        mine.append(int(pid))
            except OSError:
                continue
        return mine

    def ask(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.project, env=self.env, capture_output=True, text=True, check=False).stdout

    def table(self):
        """Of every process that stayed the whole run: first, second quarter, last quarter."""
        rows = []
        for name in sorted({name for row in self.samples for name in row}):
            seen = [row[name] for row in self.samples if name in row]
            if len({pid for pid, _, _ in seen}) > 1 or len(seen) < 8:
                continue
            quarter = len(seen) // 4
            parts = [seen[:2], seen[quarter:2 * quarter], seen[-quarter:]]
            rows.append((name, [statistics.median(memory for _, memory, _ in part) for part in parts],
                         [statistics.median(handles for _, _, handles in part) for part in parts]))
        return rows


def page_of(soak, rows):
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(soak.counts.items()))
    lines = [MARKS[0], "", f"{soak.sessions} sessions for {soak.minutes:g} minutes: {counts}; every saved memory is there.", "",
             "| process | memory at the start, MB | second quarter | last quarter | handles at the start | second quarter | last quarter |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    for name, memory, handles in rows:
        lines.append(f"| `{name}` | " + " | ".join(f"{one:.1f}" for one in memory) + " | " + " | ".join(f"{one:g}" for one in handles) + " |")
    return "\n".join([*lines, "", MARKS[1]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--write", action="store_true")
    said = parser.parse_args()
    soak = Soak(os.path.abspath(said.program), said.minutes, said.sessions)
    rows = soak.run()
    text = page_of(soak, rows)
    print(text)
    for trouble in soak.troubles[:20]:
        print(f"TROUBLE: {trouble}")
    if said.write and not soak.troubles:
        page = PAGE.read_text()
        before, after = page.split(MARKS[0])[0], page.split(MARKS[1])[1]
        PAGE.write_text(before + text + after)
    shutil.rmtree(soak.home, ignore_errors=True)
    raise SystemExit(bool(soak.troubles))


main()
