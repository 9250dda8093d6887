"""basic-memory: Markdown notes indexed into SQLite, behind an MCP server and a command."""

import sqlite3

import install
import process
from peer import COMMAND, SESSION, Peer, claude_event, left

VERSION = "0.24.1"


class BasicMemory(Peer):
    name = "basic-memory"
    version = VERSION
    note = "full-text search; its semantic search needs a model and is off; notes are copied in and `reindex --search` indexes them"
    tool = "search_notes"

    def install(self, cache):
        self.command = install.pip(cache, "basic-memory", VERSION, least=(3, 12)) / "basic-memory"

    def settle(self, home):
        super().settle(home)
        self.notes = home / "notes"
        self.notes.mkdir()
        self.env |= {"BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false", "BASIC_MEMORY_DEFAULT_SEARCH_TYPE": "text", "BASIC_MEMORY_AUTO_UPDATE": "false"}
        self.run("project", "add", "notes", self.notes, "--default", limit=180)

    def run(self, *words, limit, stdin=""):
        return process.finish([self.command, *words], self.env, self.project, stdin, limit)

    def fill(self, corpus, until):
        corpus.copy(self.notes)
        try:
            self.run("reindex", "--search", "--project", "notes", limit=left(until))
        except process.Stopped:
            return self.arrived()  # what is indexed can be searched
        return corpus.size

    def arrived(self):
        with sqlite3.connect(self.home / ".basic-memory" / "memory.db") as database:
            return database.execute("select count(*) from entity").fetchone()[0]

    def server(self):
        return [self.command, "mcp"]

    def colds(self):
        given = claude_event("SessionStart", "s1", self.project, source="startup")
        return {
            COMMAND: lambda prompt, limit: self.run("tool", "search-notes", prompt, limit=limit),
            SESSION: lambda prompt, limit: self.run("hook", "session-start", limit=limit, stdin=given),
            **super().colds(),
        }

    def search(self, query):
        found = super().search(query)
        if found.startswith("# Search Failed"):  # it is no error for MCP
            raise process.Stopped(" ".join(found.split())[:200])
        return found

    def add(self, memory):
        self.talk.call("write_note", title=memory.name, content=memory.body, directory="new")
