#!/usr/bin/env python3
"""run.py [--write] [--keep] [TEST...]: which lines of the library do the tests reach? By room, with the files that are reached least.

Builds the workspace once more with counters (target/cover) and runs the tests of the library and of the command line, whose
`memdir` processes are counted too. With the names of tests only those; `--keep` adds them to what the last run has counted, for
when nothing but tests has changed since. Needs cargo and Python, nothing else; half an hour on two cores.
target/cover/missed.txt names every line that was not reached, target/cover/tests.txt what the tests said.
"""
import collections, json, os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/coverage"
PAGE = ROOT / "docs/robustness.md"
MARKS = ("<!-- measured: tests/coverage/run.py --write -->", "<!-- end of measured: coverage -->")
OUT = ROOT / "target/cover"
CRATES = ROOT / "crates"
# The library: the rooms, and the verbs that use them.
LIBRARY = ["context", "core", "guard", "hosts", "memdir", "model", "reader", "search", "store", "team"]
# The instants of these kills are random: one in the middle of writing its counts would spoil those of the others.
SKIPPED = ["crashing::"]


def measure(only, keep):
    """(file, line, times) of every line with code, and the tests that failed."""
    counts = OUT / "counts"
    if not keep:
        shutil.rmtree(counts, ignore_errors=True)
    counts.mkdir(parents=True, exist_ok=True)
    # Four files a program, into which its processes add their counts one after the other: thousands of files otherwise.
    env = os.environ | {"RUSTC_WORKSPACE_WRAPPER": str(HERE / "rustc-with-counters"), "LLVM_PROFILE_FILE": str(counts / "%4m.profraw"),
                        "PROPTEST_RNG_SEED": "20260414"}
    test = ["cargo", "test", "--target-dir", OUT, *(word for room in [*LIBRARY, "cli"] for word in ("-p", package(room))), "--lib", "--bins", "--tests"]
    built = subprocess.run([*test, "--no-run", "--message-format", "json"], cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout
    programs = {one["executable"] for one in map(json.loads, built.splitlines()) if one.get("executable")}
    with open(OUT / "tests.txt", "w") as said:
        subprocess.run([*test, "--no-fail-fast", "--", *only, *(word for name in SKIPPED for word in ("--skip", name))], cwd=ROOT, env=env, stdout=said,
                       stderr=subprocess.STDOUT)
    failed = sorted(set(re.findall(r"^test (\S+) \.\.\. FAILED", (OUT / "tests.txt").read_text(errors="replace"), re.M)))
    lines = ["cargo", "run", "--quiet", "--release", "--manifest-path", HERE / "lines/Cargo.toml", "--target-dir", OUT / "lines", "--"]
    rows = subprocess.run([*lines, CRATES, counts, *sorted(programs)], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = ((pathlib.Path(file), int(line), int(times)) for file, line, times in (row.split("\t") for row in rows.splitlines()))
    return [row for row in found if is_library(row[0])], failed


def package(room):
    return room if room == "memdir" else f"memdir-{room}"


def is_library(file):
    room, folder, *_ = file.relative_to(CRATES).parts
    return room in LIBRARY and folder == "src"


def test_code():
    """The files that are only there for tests, and the lines of others that are: {file: lines, or None for all of them}."""
    found = {}
    for file in filter(is_library, CRATES.rglob("*.rs")):
        text = file.read_text().split("\n")
        if "tests" in file.relative_to(CRATES).parts[:-1] or file.stem == "tests":
            found[file] = None
        for at, line in enumerate(text):
            if not re.match(r"\s*#\[cfg\((all\()?test\b", line):
                continue
            head = next(n for n in range(at + 1, len(text)) if not text[n].strip().startswith("#["))
            module = re.match(r"\s*(?:pub(?:\([a-z]+\))? )?mod (\w+);", text[head])
            if module:
                for place in (file.parent, file.with_suffix("")):
                    found |= {one: None for one in (place / f"{module[1]}.rs", *(place / module[1]).rglob("*.rs"))}
                continue
            indent = re.match(r"\s*", line)[0]
            end = head if text[head].endswith((";", ",")) else next(n for n in range(head, len(text)) if text[n].startswith((indent + "}", indent + ")")))
            if found.get(file, ()) is not None:
                found.setdefault(file, set()).update(range(at + 1, end + 2))
    return found


def by_file(lines):
    """(room, file, reached, all, lines missed), without tests."""
    tests = test_code()
    files = collections.defaultdict(dict)
    for file, line, times in lines:
        inside = tests.get(file, ())
        if inside is not None and line not in inside:
            files[file.relative_to(CRATES)][line] = times
    for path, known in sorted(files.items()):
        missed = sorted(line for line, times in known.items() if not times)
        yield path.parts[0], str(path), len(known) - len(missed), len(known), missed


def page_of(rows, failed):
    rooms = collections.defaultdict(lambda: [0, 0])
    for room, _, reached, lines, _ in rows:
        rooms[room][0] += reached
        rooms[room][1] += lines
    reached, lines = (sum(one[at] for one in rooms.values()) for at in (0, 1))
    text = [MARKS[0], "", f"{reached:,} of {lines:,} lines of the library: {100 * reached / lines:.1f} % (aim 90).", "", "| room | lines | reached |", "|---|--:|--:|"]
    text += [f"| `{room}` | {of:,} | {100 * got / of:.1f} % |" for room, (got, of) in sorted(rooms.items())]
    least = sorted((row for row in rows if row[3] >= 20), key=lambda row: row[2] / row[3])[:8]
    text += ["", "Reached least: " + ", ".join(f"`{file}` {100 * got / of:.0f} %" for _, file, got, of, _ in least) + "."]
    text += ["", "Tests that failed with counters: " + ", ".join(f"`{name}`" for name in failed) + "."] if failed else []
    return "\n".join([*text, "", MARKS[1]])


def main():
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    only = [word for word in sys.argv[1:] if word not in options]
    if options - {"--write", "--keep"}:
        sys.exit(__doc__)
    if "--write" in options and only and "--keep" not in options:
        sys.exit("A part of the tests says nothing about all of them: --write wants all, or --keep.")
    lines, failed = measure(only, "--keep" in options)
    rows = list(by_file(lines))
    (OUT / "missed.txt").write_text("".join(f"{file} {got}/{of}: {' '.join(map(str, missed))}\n" for _, file, got, of, missed in rows if missed))
    text = page_of(rows, failed)
    print(text)
    if "--write" in options:
        page = PAGE.read_text()
        PAGE.write_text(page.split(MARKS[0])[0] + text + page.split(MARKS[1])[1])


main()
