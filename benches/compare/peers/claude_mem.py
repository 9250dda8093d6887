"""claude-mem: hooks that talk to a worker, which keeps SQLite.

Its vector store (Chroma) would download a model, so it is off; what is left is its full-text
search, which matches the words of a query as one phrase.
"""

import json
import socket
import time
import urllib.error
import urllib.parse
import urllib.request

import install
import process
from peer import HOOK, SESSION, Peer, claude_event, left

VERSION = "13.25.3"
BATCH = 2_000  # its full-text index is built anew after each, and larger ones are refused
SESSION_SIZE = 50  # it looks for duplicates among all of a session


class ClaudeMem(Peer):
    name = "claude-mem"
    version = VERSION
    note = "its prompt and session hooks with the worker already running, Chroma off (it needs a model): SQLite full text, which finds phrases only, so it is asked for the rarest word; its prompt hook brings no memory in this mode"

    def install(self, cache):
        self.node, self.bun = install.node(cache), install.bun(cache)
        self.scripts = install.plugin(cache, "claude-mem", VERSION, "plugin") / "scripts"

    def settle(self, home):
        super().settle(home)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.env["PATH"] = f"{self.bun.parent}:{self.node.parent}:{self.env['PATH']}"
        self.env |= {
            "CLAUDE_MEM_DATA_DIR": str(home / "data"), "CLAUDE_MEM_WORKER_PORT": str(self.port),
            "CLAUDE_MEM_CHROMA_ENABLED": "false", "CLAUDE_MEM_TELEMETRY": "0",
        }
        self.worker("start", limit=60)
        self.pid = self.get("/api/health")["pid"]

    def worker(self, *words, limit, stdin=""):
        argv = [self.node, self.scripts / "bun-runner.js", self.scripts / "worker-service.cjs", *words]
        return process.finish(argv, self.env, self.project, stdin, limit, daemons=self.processes())

    def get(self, path, body=None, limit=60):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body and json.dumps(body).encode())
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=limit) as answer:
                return json.load(answer)
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            raise process.Stopped(f"{path}: {error}") from None

    def fill(self, corpus, until):
        """Through its import, as its own export writes it."""
        project, now = self.project.name, int(time.time() * 1000)
        stamp = "2026-11-01T00:00:00.000Z"
        common = {"project": project, "user_prompt": "", "started_at": stamp, "started_at_epoch": now, "completed_at": stamp,
                  "completed_at_epoch": now, "status": "completed"}
        names = [f"import-{number}" for number in range(corpus.size // SESSION_SIZE + 1)]
        self.get("/api/import", {"sessions": [{"content_session_id": name, "memory_session_id": name, **common} for name in names]})
        done, batch = 0, []
        for number, memory in enumerate(corpus.memories()):
            batch.append({
                "memory_session_id": names[number // SESSION_SIZE], "project": project, "text": None, "type": "discovery", "title": memory.name,
                "subtitle": memory.description, "facts": "[]", "narrative": memory.body, "concepts": "[]", "files_read": "[]",
                "files_modified": "[]", "prompt_number": None, "created_at": stamp, "created_at_epoch": now + number,
            })
            if len(batch) == BATCH or number + 1 == corpus.size:
                try:
                    done += self.get("/api/import", {"observations": batch}, left(until))["stats"]["observationsImported"]
                except process.Stopped:
                    if not done:
                        raise
                    break
                batch = []
        return done

    def colds(self):
        def hook(verb, event):
            def call(prompt, limit):
                given = claude_event(event, f"s{time.monotonic_ns()}", self.project, prompt=prompt, source="startup")
                return self.worker("hook", "claude-code", verb, limit=limit, stdin=given)

            return call

        return {HOOK: hook("session-init", "UserPromptSubmit"), SESSION: hook("context", "SessionStart")}

    def start(self, limit):
        self.limit = limit

    def search(self, query):
        words = urllib.parse.urlencode({"query": query.split()[0], "project": self.project.name, "limit": 5})
        return self.get(f"/api/search?{words}", limit=self.limit)["content"][0]["text"]

    def add(self, memory):
        self.get("/api/memory/save", {"text": memory.text, "title": memory.name, "project": self.project.name})

    def processes(self):
        return [self.pid] if hasattr(self, "pid") else []

    def stop(self):
        if hasattr(self, "pid"):
            self.worker("stop", limit=60)
            del self.pid
