"""What a system must be able to do to be asked, and some that can.

To add one: a class with `save` and `ask`, named in ALL. Everything that `ask` returns counts as
shown to a model.
"""

import json
import os
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import install
import process
from peer import OFFLINE, claude_event
from peers.basic_memory import BasicMemory
from peers.memdir import Memdir
from peers.memory_service import MemoryService
from peers.qwen import Qwen

NOW = "2026-10-25T09:00:00Z"
LIMIT = 120
MOST = 5  # memories for a question, where a system lets one choose


class System:
    """One system; `Stopped` from any method is its result."""

    name = ""
    note = ""

    def install(self, cache):
        """Puts it under `cache`, once."""

    def settle(self, home, projects):
        """Gets an empty home and the folders of all projects."""
        self.home, self.projects = home, projects
        self.env = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **OFFLINE}

    def save(self, memory):
        """Saves a memory in its project; False when it was refused."""
        raise NotImplementedError

    def ready(self):
        """After the last memory, before the first question."""

    def ask(self, project, query):
        """The text that a model would be shown."""
        raise NotImplementedError

    def stop(self):
        """Ends what was started."""


def aged(path, memory):
    """Sets the file's time to the day of its memory."""
    day = datetime.fromisoformat(memory["when"]).replace(tzinfo=timezone.utc).timestamp()
    os.utime(path, (day, day))


class OfMemdir(System):
    """`remember` on the memory's day, the prompt hook on the day of the question."""

    name = "memdir"
    note = "saved with `remember`, asked through the prompt hook"

    def install(self, cache):
        self.peer = Memdir()
        self.peer.install(cache)

    def run(self, project, *words, stdin="", now=NOW):
        env = {**self.env, "MEMDIR_NOW": now, "MEMDIR_NO_BACKGROUND": "1", "MEMDIR_OFFLINE": "1"}
        return process.finish([self.peer.memdir, *words], env, self.projects[project], stdin, LIMIT).out

    def save(self, memory):
        told = ["--type", memory["type"], "--name", memory["name"], "--description", memory["description"]]
        try:
            saved = self.run(memory["project"], "remember", memory["text"], *told, "--json", now=f"{memory['when']}T12:00:00Z")
        except process.Stopped:
            return False
        aged(self.folder(memory["project"]) / json.loads(saved)["file"], memory)
        return True

    def folder(self, project):
        return Path(json.loads(self.run(project, "status", "--json"))["memory"]["dir"])

    def ready(self):
        for project in self.projects:
            self.run(project, "refresh")

    def ask(self, project, query):
        given = claude_event("UserPromptSubmit", f"{project}-{abs(hash(query))}", self.projects[project], prompt=query)
        out = self.run(project, "hook", "claude-code", stdin=given)
        return json.loads(out)["hookSpecificOutput"]["additionalContext"] if out.strip() else ""


class Files(System):
    """Memories as Markdown files in the project, as agents write them."""

    folder = ".memory"

    def save(self, memory):
        folder = self.projects[memory["project"]] / self.folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{memory['id'].replace('-', '_')}.md"
        head = "".join(f"{key}: {memory[key]}\n" for key in ("name", "description", "type"))
        path.write_text(f"---\n{head}---\n\n{memory['text']}\n", encoding="utf-8")
        aged(path, memory)
        return True


class Everything(Files):
    """What it is like without a choice: all memories of the project, at every question."""

    name = "all files of the project"
    note = "no system: everything is shown at every question"

    def ask(self, project, query):
        return "\n\n".join(path.read_text(encoding="utf-8") for path in sorted((self.projects[project] / self.folder).glob("*.md")))


class OfQwen(Files):
    """Qwen Code's recall over files in its own place, without the model's choice."""

    name = "Qwen Code"
    note = "files in its own place, its recall function by words (its fallback without a model)"
    folder = ".qwen/memory"

    def install(self, cache):
        self.peer, self.talks = Qwen(), {}
        self.peer.install(cache)

    def ask(self, project, query):
        if project not in self.talks:
            folder, env = self.projects[project], {**self.env, "QWEN_CODE_MEMORY_LOCAL": "1"}
            self.talks[project] = self.peer.talking(env, folder)
            self.talks[project].hear(LIMIT)
        self.talks[project].say({"query": query})
        return self.talks[project].hear(LIMIT)["prompt"]

    def stop(self):
        for talk in self.talks.values():
            talk.close()


class OfService(System):
    """mcp-memory-service with its hash vectors; projects are tags."""

    name = "mcp-memory-service"
    note = "`memory_store` with the project as a tag, `memory_search` in its hybrid mode with that tag; hash vectors, as it has no model here"

    def install(self, cache):
        self.peer = MemoryService()
        self.peer.install(cache)

    def settle(self, home, projects):
        super().settle(home, projects)
        self.peer.settle(home / "service")
        self.peer.start(LIMIT)

    def save(self, memory):
        text = f"{memory['name']}\n{memory['description']}\n\n{memory['text']}"
        self.peer.talk.call("memory_store", content=text, metadata={"type": memory["type"], "tags": [memory["project"]]})
        return True

    def ask(self, project, query):
        return self.peer.talk.call("memory_search", query=query, mode="hybrid", tags=[project], limit=MOST)

    def stop(self):
        self.peer.stop()


class OfBasic(System):
    """basic-memory by words; projects are its projects."""

    name = "basic-memory"
    note = "`write_note` and `search_notes` in a project of its own each, full text"

    def install(self, cache):
        self.peer = BasicMemory()
        self.peer.install(cache)

    def settle(self, home, projects):
        super().settle(home, projects)
        self.peer.settle(home / "basic")
        self.peer.start(LIMIT)
        for project in projects:
            self.peer.talk.call("create_memory_project", project_name=project, project_path=str(home / "notes" / project))

    def save(self, memory):
        text = f"# {memory['name']}\n\n{memory['description']}\n\n{memory['text']}"
        self.peer.talk.call("write_note", title=memory["name"], content=text, directory="", project=memory["project"])
        return True

    def ask(self, project, query):
        return self.peer.talk.call("search_notes", query=query, project=project, page_size=MOST, output_format="json")

    def stop(self):
        self.peer.stop()


def folders(home, projects):
    """The projects as repositories, with today's code."""
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "init.defaultBranch=main"]
    made = {}
    for project in projects:
        folder = made[project["project"]] = home / "work" / project["project"]
        for path, content in project["files"].items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
        for verb in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "first"]):
            subprocess.run(git + verb, cwd=folder, env={"HOME": str(home), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}, check=True)
    return made


ALL = [OfMemdir, Everything, OfQwen, OfService, OfBasic]
default_cache = install.default_cache
