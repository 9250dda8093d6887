#!/usr/bin/env python3
"""run.py [--write] [--log FILE…]: which behaviours of docs/behaviours.md work, by the checks that run the program.

A check is a test of crates/cli/tests whose name begins with the ids of what it is about (`p8_t4_links_are_…`); each starts the
real binary as a user or a host does. Prints id, verdict and checks, one behaviour a line:
  works      every check of it passed
  fails      one did not; it is named
  not run    there are checks, and none of them ran here (faults need strace, buckets a server; see .ci/run)
  no check   nobody has written one

Without --log the checks are run here; with it their verdicts are read from what `cargo test` printed. --write puts the checks into
docs/behaviours.md, where crates/cli/tests/it/behaviours.rs holds them. Exit code 0: every behaviour works, by a check that ran.
"""
import os, re, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = ROOT + "/docs/behaviours.md"
TESTS = "crates/cli/tests"
ROW = re.compile(r"^- \*\*(\w+)\*\*")
TEST = re.compile(r"#\[test\]\n(?:#\[[^\n]*\]\n)*fn (\w+)\(")
ID = re.compile(r"[a-z]\d{1,2}b?$")


def checks():
    """id in lower case -> [(test, file, its name for cargo)]."""
    found = {}
    files = sorted("it/" + name for name in os.listdir("%s/%s/it" % (ROOT, TESTS))) + ["faults.rs", "s3.rs"]
    for file in files:
        room = file[3:-3] + "::" if file.startswith("it/") else ""
        with open("%s/%s/%s" % (ROOT, TESTS, file), encoding="utf-8") as source:
            names = TEST.findall(source.read())
        for name in names:
            for word in name.split("_"):
                if not ID.match(word):
                    break
                found.setdefault(word, []).append((name, "%s/%s" % (TESTS, file), room + name))
    return found


def ids():
    with open(PAGE, encoding="utf-8") as page:
        return [match.group(1) for match in map(ROW.match, page) if match]


def run(found):
    """Runs every check of the main suite once, and those of the others where this machine can."""
    names = sorted({full for some in found.values() for _, file, full in some if "/it/" in file})
    done = subprocess.run(["cargo", "test", "-q", "-p", "memdir-cli", "--test", "it", "--", "--exact", "--format", "pretty", *names],
                          cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if "test result" not in done.stdout:
        sys.exit("the checks could not be built; `cargo test -p memdir-cli --test it` says why")
    return done.stdout


def write(found):
    """The page with the checks that there are below each behaviour."""
    lines = []
    with open(PAGE, encoding="utf-8") as page:
        for line in page.read().splitlines():
            if re.match(r"  - (by run|in the library): |  - no check yet$|  - no proof yet$", line):
                continue
            lines.append(line)
            if match := ROW.match(line):
                proofs = ["  - by run: `%s` in `%s`" % (name, file) for name, file, _ in found.get(match.group(1).lower(), [])]
                lines += proofs or ["  - no check yet"]
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")


def verdicts(text):
    """What `cargo test` printed -> {test: ok, FAILED or ignored}. A test that prints something of its own leaves its verdict on a
    later line."""
    return dict(re.findall(r"^test (\S+?)(?: - should panic)? \.\.\. (?:.*\n)*?.*?(ok|FAILED|ignored)$", text, re.M))


def judge(ids, found, said):
    """Each behaviour -> (its word, the checks that say so)."""
    rows = {}
    for id in ids:
        ran = [(name, said[full]) for name, _, full in found.get(id.lower(), []) if full in said]
        failed = [name for name, verdict in ran if verdict == "FAILED"]
        passed = [name for name, verdict in ran if verdict == "ok"]
        word = "fails" if failed else "works" if passed else "not run" if id.lower() in found else "no check"
        rows[id] = (word, failed or passed)
    return rows


def main():
    args, found = sys.argv[1:], checks()
    if "--write" in args:
        return write(found)
    text = "\n".join(open(log, encoding="utf-8", errors="replace").read() for log in args[1:]) if args[:1] == ["--log"] else run(found)
    rows, counts = judge(ids(), found, verdicts(text)), {}
    for id, (word, names) in rows.items():
        counts[word] = counts.get(word, 0) + 1
        print("%-4s %-9s %s" % (id, word, ", ".join(names)))
    print("%d behaviours: %s" % (len(rows), ", ".join("%d %s" % (count, word) for word, count in sorted(counts.items()))))
    return 0 if rows and set(counts) == {"works"} else 1


if __name__ == "__main__":
    sys.exit(main())
