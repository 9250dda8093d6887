"""The reference memory server of MCP: a graph in one file of JSON lines."""

import time

import install
from peer import Peer

VERSION = "2026.8.31"
PACKAGE = "@modelcontextprotocol/server-memory"
BATCH = 200


class ServerMemory(Peer):
    name = "MCP reference server"
    version = VERSION
    note = f"`{PACKAGE}`; it looks for the query as one piece of text, so it is asked for the rarest word; {BATCH} entities a call"
    tool = "search_nodes"

    def install(self, cache):
        self.node = install.node(cache)
        self.main = install.npm(cache, PACKAGE, VERSION) / "dist" / "index.js"

    def settle(self, home):
        super().settle(home)
        self.env["MEMORY_FILE_PATH"] = str(home / "memory.jsonl")

    def fill(self, corpus, until):
        self.start(120)
        done, batch = 0, []
        try:
            for number, memory in enumerate(corpus.memories()):
                batch.append(memory)
                if len(batch) == BATCH or number + 1 == corpus.size:
                    if time.monotonic() > until:
                        break
                    self.create(batch)
                    done, batch = done + len(batch), []
        finally:
            self.stop()
        return done

    def create(self, memories):
        entities = [
            {"name": memory.file.removesuffix(".md"), "entityType": memory.kind, "observations": [memory.name, memory.description, memory.body]}
            for memory in memories
        ]
        self.talk.call("create_entities", entities=entities)

    def server(self):
        return [self.node, self.main]

    def question(self, query):
        return {"query": query.split()[0]}

    def add(self, memory):
        self.create([memory])
