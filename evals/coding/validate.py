#!/usr/bin/env python3
"""Checks this set against FORMAT.md. Exit code 0 = clean."""

import collections
import json
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHAPES = {
    "plain": {"say"}, "wrong_project": {"say", "never"}, "stale": {"stale"}, "poisoned": {"never"}, "duplicate": {"one"}, "abstain": {"nothing"},
}
ALWAYS = {"id", "category", "lang", "project", "query", "note"}
wrong = []


def lines(name):
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def plain(text):
    return " ".join(text.lower().split())


def check(right, *what):
    if not right:
        wrong.append(" ".join(map(str, what)))


projects, memories, cases = lines("projects"), lines("memories"), lines("cases")
names = {project["project"] for project in projects}
for rows, what in ((memories, "memory"), (cases, "case")):
    counts = collections.Counter(row["id"] for row in rows)
    check(max(counts.values()) == 1, what, "ids are not unique:", [name for name, count in counts.items() if count > 1])
for memory in memories:
    check(memory["project"] in names, memory["id"], "is of no project")
    check(memory["type"] in {"user", "feedback", "project", "reference"}, memory["id"], "has an unknown type")
    check(date.fromisoformat(memory["when"]) < date(2026, 10, 25), memory["id"], "is of the future")
for case in cases:
    shape, more = SHAPES[case["category"]], {"say"} if case["category"] == "poisoned" else set()
    check(ALWAYS | shape <= case.keys() <= ALWAYS | shape | more, case["id"], "has the wrong fields:", sorted(case.keys()))
    own = plain(" ".join(f"{memory['name']} {memory['description']} {memory['text']}" for memory in memories if memory["project"] == case["project"]))
    other = plain(" ".join(f"{memory['name']} {memory['description']} {memory['text']}" for memory in memories if memory["project"] != case["project"]))
    for group in case.get("say", []):
        check(any(plain(word) in own for word in group), case["id"], "wants what its project does not say:", group)
    for word in case.get("never", []):
        check((plain(word) in own) == (case["category"] == "poisoned"), case["id"], "forbids the wrong thing:", word)
        check(plain(word) in own + other, case["id"], "forbids what nobody says:", word)
    for word in case.get("stale", []) + case.get("one", []):
        check(plain(word) in own, case["id"], "names what its project does not say:", word)

print(f"{len(projects)} projects, {len(memories)} memories, {len(cases)} cases:", dict(collections.Counter(case["category"] for case in cases)))
print("\n".join(wrong) if wrong else "clean")
sys.exit(bool(wrong))
