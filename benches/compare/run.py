#!/usr/bin/env python3
"""Measures memdir beside what one would pick instead, on the same memories in the same run.

usage: run.py [--full] [--sizes N…] [--only NAME…] [--limit S] [--rounds N] [--questions N] [--write]

Installs the others (pinned, once, into a cache), fills each with the same memories, then lets them
take turns: what starts cold, then searches in running servers, then saves. Every step has a limit;
a system that fails or takes too long stays in the tables with the reason. MEMDIR names the binary
(default: target/release/memdir). README.md says how to add a system.
"""

import argparse
import itertools
import math
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cold"))

import install  # noqa: E402
import peers  # noqa: E402
import report  # noqa: E402  (the page of benches/cold)
import table  # noqa: E402
from peer import Corpus, fresh  # noqa: E402
from process import Stopped, on_disk, resident, spent  # noqa: E402
from world import ROOT  # noqa: E402

SIZES = [2_000, 20_000]
FULL = 100_000
SAVES = 15
COLD_BUDGET, SEARCH_BUDGET, SAVE_BUDGET = 25.0, 25.0, 15.0  # seconds for one system's turns
QUIET = 0.25  # seconds to wait at most for the others to come to rest before a turn
FEWEST = 3  # turns of a slow system; one alone where a single turn is more than the budget


@dataclass
class Result:
    """One system at one size."""

    peer: object
    size: int
    reached: int = 0
    filled: float = 0.0  # seconds
    filled_cpu: float = 0.0
    colds: dict = field(default_factory=dict)  # kind -> ({round: wall ms}, {round: CPU ms})
    searches: dict = field(default_factory=dict)  # question -> ms
    search_cpu: dict = field(default_factory=dict)
    found: dict = field(default_factory=dict)  # question -> whether the right memory came
    saves: dict = field(default_factory=dict)
    memory: float = 0.0
    disk: float = 0.0
    failed: dict = field(default_factory=dict)  # step -> reason

    def tried(self, step, action):
        """Runs a step; a failure is kept under the step's name."""
        try:
            return action()
        except Stopped as reason:
            self.failed[step] = str(reason)
            say(f"{self.size:,} {self.peer.name}: {step}: {reason}")
            return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help=f"also with {FULL:,} memories")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="memories")
    parser.add_argument("--only", nargs="+", help="only systems whose name contains one of these; memdir always runs")
    parser.add_argument("--limit", type=float, default=120, help="seconds to fill one system (default 120; three times that at 100,000)")
    parser.add_argument("--answer", type=float, default=60, help="seconds for one cold start or one answer (default 60)")
    parser.add_argument("--rounds", type=int, default=15, help="cold starts of each kind (default 15, fewer for slow ones)")
    parser.add_argument("--questions", type=int, default=100, help="searches (default 100, fewer for slow systems)")
    parser.add_argument("--cache", type=Path, default=install.default_cache(), help="where the others are installed")
    parser.add_argument("--dir", help="where stores are made (default: the system's temporary directory)")
    parser.add_argument("--write", action="store_true", help="put the result into docs/benchmarks.md")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))  # so that what was started is ended too
    load, began = os.getloadavg()[0], time.monotonic()
    args.cache.mkdir(parents=True, exist_ok=True)
    args.dir = os.path.abspath(args.dir) if args.dir else None
    systems, absent = installed(args)
    scratch = Path(tempfile.mkdtemp(prefix="memdir-compare-", dir=args.dir))
    results = []
    try:
        for size in sorted({*args.sizes, *([FULL] if args.full else [])}):
            results += measured(systems, size, scratch / str(size), args)
            text = table.whole(results, absent, args, scratch, load, time.monotonic() - began)
            if args.write:  # after each size: a long run that is ended keeps what it has
                report.write(ROOT / "docs" / "benchmarks.md", text, table.BEGIN)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(text)


def installed(args):
    """The systems that can be had here, and why the others cannot."""
    ready, absent = [], {}
    for kind in peers.ALL:
        if args.only and kind.name != "memdir" and not any(part in kind.name for part in args.only):
            continue
        try:
            say(f"installing {kind.name}")
            peer = kind()
            peer.install(args.cache)
            ready.append(kind)
        except Stopped as reason:
            absent[kind.name] = str(reason)
            say(f"{kind.name}: {reason}")
    if absent.get("memdir"):
        sys.exit(absent["memdir"])
    return ready, absent


