"""mcp-memory-service: an MCP server over sqlite-vec."""

import time

import install
from peer import Peer

VERSION = "12.4.0"


class MemoryService(Peer):
    name = "mcp-memory-service"
    version = VERSION
    note = "without a model it uses its own hash vectors, which it calls reduced quality, so it is asked in its hybrid mode, words and vectors together; memories come in through `memory_store`"
    tool = "memory_search"

    def install(self, cache):
        self.command = install.pip(cache, "mcp-memory-service", VERSION, extensions=True) / "memory"

    def settle(self, home):
        super().settle(home)
        self.env |= {
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec", "MCP_MEMORY_SQLITE_PATH": str(home / "store" / "memory.db"),
            "MCP_MEMORY_ALLOW_HASH_EMBEDDINGS": "1", "MCP_SEMANTIC_DEDUP_ENABLED": "false",
        }

    def fill(self, corpus, until):
        self.start(120)
        done = 0
        try:
            for memory in corpus.memories():
                if time.monotonic() > until:
                    break
                self.add(memory)
                done += 1
        finally:
            self.stop()
        return done

    def server(self):
        return [self.command, "server"]

    def question(self, query):
        return {"query": query, "mode": "hybrid"}

    def add(self, memory):
        self.talk.call("memory_store", content=memory.text, metadata={"type": memory.kind})
