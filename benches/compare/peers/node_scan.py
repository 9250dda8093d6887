"""The scan that file memories are usually read with, in Node: every header, newest 200 to the model."""

import process
from install import node
from peer import HOOK, Peer
from world import HERE as COLD


class NodeScan(Peer):
    name = "scan in Node"
    note = "`benches/cold/scan.mjs`: reads every header and prints the newest 200 for a model to choose from; the model's time is not counted"
    indexes = False
    saves = False

    def install(self, cache):
        self.node = node(cache)
        self.version = process.finish([self.node, "--version"], {}, "/").out.strip()

    def fill(self, corpus, until):
        self.memory = self.home / "memory"
        corpus.copy(self.memory)
        return corpus.size

    def colds(self):
        return {HOOK: lambda prompt, limit: self.scan(limit)}

    def scan(self, limit):
        return process.finish([self.node, COLD / "scan.mjs", self.memory], self.env, self.project, "", limit)

    def start(self, limit):
        self.limit = limit

    def search(self, query):
        return self.scan(self.limit).out
