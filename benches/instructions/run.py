#!/usr/bin/env python3
"""Counts the instructions of a few cold commands and fails where one takes more than it did.

usage: run.py [--binary FILE] [--write] [--tolerance PERCENT] [--only NAME…]

Counted by valgrind, outside the kernel: the same program on the same files gives nearly the same number on any machine and
under any load. valgrind shows programs a processor without AVX-512, so the encoder takes the same kernel everywhere that has
AVX2. The stored counts are in counts.json beside this file; --write stores what was counted just now. A count that is
lower by more than the tolerance is said and is no failure: store it, so that it stays so.

Needs valgrind, git and a release build of the program and of what makes vectors up for the large store:
`cargo build --release -p memdir-cli -p memdir --bin memdir --example made_up_vectors`.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "cold"))

from world import PROMPT, Home  # noqa: E402  (lies in the folder beside)

COUNTS = HERE / "counts.json"
SMALL, LARGE = 200, 20_000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", help="the memdir to count (default: the release build)")
    parser.add_argument("--write", action="store_true", help="store the counts")
    parser.add_argument("--tolerance", type=float, default=10, help="percent above the stored count that is let pass")
    parser.add_argument("--only", nargs="+", default=[], help="count only these")
    args = parser.parse_args()
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binary = str(Path(args.binary).resolve() if args.binary else target / "release" / "memdir")
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind is not installed")
    scratch = Path(tempfile.mkdtemp(prefix="memdir-count-"))
    try:
        counted = count_all(binary, target / "release" / "examples", scratch, args.only)
    finally:
        os.chdir(ROOT)
        shutil.rmtree(scratch, ignore_errors=True)
    stored = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    worse = compared(counted, stored, args.tolerance)
    if args.write:
        COUNTS.write_text(json.dumps({**stored, **counted}, indent=2) + "\n")
    elif worse:
        raise SystemExit(f"more instructions than stored: {', '.join(worse)}")


def count_all(binary, examples, scratch, only):
    """Instructions of each command, in millions are printed, whole numbers are kept."""
    counted = {}
    for size in (SMALL, LARGE):
        cases = {name: case for name, case in cases_of(size).items() if not only or name in only}
        if not cases:
            continue
        print(f"{size:,} memories: making them", file=sys.stderr)
        home = Home(scratch / f"home-{size}", binary).fill(size)
        home.env["MEMDIR_RECALL_ENABLED"] = "true"
        warm_up(home, size, examples)
        for name, (argv, stdin, more) in cases.items():
            counted[name] = instructions([binary, *argv], stdin, {**home.env, **more}, home.project)
    return counted


def warm_up(home, size, examples):
    """Neither the first sight of the files is counted nor the making of their vectors, which costs a thousand times as much."""
    home.index(examples, size)
    for text in ("The first pump of the harbour is served by Mara", "The lantern of the north pier burns whale oil"):
        run([home.memdir, "remember", text, "--type", "project"], home)
    run([home.memdir, "recall", PROMPT], home)
    found = home.json("status")["search"]
    if found["by_meaning"] < found["by_words"]:
        raise SystemExit(f"{found['by_words'] - found['by_meaning']} memories are without vectors: making them would be counted")


def run(argv, home):
    subprocess.run(argv, cwd=home.project, env=home.env, check=True, stdout=subprocess.DEVNULL)


def cases_of(size):
    """What is counted at a size: arguments, what comes in on stdin, variables."""
    hook = json.dumps({"hook_event_name": "SessionStart", "session_id": "count", "source": "startup"})
    recall = (["recall", PROMPT], "", {})
    if size == SMALL:
        return {
            "empty hook": (["hook", "claude-code"], "{}", {}),
            "session start": (["hook", "claude-code"], hook, {}),
            "recall at 200": recall,
            "MCP first answer at 200": (["mcp"], mcp_hello(), {}),
        }
    text = "The observatory of Tartu opens its dome for Liis on clear nights"
    saved = (["remember", text, "--type", "project"], "", {"MEMDIR_RECALL_ENABLED": "false"})
    return {
        "recall at 20,000": recall,
        "remember at 20,000": saved,
        "MCP first answer at 20,000": (["mcp"], mcp_hello(), {}),
    }


def mcp_hello():
    """What a client says first, up to the first answer that needs the tools."""
    who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "count", "version": "1"}}
    said = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    return "".join(json.dumps(one) + "\n" for one in said)


def instructions(argv, stdin, env, cwd):
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run(tool + argv, input=stdin, env=env, cwd=cwd, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        raise SystemExit(f"{' '.join(argv)} ended with {run.returncode}:\n{run.stderr[-2000:]}")
    return int(found.group(1))


def compared(counted, stored, tolerance):
    """Prints the table; returns the names of those that are worse, or have nothing to be compared with."""
    worse = []
    print(f"{'':28} {'stored':>12} {'now':>12}   millions of instructions")
    for name, now in counted.items():
        before = stored.get(name)
        line = f"{name:28} {before / 1e6 if before else float('nan'):12.1f} {now / 1e6:12.1f}"
        if not before:
            line += "   not stored: --write"
            worse.append(name)
        else:
            change = (now - before) * 100 / before
            line += f"   {change:+.1f} %"
            if change > tolerance:
                worse.append(name)
            elif change < -tolerance:
                line += "  (lower: store it with --write)"
        print(line)
    return worse


if __name__ == "__main__":
    main()
