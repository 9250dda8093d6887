"""Qwen Code's own recall, called in a Node process as the client calls it.

The function is not exported, so a copy of its chunk with one more export lies beside it. Without a
model it ranks by words; with one, the same scan comes first and a side query after.
"""

import install
import process
from peer import HERE, Peer

VERSION = "0.24.4"
RECALL = "resolveRelevantAutoMemoryPromptForQuery"


class Qwen(Peer):
    name = "Qwen Code"
    version = VERSION
    note = "its recall function inside a running client, without the model's choice (its own fallback); it is no hook, so nothing starts cold"
    indexes = False
    saves = False

    def install(self, cache):
        self.node = install.node(cache)
        chunks = install.npm(cache, "@qwen-code/qwen-code", VERSION) / "chunks"
        self.chunk = chunks / "compare-recall.js"
        if not self.chunk.exists():
            for path in chunks.glob("chunk-*.js"):
                text = path.read_text(encoding="utf-8")
                if f"async function {RECALL}(" in text:
                    self.chunk.write_text(f"{text}\nexport {{ {RECALL} as recall, ensureAutoMemoryScaffold as scaffold }};\n", encoding="utf-8")
                    return
            raise process.Stopped(f"{RECALL} is not in its bundle")

    def fill(self, corpus, until):
        self.env["QWEN_CODE_MEMORY_LOCAL"] = "1"
        corpus.copy(self.project / ".qwen" / "memory")
        return corpus.size

    def start(self, limit):
        self.limit = limit
        self.talk = self.talking(self.env, self.project)
        self.talk.hear(limit)

    def talking(self, env, project):
        return process.Talk([self.node, HERE / "qwen_recall.mjs", self.chunk, project], env, project)

    def search(self, query):
        self.talk.say({"query": query})
        return self.talk.hear(self.limit)["prompt"]
