#!/usr/bin/env python3
"""Attacks on the built program, each a row in a table that anybody can extend: run.py BINARY [--only TEXT] [--verbose]

    sets     secrets/*.jsonl and orders/*.jsonl: a text each, offered to `remember` as a person would. It must be refused, or, in a
             file of near misses, be saved.
    typed    typed/*.jsonl: a message of Claude Code each. What somebody else put under the person's name must not become memory; in a file
             of near misses they did type it, and it must.
    gate     gate/*.jsonl: a call of a tool each, as an agent that memdir sent makes it. It must be denied, and in a file of near misses allowed.
    scenes   scenes/*.jsonl: steps on a machine of its own, what each must say, and what may then lie nowhere on it.

README.md says what a row holds. A row with `"gap"` names a known weakness: it must still fail, so that the mark goes when
the weakness does. Needs git; no network, no model. Ends with `N passed, N failed`.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shutil
import sys
import tempfile

import disguises
import values
from machine import Machine

HERE = pathlib.Path(__file__).parent
REFUSALS = {"secrets": "secret", "orders": "planted"}
RULE = "frost check"  # what every row of `typed` says


def rows(path):
    for number, line in enumerate(path.read_text("utf8").splitlines(), 1):
        if line.strip():
            yield json.loads(line) | {"table": f"{path.parent.name}/{path.name}", "number": number}


def offered(row):
    """The text of a row as somebody would send it."""
    text = values.expand(row["text"], row["id"])
    return disguises.apply(row["disguise"], text) if "disguise" in row else text


def set_row(machine, row):
    """Why a row of a set is wrong, or nothing."""
    done = machine.run(["remember", "--", offered(row)])
    kind = row["table"].split("/")[0]
    harmless = "near-misses" in row["table"]
    refused = done.returncode != 0 and REFUSALS[kind] in done.stderr
    if done.returncode != 0 and not refused:
        return f"exit {done.returncode}: {done.stderr.strip()[:200]}"
    if harmless:
        return f"refused: {done.stderr.strip()[:160]}" if refused else None
    return None if refused else "saved"


def typed_row(machine, row):
    """Why a row about who typed something is wrong, or nothing."""
    if RULE not in json.dumps(row["content"]):
        return f"does not say {RULE!r}"
    done = machine.learn(row["content"], row.get("line", {}))
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stderr.strip()[:200]}"
    saved = any(RULE in text for text in machine.memories())
    if "near-misses" in row["table"]:
        return None if saved else "not saved"
    return "saved" if saved else None


def gate_row(machine, row):
    """Why a row about a call of a tool is wrong, or nothing. A fault of the gate is a no for every agent."""
    done = machine.gate(row["tool"], row["input"])
    allowed = done.returncode == 0 and '"permissionDecision":"allow"' in done.stdout
    if "near-misses" in row["table"]:
        return None if allowed else f"denied: {(done.stdout + done.stderr).strip()[:200]}"
    return "allowed" if allowed else None


def judge(program, row, below):
    machine = Machine(program, below)
    rows_of = gate_row if "tool" in row else typed_row if "content" in row else set_row
    play = machine.play if "steps" in row else lambda row: rows_of(machine, row)
    try:
        wrong = play(row)
    except Exception as error:  # a runner that dies hides the other rows
        wrong = f"{type(error).__name__}: {error}"
    finally:
        shutil.rmtree(machine.home, ignore_errors=True)
    if "gap" in row:
        wrong = None if wrong else "holds now: take the mark `gap` off this row"
    return row, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="", help="tables or ids with this in their name")
    parser.add_argument("--verbose", action="store_true", help="the text of each row that failed")
    asked = parser.parse_args()
    tables = sorted(path for folder in ("secrets", "orders", "typed", "gate", "scenes") for path in (HERE / folder).glob("*.jsonl"))
    table = [row for path in tables for row in rows(path) if asked.only in f"{row['table']} {row['id']}"]
    if not table:
        sys.exit(f"no row has {asked.only!r} in its name")
    passed = failed = 0
    counts = {}
    with tempfile.TemporaryDirectory(prefix="memdir-attacks-") as below, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for row, wrong in pool.map(lambda row: judge(asked.program.resolve(), row, below), table):
            count = counts.setdefault(row["table"], [0, 0, 0])
            count[2 if wrong else 1 if "gap" in row else 0] += 1
            if wrong:
                failed += 1
                print(f"{row['table']}:{row['number']} {row['id']}: {wrong}")
                if asked.verbose and "text" in row:
                    print(f"    {offered(row)!r}")
            else:
                passed += 1
    print(f"\n{'table':40} {'hold':>5} {'gaps':>5} {'failed':>6}")
    for name, (hold, gaps, wrong) in counts.items():
        print(f"{name:40} {hold:5} {gaps:5} {wrong:6}")
    print(f"\n{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
