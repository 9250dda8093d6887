#!/usr/bin/env python3
"""Measures an offline dream of growing memories, as a dry run with cached vectors.

usage: run.py [--sizes N…] [--runs N] [--race] [--write] [--dir DIR] [--binary DIR]

Makes directories of memories (benches/gen_corpus.py), every fiftieth twice in slightly other words,
fills the search cache once and then runs `memdir dream --dry-run` as a fresh process. Up to 5,000
memories the vectors are real; above that they are made up (benches/cold does the same), since making
them would take longer than everything else. Of what the dream would merge, the planted pairs are counted
apart from the rest: the texts are words drawn by chance, so nothing else in them is a duplicate. With
--race six processes also race for the lock of 500 directories. Prints Markdown; with --write it goes
into docs/benchmarks.md.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cold"))

import report  # noqa: E402  (both lie in the neighbouring folder)
from report import say  # noqa: E402
from world import ROOT, Home, built  # noqa: E402

SIZES = [500, 5_000, 50_000]
REAL = 5_000
BEGIN = "<!-- measured: benches/dream/run.py --write -->"
END = "<!-- end of benches/dream/run.py -->"
ROUNDS = 500
RACE = "engine::dream::racing::d2_exactly_one_of_six_processes_lands_whatever_stands_in_the_lock"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="memories in a directory")
    parser.add_argument("--runs", type=int, default=3, help="runs a size, of which the middle one counts (default 3)")
    parser.add_argument("--race", action="store_true", help="also let six processes race 500 times for the lock")
    parser.add_argument("--dir", help="where to make the directories (default: the system's temporary one)")
    parser.add_argument("--binary", help="a folder with a release build; else one is made")
    parser.add_argument("--write", action="store_true", help="put the result into docs/benchmarks.md")
    args = parser.parse_args()
    target = Path(args.binary or Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release")
    if not args.binary:
        built("-p", "memdir-cli")
        built("-p", "memdir", "--example", "made_up_vectors")
    made_up = target / "examples" / "made_up_vectors"
    if max(args.sizes) > REAL and not made_up.exists():
        sys.exit(f"{made_up} is missing: cargo build --release -p memdir --example made_up_vectors")
    scratch = Path(tempfile.mkdtemp(prefix="memdir-dream-", dir=args.dir))
    rows = []
    try:
        for size in args.sizes:
            rows.append(row(target, scratch, size, args.runs))
            # One size a time: the largest takes the disk of the others.
            shutil.rmtree(scratch / str(size), ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    text = table(rows)
    if args.race:
        text += "\n" + race()
    print(text)
    if args.write:
        report.write(ROOT / "docs" / "benchmarks.md", text, BEGIN, END)


def row(target, scratch, size, runs):
    say(f"{size:,} memories: making them")
    home = Home(scratch / str(size), str(target / "memdir")).fill(size)
    doubled(home.memory)
    first = dream(home) if size <= REAL else None
    if first is None:
        say(f"{size:,} memories: making up vectors")
        subprocess.run([target / "examples" / "made_up_vectors", home.path, home.project], check=True, stdout=subprocess.DEVNULL)
    say(f"{size:,} memories: {runs} runs")
    measured = sorted((dream(home) for _ in range(runs)), key=lambda one: one["cpu"])
    return {"size": size, "first": first, **measured[len(measured) // 2]}


def doubled(memory):
    """Every fiftieth memory again under another name, in slightly other words."""
    for path in sorted(memory.glob("*_*.md"))[::50]:
        text = path.read_text(encoding="utf-8")
        again = text.replace(" the ", " this ", 3).replace(" and ", " as well as ", 2)
        path.with_name(path.stem + "_again.md").write_text(again, encoding="utf-8")


def dream(home):
    """One dry run: wall and CPU seconds, the largest memory in MiB, and what it would merge."""
    argv = [home.memdir, "dream", "--dry-run", "--offline", "--json"]
    # Files, not pipes: nothing that is printed can hold the program up.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as told:
        begin = time.monotonic()
        child = subprocess.Popen(argv, cwd=home.project, env=home.env, stdout=out, stderr=told)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        told.seek(0)
        if child.returncode != 0:
            sys.exit(told.read().decode(errors="replace") or f"memdir dream ended with {child.returncode}")
        merged = [(one["file"], one["into"]) for one in changes(json.load(out)) if one["into"]]
    planted = [pair for pair in merged if "_again.md" in "".join(pair) and stem(pair[0]) == stem(pair[1])]
    return {
        "wall": wall,
        "cpu": usage.ru_utime + usage.ru_stime,
        "mib": usage.ru_maxrss / 1024,
        "found": len(planted),
        "others": len(merged) - len(planted),
    }


def changes(document):
    """What would land and what would wait for a yes."""
    return document["changes"] + document["waiting"]


def stem(file):
    return file.removesuffix(".md").removesuffix("_again")


def table(rows):
    lines = [
        "| memories | wall, s | CPU, s | CPU a thousand, s | peak memory, MiB | planted pairs found | merged besides | vectors | first run, wall, s |",
        "|--:|--:|--:|--:|--:|--:|--:|---|--:|",
    ]
    for one in rows:
        vectors = "real" if one["size"] <= REAL else "made up"
        first = f"{one['first']['wall']:.1f}" if one["first"] else ""
        lines.append(
            f"| {one['size']:,} | {one['wall']:.2f} | {one['cpu']:.2f} | {one['cpu'] / one['size'] * 1000:.2f} "
            f"| {one['mib']:.0f} | {one['found']} of {-(-one['size'] // 50)} | {one['others']} | {vectors} | {first} |"
        )
    machine = f"{os.cpu_count()} × {report.processor()}, load {os.getloadavg()[0]:.1f} at the end"
    return "\n".join(lines) + f"\n\nMeasured on {machine}."


def race():
    """The test that runs with fewer directories every time; what counts is that it holds, not how fast."""
    say(f"six processes, {ROUNDS} rounds")
    test = ["cargo", "test", "-q", "-p", "memdir", "--lib"]
    subprocess.run([*test, "--no-run"], cwd=ROOT, check=True)
    begin = time.monotonic()
    env = {**os.environ, "MEMDIR_TEST_RACE_ROUNDS": str(ROUNDS)}
    done = subprocess.run([*test, "--", "--exact", RACE], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "1 passed" not in done.stdout:
        sys.exit(done.stdout + done.stderr)
    seconds = time.monotonic() - begin
    return f"\nSix processes raced for the lock of {ROUNDS} directories: one result landed in each ({seconds:.0f} s)."


if __name__ == "__main__":
    main()
