#!/usr/bin/env python3
"""Measures memdir as cold processes beside an empty process, a bare loop, Node and Python.

usage: run.py [--full] [--rounds N] [--sizes N…] [--write] [--dir DIR] [--binary FILE]

Prints Markdown tables; with --write it puts them into docs/benchmarks.md. See that file for what
the rows mean. Needs cargo, cc and Python; Node, git and valgrind are used where they are.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import report
from report import say
from timing import Program, Spread, difference, instructions, ratio, take_turns
from world import HERE, PROMPT, ROOT, Home, Programs

SIZES = [200, 2_000, 20_000]
FULL = 100_000
COUNTED = [200, 2_000]
OPEN_FILES = 1_024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help=f"also with {FULL:,} memories")
    parser.add_argument("--rounds", type=int, default=41, help="runs of each program (default 41)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="memories in a directory")
    parser.add_argument("--dir", help="where to make the directories (default: the system's temporary one)")
    parser.add_argument("--binary", help="measure this memdir and build none; leaves out saving in bulk")
    parser.add_argument("--write", action="store_true", help="put the result into docs/benchmarks.md")
    args = parser.parse_args()
    sizes = args.sizes + ([FULL] if args.full else [])
    scratch = Path(tempfile.mkdtemp(prefix="memdir-bench-", dir=args.dir))
    try:
        text = measured(Programs(scratch, args.binary), sizes, args, scratch)
    finally:
        os.chdir(ROOT)
        shutil.rmtree(scratch, ignore_errors=True)
    print(text)
    if args.write:
        report.write(ROOT / "docs" / "benchmarks.md", text)


def measured(programs, sizes, args, scratch):
    load = os.getloadavg()[0]
    parts, aims, counts, warm = [], [], [], []
    for size in sizes:
        say(f"{size:,} memories: making them")
        home = Home(scratch / f"read-{size}", programs.memdir).fill(size)
        writing = Home(scratch / f"write-{size}", programs.memdir).copy(home)
        home.index(programs.examples, size)
        rows = contestants(programs, home, writing)
        rounds = args.rounds if size < FULL else max(5, args.rounds // 4)
        say(f"{size:,} memories: {rounds} rounds of {len(rows)} programs")
        take_turns(rows, rounds)
        parts.append(report.table(size, rows))
        aims += aim_lines(size, {row.name: row for row in rows})
        if size in COUNTED and programs.valgrind:
            say(f"{size:,} memories: counting instructions")
            counts += [
                (size, verb, instructions(programs.valgrind, [programs.memdir, verb], home.env, home.project))
                for verb in ("context", "list")
            ]
        if programs.examples:
            warm.append((size, searched(programs, home)))
        if size == max(sizes):
            say(f"{size:,} memories: with {OPEN_FILES} open files")
            aims.append(few_open_files(programs, home, size))
        shutil.rmtree(home.path)
        shutil.rmtree(writing.path)
    bulk = in_bulk(programs, scratch) if programs.examples else []
    return report.whole(programs, scratch, args.rounds, load, parts, aims, counts, bulk, warm)


def contestants(programs, home, writing):
    def program(name, argv, where=home, **more):
        return Program(name, lambda _: argv, where.env, str(where.project), **more)

    def sentence(number):
        return [programs.memdir, "remember", f"The {number}th probe answers on port {7000 + number}, said Mara", "--type", "project"]

    memory = str(home.memory)
    rows = [
        program("empty process", [programs.empty]),
        program("bare loop", [programs.bare, memory]),
        program("`memdir context`", [programs.memdir, "context"]),
        program("`memdir list`", [programs.memdir, "list"]),
        program("`memdir recall`", [programs.memdir, "recall", PROMPT]),
        # Vectors follow in the background; here, where nothing may run there, they would be made by the command itself.
        Program("`memdir remember`", sentence, {**writing.env, "MEMDIR_RECALL_ENABLED": "false"}, str(writing.project)),
        program("Python scan", [sys.executable, "-I", str(HERE / "scan.py"), memory], every=4),
    ]
    if programs.node:
        rows.append(program("Node scan", [programs.node, str(HERE / "scan.mjs"), memory], every=4))
    first = Home(writing.path.with_name(writing.path.name.replace("write", "first")), programs.memdir)
    first.memory.symlink_to(home.memory)
    rows.append(program("`memdir list`, cache deleted", [programs.memdir, "list"], first, before=first.forget_cache, every=4))
    rows.append(program("`memdir list`, at first sight", [programs.memdir, "list"], first, before=first.forget_everything, every=4))
    return rows


def aim_lines(size, rows):
    """What was aimed at, beside what came out."""
    empty, bare, context, listed, recalled = (
        rows[name] for name in ("empty process", "bare loop", "`memdir context`", "`memdir list`", "`memdir recall`")
    )
    most = {200: 12, 20_000: 15, FULL: 25}.get(size)
    lines = [(f"`recall` at {size:,}, CPU", f"≤ {most} ms" if most else "", f"{Spread.of(recalled.cpu.values())} ms")]
    lines.append(("the same to the empty process", "", f"{ratio(recalled.cpu, empty.cpu)} ×"))
    if size == 200:
        lines.append(("`context` at 200 over the empty process, wall", "≤ 3 ms", f"{difference(context.wall, empty.wall)} ms"))
        lines.append(("the same, CPU", "", f"{difference(context.cpu, empty.cpu)} ms"))
    if size >= 2_000:
        lines.append((f"`list` at {size:,} to the bare loop, wall", "≤ 1.3 ×", f"{ratio(listed.wall, bare.wall)} ×"))
        lines.append(("the same, CPU", "", f"{ratio(listed.cpu, bare.cpu)} ×"))
    node = rows.get("Node scan")
    if size == 2_000 and node:
        both = {number: listed.wall[number] for number in node.wall}
        lines.append(("Node's scan at 2,000 to `list`, wall", "≥ 50 ×", f"{ratio(node.wall, both)} ×"))
    return lines


def searched(programs, home):
    """Searching in one warm process, line by line."""
    run = subprocess.run([programs.examples / "bench_search", home.memory], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


def few_open_files(programs, home, size):
    """Whether a low limit of open files drops memories."""

    def limited(*argv):
        shell = ["sh", "-c", f'ulimit -n {OPEN_FILES}; exec "$@"', "sh", *argv]
        return subprocess.run(shell, cwd=home.project, env=home.env, check=True, capture_output=True, text=True).stdout

    home.forget_everything()
    listed = limited(programs.memdir, "list").count("\n")
    if listed != size:
        raise SystemExit(f"{listed} of {size} memories were listed with {OPEN_FILES} open files")
    found = f"{listed:,} of {size:,}"
    if programs.node:
        found += f" (Node's scan: {int(limited(programs.node, str(HERE / 'scan.mjs'), str(home.memory)).split()[0]):,})"
    return (f"listed with {OPEN_FILES:,} open files", "all", found)


def in_bulk(programs, scratch):
    """Saves a second, from one process, each on disk before the next."""
    lines = []
    for start in (0, 20_000):
        say(f"saving in bulk into a store of {start:,}")
        runs = [
            subprocess.run([str(programs.examples / "bulk_remember"), "2000", str(start)], check=True, capture_output=True, text=True, env={"TMPDIR": str(scratch)})
            for _ in range(3)
        ]
        lines.append((start, Spread.of([float(run.stdout.split()[0]) for run in runs])))
    return lines


if __name__ == "__main__":
    main()
