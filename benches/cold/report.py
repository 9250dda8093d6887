"""The result as Markdown."""

import os
import platform
import subprocess
import sys
from pathlib import Path

from timing import Spread, ratio

BEGIN, END = "<!-- measured: benches/cold/run.py --write -->", "<!-- end of measured -->"


def table(size, rows):
    named = {row.name: row for row in rows}
    empty, bare = named["empty process"], named["bare loop"]
    lines = [
        f"### {size:,} memories",
        "",
        "| cold process | wall, ms | CPU, ms | CPU to empty | CPU to bare loop | wall to bare loop |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [
            row.name,
            Spread.of(row.wall.values()),
            Spread.of(row.cpu.values()),
            ratio(row.cpu, empty.cpu),
            ratio(row.cpu, bare.cpu),
            ratio(row.wall, bare.wall),
        ]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def whole(programs, scratch, rounds, load, tables, aims, counts, bulk, warm):
    lines = ["### Aims", "", "| | aim | measured |", "|---|--:|--:|"]
    lines += [f"| {what} | {aim} | {found} |" for what, aim, found in aims]
    lines += [
        f"| `remember` in bulk into a store of {start:,}, a second | ≥ 300 | {rate} |" for start, rate in bulk
    ]
    parts = ["\n".join(lines), *tables]
    if counts:
        lines = ["### Instructions", "", "| cold process, warm cache | memories | instructions outside the kernel |", "|---|--:|--:|"]
        lines += [f"| `memdir {verb}` | {size:,} | {number:,} |" for size, verb, number in counts]
        parts.append("\n".join(lines))
    if warm:
        parts.append("### Searching in one warm process (made-up vectors)\n\n" + "\n".join(f"- {line}" for _, lines in warm for line in lines))
    parts.append(machine(programs, scratch, rounds, load))
    return "\n\n".join(parts)


def machine(programs, scratch, rounds, load):
    facts = [
        f"{os.cpu_count()} × {processor()}, Linux {platform.release()}, {file_system(scratch)}",
        f"load average {load:.1f} at the start and {os.getloadavg()[0]:.1f} at the end",
        f"{rounds} rounds; medians with quartiles; ratios are taken within a round",
        version(programs.memdir, "--version"),
        version("rustc", "--version"),
        version("cc", "--version"),
        f"Python {platform.python_version()}",
    ]
    if programs.node:
        facts.append(f"Node {version(programs.node, '--version')}")
    if programs.valgrind:
        facts.append(version(programs.valgrind, "--version"))
    return "### Machine\n\n" + "\n".join(f"- {fact}" for fact in facts)


def version(*argv):
    return subprocess.run(argv, capture_output=True, text=True, check=True, cwd=Path(__file__).parent).stdout.splitlines()[0]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as cpus:
        models = [line.partition(":")[2].strip() for line in cpus if line.startswith("model name")]
    return models[0] if models else platform.machine()


def file_system(path):
    """The kind of the file system that holds a path: the longest mount point above it."""
    best = ("", "unknown file system")
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for line in mounts:
            _, point, kind, *_ = line.split()
            above = point.rstrip("/") + "/"
            if str(path).startswith(above) and len(above) > len(best[0]):
                best = (above, kind)
    return best[1]


def write(path, text, mark=BEGIN, close=END):
    """Puts a result between its marks on a page; what stood there goes."""
    page = path.read_text(encoding="utf-8")
    before, begin, rest = page.partition(mark)
    _, end, after = rest.partition(close)
    if not begin or not end:
        sys.exit(f"{path} has no place for the result: it needs the lines {mark} and {close}")
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)
