"""memsearch: Markdown chunks in Milvus Lite, searched by vector and by words together.

It has no mode without vectors, and its models would be downloaded. Vectors come from a stand-in on
loopback that speaks OpenAI's API and costs next to nothing, so what is measured is all of memsearch
but the model: less than a user waits.
"""

import install
import process
from peer import COMMAND, HERE, Peer, left

VERSION = "0.4.23"


class Memsearch(Peer):
    name = "memsearch"
    version = VERSION
    note = "vectors from a stand-in that costs next to nothing (it has no mode without; its models need a download); the command is what its skill runs"

    def install(self, cache):
        self.bin = install.pip(cache, "memsearch", VERSION)

    def settle(self, home):
        super().settle(home)
        self.notes = home / "notes"
        self.store = home / "milvus.db"
        self.vectors = process.Talk([self.bin / "python", HERE / "vectors.py"], self.env, self.project)
        self.address = f"http://127.0.0.1:{self.vectors.hear(60)['port']}/v1"
        self.env["OPENAI_API_KEY"] = "none"

    def run(self, verb, *words, limit):
        options = ["--provider", "openai", "--base-url", self.address, "--milvus-uri", self.store]
        return process.finish([self.bin / "memsearch", verb, *options, *words], self.env, self.project, "", limit)

    def fill(self, corpus, until):
        corpus.copy(self.notes)
        try:
            self.run("index", self.notes, limit=left(until))
        except process.Stopped:
            return self.arrived()  # what is indexed can be searched
        return corpus.size

    def arrived(self):
        self.start(60)
        try:
            self.talk.say({"count": True})
            return self.talk.hear(self.limit)["found"]
        finally:
            self.talk.close()
            self.talk = None

    def colds(self):
        return {COMMAND: lambda prompt, limit: self.run("search", "--top-k", "5", prompt, limit=limit)}

    def start(self, limit):
        self.limit = limit
        argv = [self.bin / "python", HERE / "memsearch_search.py", self.address, self.store]
        self.talk = process.Talk(argv, self.env, self.project)
        self.talk.hear(limit)

    def search(self, query):
        self.talk.say({"query": query})
        return self.talk.hear(self.limit)["found"]

    def add(self, memory):
        path = self.notes / memory.file
        path.write_text(f"# {memory.name}\n\n{memory.body}\n", encoding="utf-8")
        self.talk.say({"file": str(path)})
        self.talk.hear(self.limit)

    def stop(self):
        super().stop()
        self.vectors.close()
