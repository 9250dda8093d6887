"""What a system must be able to do to be measured, and what it is given.

To add a system, write one class in one file of `peers/` and name it in `peers/__init__.py`.
README.md shows how.
"""

import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from process import Mcp, Stopped, ask_once
from world import gen_corpus

HERE = Path(__file__).resolve().parent

# Nothing may be downloaded while measuring: what tries gets a refusal at once instead of a wait.
OFFLINE = {
    **{name: "http://127.0.0.1:9" for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")},
    **{name: "127.0.0.1,localhost" for name in ("NO_PROXY", "no_proxy")},
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "DO_NOT_TRACK": "1", "GIT_CONFIG_NOSYSTEM": "1",
}

HOOK, SESSION, COMMAND, MCP = "prompt hook", "session hook", "command", "MCP server, first answer"


@dataclass
class Memory:
    file: str
    name: str
    description: str
    kind: str
    body: str

    @property
    def text(self):
        return f"{self.name}\n{self.description}\n\n{self.body}"


class Corpus:
    """A folder of memories that all systems get, and questions whose answer is known."""

    def __init__(self, folder, size):
        self.folder, self.size = folder, size
        self.queries = gen_corpus.generate(str(folder), size)
        (folder / "MEMORY.md").unlink()
        for query in self.queries:
            query["name"] = self.read(folder / query["gold"]).name

    @staticmethod
    def read(path):
        _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        return Memory(path.name, fields["name"], fields["description"], fields["type"], body.strip())

    def memories(self):
        for path in sorted(self.folder.iterdir()):
            yield self.read(path)

    def copy(self, to):
        shutil.copytree(self.folder, to, dirs_exist_ok=True)


def fresh(number):
    """A memory that no system has yet."""
    words = f"The {number}th probe of the harbour answers on port {7000 + number}"
    return Memory(f"project_probe_{number}.md", f"harbour probe {number}", words, "project", f"{words}, and its log rotates at noon.")


class Peer:
    """One system. `Stopped` from any method is a result too: its reason stands in the table."""

    name = ""
    version = ""
    note = ""  # what is measured, in a sentence or two
    tool = ""  # the tool of its MCP server that searches
    indexes = True  # whether filling is more than copying files
    saves = True  # whether one memory can be saved without a model
    remark = ""  # what was special in this run

    def install(self, cache):
        """Puts the pinned version under `cache`, once."""

    def settle(self, home):
        """Gets an empty home of its own."""
        self.home, self.project, self.talk = home, home / "work" / "app", None
        self.project.mkdir(parents=True)
        self.env = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **OFFLINE}

    def fill(self, corpus, until):
        """Brings the corpus in, to be stopped at `until` (monotonic); says how many arrived."""
        raise NotImplementedError

    def finish(self, corpus, until):
        """What goes on after the memories can be found, timed apart; it may set `remark`."""

    def server(self):
        """The command of an MCP server, or None."""
        return None

    def colds(self):
        """What starts anew for a prompt: {kind: function(prompt, limit) -> Run}."""
        if self.server() is None:
            return {}

        def first_answer(prompt, limit):
            return ask_once(self.server(), self.env, self.project, self.tool, self.question(prompt), limit)

        return {MCP: first_answer}

    def start(self, limit):
        """Makes ready for `search` and `add`."""
        self.talk = Mcp(self.server(), self.env, self.project, limit)

    def question(self, query):
        """What the tool is given: the query as this system is best asked."""
        return {"query": query}

    def search(self, query):
        return self.talk.call(self.tool, **self.question(query))

    def add(self, memory):
        """Saves one memory."""
        raise NotImplementedError

    def processes(self):
        return [self.talk.pid] if self.talk else []

    def stop(self):
        if self.talk:
            self.talk.close()
            self.talk = None


def claude_event(event, session, project, **more):
    """What Claude Code gives a hook on standard input."""
    return json.dumps({"session_id": session, "cwd": str(project), "hook_event_name": event, **more})


def left(until):
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise Stopped("no time left")
    return seconds
