"""memdir itself: a hook, a command and an MCP server over one folder of files."""

import os
import time
from pathlib import Path

import process
from peer import COMMAND, HOOK, MCP, OFFLINE, SESSION, Peer, claude_event, left
from world import ROOT, Home


class Memdir(Peer):
    name = "memdir"
    note = "`recall`, whole memories chosen for the prompt; the files are copied in and `memdir refresh` indexes them, vectors included"
    tool = ("recall", "query")

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
        start = time.monotonic()
        corpus.copy(self.memory)
        self.run("recall", "a first question", limit=left(until))  # indexes the words
        self.words_ready = time.monotonic() - start
        try:
            self.run("refresh", limit=left(until))
            self.remark = f"searchable after {self.words_ready:.1f} s, the rest is the vectors"
        except process.Stopped:
            self.remark = f"searchable after {self.words_ready:.1f} s; not all vectors were ready within the limit"
        return corpus.size

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
    note = "`search`: every line that holds the text, read from the files; asked for the rarest word"
    tool = ("search", "term")
    saves = False

    def fill(self, corpus, until):
        corpus.copy(self.memory)
        return corpus.size

    def colds(self):
        return {}

    def question(self, query):
        return query.split()[0]
