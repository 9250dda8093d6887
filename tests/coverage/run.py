#!/usr/bin/env python3
"""run.py [--write]: which lines of the library do the tests reach? By room, with the files that are reached least.

Builds everything once more with counters (target/cover) and runs the library's tests and those of the command line, whose
`memdir` processes are counted too. Needs cargo-tarpaulin; installs it when it is missing. Takes a quarter of an hour.
"""
import collections, json, pathlib, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/robustness.md"
MARKS = ("<!-- measured: tests/coverage/run.py --write -->", "<!-- end of measured: coverage -->")
VERSION = "0.37.5"
OUT = ROOT / "target/cover"


def measure():
    if not shutil.which("cargo-tarpaulin"):
        subprocess.run(["cargo", "install", "--quiet", "--locked", f"cargo-tarpaulin@{VERSION}"], check=True)
    subprocess.run(["cargo", "tarpaulin", "--engine", "llvm", "--skip-clean", "--follow-exec", "--target-dir", OUT, "--timeout", "900",
                    "--packages", "memdir", "memdir-cli", "--lib", "--bins", "--tests", "--include-files", "crates/memdir/src/*",
                    "--out", "Json", "--output-dir", OUT], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return json.loads((OUT / "tarpaulin-report.json").read_text())["files"]


def by_file(files):
    """(room, file, reached, all), without tests."""
    for one in files:
        path = pathlib.Path(*one["path"]).relative_to(ROOT / "crates/memdir/src")
        if "tests" in path.parts or path.stem == "tests" or not one["coverable"]:
            continue
        yield path.parts[0].removesuffix(".rs"), str(path), one["covered"], one["coverable"]


def page_of(rows):
    rooms = collections.defaultdict(lambda: [0, 0])
    for room, _, reached, lines in rows:
        rooms[room][0] += reached
        rooms[room][1] += lines
    reached, lines = (sum(one[at] for one in rooms.values()) for at in (0, 1))
    text = [MARKS[0], "", f"{reached:,} of {lines:,} lines of the library: {100 * reached / lines:.1f} % (aim 90).", "", "| room | lines | reached |", "|---|--:|--:|"]
    text += [f"| `{room}` | {of:,} | {100 * got / of:.1f} % |" for room, (got, of) in sorted(rooms.items())]
    least = sorted((row for row in rows if row[3] >= 20), key=lambda row: row[2] / row[3])[:8]
    text += ["", "Reached least: " + ", ".join(f"`{file}` {100 * got / of:.0f} %" for _, file, got, of in least) + "."]
    return "\n".join([*text, "", MARKS[1]])


def main():
    text = page_of(list(by_file(measure())))
    print(text)
    if "--write" in sys.argv:
        page = PAGE.read_text()
        PAGE.write_text(page.split(MARKS[0])[0] + text + page.split(MARKS[1])[1])


main()