def measured(kinds, size, scratch, args):
    say(f"{size:,} memories: making them")
    scratch.mkdir()
    corpus = Corpus(scratch / "corpus", size)
    results = [Result(kind(), size) for kind in kinds]
    try:
        for number, result in enumerate(results):
            fill(result, corpus, scratch / f"home-{number}", args)
        ready = [result for result in results if result.reached]
        say(f"{size:,} memories: cold starts")
        cold_turns(ready, corpus, args)
        for result in ready:
            result.tried("start", lambda result=result: result.peer.start(args.answer))
        warm = [result for result in ready if "start" not in result.failed]
        say(f"{size:,} memories: searches")
        search_turns(warm, corpus, args)
        for result in warm:
            result.memory = resident(result.peer.processes())
            result.disk = on_disk(result.peer.home)
        say(f"{size:,} memories: saves")
        save_turns(warm)
    finally:
        for result in results:
            if hasattr(result.peer, "home"):
                result.tried("stop", result.peer.stop)
        shutil.rmtree(scratch, ignore_errors=True)
    return results


def fill(result, corpus, home, args):
    peer = result.peer
    peer.install(args.cache)
    say(f"{corpus.size:,} memories: into {peer.name}")
    result.tried("settle", lambda: peer.settle(home))
    if result.failed:
        return
    limit = args.limit * (3 if corpus.size >= FULL else 1)
    start, used = time.monotonic(), spent(peer.processes())
    result.reached = result.tried("fill", lambda: peer.fill(corpus, start + limit)) or 0
    result.filled = time.monotonic() - start
    result.filled_cpu = max(0.0, spent(peer.processes()) - used) / 1e3
    if result.reached:
        result.tried("finish", lambda: peer.finish(corpus, start + limit))
    if 0 < result.reached < corpus.size:
        result.failed["fill"] = f"stopped after {result.filled:.0f} s with {result.reached:,} of {corpus.size:,}; searched there"


class Turn:
    """One system's part in turns that all take, thinned so that a slow one keeps its budget."""

    def __init__(self, result, step, action, rounds, budget):
        self.result, self.step, self.action, self.values = result, step, action, {}
        start = time.monotonic()
        self.fine = self.take(0)  # warms caches; taken again where that is not too much
        first = time.monotonic() - start
        self.every = math.ceil(rounds / max(FEWEST, min(rounds, budget / first)))
        if first > budget:
            self.fine = False

    def take(self, number):
        value = self.result.tried(self.step, lambda: self.action(number))
        if value is not None:
            self.values[number] = value
        return self.step not in self.result.failed

    def due(self, number):
        return self.fine and number % self.every == 0


def take_turns(turns, rounds):
    """Each round in another order: nobody always comes after the same neighbour, whose work goes on after its answer."""
    draw = random.Random(1)
    for number in range(rounds):
        for turn in draw.sample(turns, len(turns)):
            if turn.due(number):
                wait_for_quiet([other.result.peer for other in turns])
                turn.fine = turn.take(number)


def wait_for_quiet(systems):
    """Until what the last one left to do (collecting garbage, writing) is done; one that never rests is not waited for longer."""
    until, still = time.monotonic() + QUIET, 0
    used = sum(spent(peer.processes()) for peer in systems)
    while still < 2 and time.monotonic() < until:
        time.sleep(0.01)  # the kernel counts in steps of this, so twice
        before, used = used, sum(spent(peer.processes()) for peer in systems)
        still = 0 if used > before else still + 1


def cold_turns(results, corpus, args):
    turns = []
    for result in results:
        for kind, action in result.peer.colds().items():
            start = lambda number, action=action: action(corpus.queries[number]["q"], args.answer)  # noqa: E731
            turns.append((kind, Turn(result, kind, start, args.rounds, COLD_BUDGET)))
    take_turns([turn for _, turn in turns], args.rounds)
    for kind, turn in turns:
        if turn.values:
            walls = {number: run.wall for number, run in turn.values.items()}
            turn.result.colds[kind] = (walls, {number: run.cpu for number, run in turn.values.items()})


def search_turns(results, corpus, args):
    questions = (corpus.queries * (1 + args.questions // len(corpus.queries)))[: args.questions]

    def ask(result):
        def search(number):
            query = questions[number]
            used, start = spent(result.peer.processes()), time.perf_counter()
            answer = result.peer.search(query["q"])
            wall = (time.perf_counter() - start) * 1e3
            result.search_cpu[number] = spent(result.peer.processes()) - used
            result.found[number] = query["name"] in answer or query["gold"].removesuffix(".md") in answer
            return wall

        return search

    turns = [Turn(result, "search", ask(result), len(questions), SEARCH_BUDGET) for result in results]
    take_turns(turns, len(questions))
    for turn in turns:
        turn.result.searches = turn.values


def save_turns(results):
    numbers = itertools.count()  # every save is of something new
    def save(result):
        def once(number):
            start = time.perf_counter()
            result.peer.add(fresh(next(numbers)))
            return (time.perf_counter() - start) * 1e3

        return once

    turns = [Turn(result, "save", save(result), SAVES, SAVE_BUDGET) for result in results if result.peer.saves]
    take_turns(turns, SAVES)
    for turn in turns:
        turn.result.saves = turn.values


def say(text):
    print(f"compare: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
