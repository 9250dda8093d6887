#!/usr/bin/env python3
"""Measures what it costs to keep search up to date, and how much memory a cold recall takes for itself.

usage: run.py [--full] [--rounds N] [--sizes N…] [--write] [--dir DIR]

Prints Markdown tables; with --write it puts them into docs/benchmarks.md. See that file for what the rows mean.
Needs cargo, cc and Python; git is used where it is.
"""

import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cold"))

import report  # noqa: E402  (lies beside this folder)
from report import say  # noqa: E402
from timing import Program, Spread, ratio, take_turns  # noqa: E402
from world import PROMPT, ROOT, Home, Programs  # noqa: E402

import memory  # noqa: E402

SIZES = [2_000, 20_000]
FULL = 100_000
BEGIN = "<!-- measured: benches/upkeep/run.py --write -->"
START = datetime.datetime(2026, 5, 1, 9, tzinfo=datetime.timezone.utc)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help=f"also with {FULL:,} memories")
    parser.add_argument("--rounds", type=int, default=21, help="runs of each program (default 21)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="memories in a directory")
    parser.add_argument("--dir", help="where to make the directories (default: the system's temporary one)")
    parser.add_argument("--write", action="store_true", help="put the result into docs/benchmarks.md")
    args = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="memdir-bench-", dir=args.dir))
    try:
        text = measured(Programs(scratch), args, scratch)
    finally:
        os.chdir(ROOT)
        shutil.rmtree(scratch, ignore_errors=True)
    print(text)
    if args.write:
        report.write(ROOT / "docs" / "benchmarks.md", text, BEGIN)


def measured(programs, args, scratch):
    load = os.getloadavg()[0]
    parts, taken = [], []
    for size in args.sizes + ([FULL] if args.full else []):
        say(f"{size:,} memories: making them")
        home = Home(scratch / f"upkeep-{size}", programs.memdir).fill(size)
        home.index(programs.examples, size)
        taken.append((size, memory.of_recall([programs.memdir, "recall", PROMPT], home.env, home.project)))
        rows = contestants(programs, home)
        say(f"{size:,} memories: {args.rounds} rounds of {len(rows)} programs")
        take_turns(rows, args.rounds)
        parts.append(table(size, rows))
        shutil.rmtree(home.path)
    parts.append(memory.table(taken))
    parts.append(report.machine(programs, scratch, args.rounds, load))
    return "\n\n".join(parts)


def contestants(programs, home):
    """Every round is an hour later than the last, so its first program looks at every file; the others at what changed."""
    hands = Hands(programs, home)

    def time(number):
        return (START + datetime.timedelta(hours=number + 1)).isoformat().replace("+00:00", "Z")

    def upkeep(name, before=lambda: None, **more):
        argv = lambda number: [str(programs.examples / "made_up_vectors"), str(home.path), str(home.project), time(number)]  # noqa: E731
        return Program(name, argv, home.env, str(home.project), before, **more)

    def real(number):
        return [programs.memdir, "refresh", "--now", time(number)]

    return [
        upkeep("changed in place, every file is looked at", hands.edit_in_place),
        upkeep("nothing changed"),
        upkeep("changed by memdir", hands.through_memdir),
        upkeep("replaced by an editor", hands.replace),
        upkeep("new file", hands.add),
        upkeep("removed file", hands.remove),
        Program("new file, with the real encoder (`memdir refresh`)", real, home.env, str(home.project), hands.add),
        upkeep("full rebuild without encoding", hands.forget_search, every=4),
        Program("empty process", lambda _: [programs.empty], home.env, str(home.project)),
    ]


class Hands:
    """What happens to a directory of memories between two looks at it."""

    def __init__(self, programs, home):
        self.programs, self.home, self.count = programs, home, 0
        self.files = sorted(file for file in home.memory.iterdir() if file.suffix == ".md" and file.name != "MEMORY.md")
        # Saving brings search up to date where nothing may run in the background; that is what is measured here.
        self.env = dict(home.env, XDG_CONFIG_HOME=str(home.path / "quiet"))
        config = home.path / "quiet" / "memdir" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text("[recall]\nenabled = false\n", encoding="utf-8")

    def next(self):
        self.count += 1
        return self.files[(self.count * 7919) % len(self.files)]

    def edit_in_place(self):
        with open(self.next(), "a", encoding="utf-8") as file:
            file.write(f"Edited by hand, {self.count}.\n")

    def replace(self):
        file = self.next()
        beside = file.with_name(".being-saved")
        beside.write_bytes(file.read_bytes() + f"Replaced by hand, {self.count}.\n".encode())
        beside.rename(file)

    def add(self):
        self.count += 1
        text = f"---\nname: Probe {self.count}\ndescription: The probe number {self.count} answers on port {7000 + self.count}\ntype: project\n---\n\nSaid Mara.\n"
        (self.home.memory / f"project_probe_{self.count}.md").write_text(text, encoding="utf-8")

    def remove(self):
        file = self.next()
        self.files.remove(file)
        file.unlink()

    def through_memdir(self):
        self.count += 1
        text = f"The {self.count}th lamp hangs in hall {self.count}, said Mara"
        argv = [self.programs.memdir, "remember", text, "--type", "project"]
        subprocess.run(argv, cwd=self.home.project, env=self.env, check=True, stdout=subprocess.DEVNULL)

    def forget_search(self):
        for search in (self.home.path / ".cache").rglob("search"):
            shutil.rmtree(search)


def table(size, rows):
    named = {row.name: row for row in rows}
    rebuild, empty = named["full rebuild without encoding"], named["empty process"]
    lines = [
        f"### One change among {size:,} memories",
        "",
        "| bringing search up to date | CPU, ms | CPU to empty | a full rebuild is |",
        "|---|--:|--:|--:|",
    ]
    for row in rows:
        both = {number: row.cpu[number] for number in rebuild.cpu}
        more = "" if row is empty else f"{ratio(rebuild.cpu, both)} ×"
        lines.append(f"| {row.name} | {Spread.of(row.cpu.values())} | {ratio(row.cpu, empty.cpu)} | {more} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
