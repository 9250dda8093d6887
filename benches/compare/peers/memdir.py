"""memdir itself: a hook, a command and an MCP server over one folder of files."""

import os
import time
from pathlib import Path

import process
from peer import COMMAND, HOOK, MCP, OFFLINE, SESSION, Peer, claude_event, left
from world import ROOT, Home

REAL_VECTORS = 20_000  # more of them would take most of a run
VECTORS_LIMIT = 1_200  # seconds, beyond those for filling: words find everything meanwhile

class Memdir(Peer):
    name = "memdir"
    note = "`recall`, whole memories chosen for the prompt; the files are copied in; filling ends when words find them, and vectors follow"
    tool = "recall"

    def install(self, cache):
        self.memdir = Path(os.environ.get("MEMDIR", ROOT / "target" / "release" / "memdir")).resolve()
        if not self.memdir.exists():
            raise process.Stopped(f"{self.memdir} is not there: build it with `cargo build --release`, or set MEMDIR")
        self.version = process.finish([self.memdir, "--version"], os.environ, "/").out.split()[-1]

    def settle(self, home):
        place = Home(home, str(self.memdir))
        self.home, self.project, self.memory, self.talk = place.path, place.project, place.memory, None
        self.env = {**place.env, **OFFLINE}

    def fill(self, corpus, until):
        """Counts until words find memories; the vectors that follow are timed apart."""
        corpus.copy(self.memory)
        self.run("recall", "a first question", limit=left(until))  # indexes the words
        return corpus.size

    def finish(self, corpus, until):
        start, made_up = time.monotonic(), self.memdir.parent / "examples" / "made_up_vectors"
        if corpus.size > REAL_VECTORS:
            if not made_up.exists():
                self.remark = "searched by words alone: vectors would take longer than the run, and the program for made-up ones is not built"
                return
            process.finish([made_up, self.home, self.project], self.env, self.project, "", VECTORS_LIMIT)
            self.remark = "vectors are made up, as real ones take about as long a memory as at the smaller size; made-up ones find nothing by meaning"
            return
        try:
            used = self.run("refresh", limit=VECTORS_LIMIT).cpu / 1e3
            seconds = time.monotonic() - start
            self.remark = f"vectors for all after another {seconds:.0f} s ({used:.0f} s of CPU, one core, in the background as a rule)"
        except process.Stopped:
            self.remark = "searched by words alone: the vectors were not ready within the limit"

    def run(self, *words, limit, stdin=""):
        return process.finish([self.memdir, *words], self.env, self.project, stdin, limit)

    def server(self):
        return [self.memdir, "mcp"]

    def colds(self):
        def hook(event):
            def call(prompt, limit):
                given = claude_event(event, f"s{time.monotonic_ns()}", self.project, prompt=prompt, source="startup")
                return self.run("hook", "claude-code", limit=limit, stdin=given)

            return call

        return {
            HOOK: hook("UserPromptSubmit"),
            SESSION: hook("SessionStart"),
            COMMAND: lambda prompt, limit: self.run("recall", prompt, limit=limit),
            MCP: super().colds()[MCP],
        }

    def add(self, memory):
        self.talk.call("remember", text=memory.body, type=memory.kind, name=memory.name, description=memory.description)


class MemdirExact(Memdir):
    """The other search of memdir: the lines that hold a text, in files and not from an index."""

    name = "memdir, exact text"
    note = "`search`: every line that holds the text, looked for in the files that can hold it; asked for the rarest word"
    tool = "search"
    indexes = False
    saves = False

    def finish(self, corpus, until):
        """No vectors are needed."""

    def colds(self):
        return {}

    def question(self, query):
        return {"term": query.split()[0]}
