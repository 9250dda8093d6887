#!/usr/bin/env python3
"""run.py store|guard [SHARD/OF] [--again] [--write]: which changes to the code of a room would its own tests not notice?

The crates are copied into a workspace of their own without symbols, so that a mutant costs seconds and not minutes, and only the
room's own tests run. What tests elsewhere would notice is not noticed here, so a survivor is a question and not yet an
answer: docs/robustness.md has those of the last runs. A shard takes every OF-th mutant, so that it is a fair sample of the room.

After new tests, --again tries only those that survived or were not reached. Shards may run side by side; what became of each mutant is in
target/mutants/ROOM-SHARD-OF/ledger.json, and --write puts the sum of the shards into docs/robustness.md.
"""
import json, os, pathlib, re, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/robustness.md"
MARKS = ("<!-- measured: tests/mutants/run.py --write -->", "<!-- end of measured: mutants -->")
VERSION = "27.1.0"
# Code for other systems, code that is tested elsewhere, and tests.
NOT = ["**/fs/windows*", "**/fs/windows/**", "**/tests*", "**/tests/**"]
# Tests of cost, which take longer than all others together; what only they would notice is shown as a survivor.
SLOW = ["f5_no_step_goes_over_the_rest_once_a_line", "i2_five_megabytes_load_in_one_pass"]
# The longest a room's tests may take before a mutant counts as one that never ends; they take a few seconds.
SECONDS = {"guard": 45, "store": 120}


def copy(house):
    """The crates as a workspace of their own; what was built there before stays."""
    shutil.rmtree(house / "crates", ignore_errors=True)
    shutil.copytree(ROOT / "crates", house / "crates")
    shutil.copy(ROOT / "Cargo.lock", house)
    manifest = (ROOT / "Cargo.toml").read_text().split("[profile.")[0]
    (house / "Cargo.toml").write_text(manifest + '[profile.dev]\ndebug = false\n\n[profile.dev.package."*"]\nopt-level = 2\n')


def main():
    if not sys.argv[1:] or sys.argv[1] not in SECONDS:
        sys.exit(__doc__)
    room, shard = sys.argv[1], next((arg for arg in sys.argv[2:] if "/" in arg), "0/1")
    again, write = "--again" in sys.argv, "--write" in sys.argv
    if not shutil.which("cargo-mutants"):
        subprocess.run(["cargo", "install", "--quiet", "--locked", f"cargo-mutants@{VERSION}"], check=True)
    out = ROOT / "target/mutants" / f"{room}-{shard.replace('/', '-')}"
    house, package = out / "house", f"memdir-{room}"
    copy(house)
    # A property that fails has done its work: it need not look for the smallest case, nor tell the next mutant.
    env = {**os.environ, "PROPTEST_MAX_SHRINK_ITERS": "0", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1"}
    env.pop("CARGO_TARGET_DIR", None)
    # One test that fails is enough; only the test programs are told that they may say so, for compilers would build everything anew.
    host = re.search(r"host: (\S+)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout)[1]
    env[f"CARGO_TARGET_{host.upper().replace('-', '_')}_RUNNER"] = "env RUSTC_BOOTSTRAP=1"
    subprocess.run(["cargo", "test", "--quiet", "--package", package, "--lib"], cwd=house, env=env, check=True)
    chosen = ["--dir", house, "--no-config", "--colors", "never", "--package", package, *(arg for path in NOT for arg in ("--exclude", path))]

    def listed(*which):
        return subprocess.run(["cargo", "mutants", *chosen, *which, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()

    names, ledger = listed("--shard", shard, "--sharding", "round-robin"), out / "ledger.json"
    became = json.loads(ledger.read_text()) if again and ledger.exists() else {}
    became = {name: what for name, what in became.items() if name in names}
    left = [name for name in names if became.get(name, "MissedMutant") == "MissedMutant"]
    subprocess.run(["cargo", "mutants", *chosen, *(f"--re=^{re.escape(name)}$" for name in left), "--output", out, "--no-times",
                    "--shuffle", "--baseline", "skip", "--in-place", "--timeout", str(SECONDS[room]), "--build-timeout", "300",
                    "--", "--lib", "--", "-Zunstable-options", "--fail-fast", *(f"--skip={test}" for test in SLOW)], env=env)
    for one in json.loads((out / "mutants.out/outcomes.json").read_text())["outcomes"]:
        # Deleted fields are tried whatever --re says: those of other shards are not ours to count.
        if isinstance(one["scenario"], dict) and one["scenario"]["Mutant"]["name"] in names:
            became[one["scenario"]["Mutant"]["name"]] = one["summary"]
    ledger.write_text(json.dumps(became, indent=1, sort_keys=True))
    survived = sorted(name for name, what in became.items() if what == "MissedMutant")
    print(f"{len(became)} of {len(names)} of this shard tried, {len(survived)} survived:", *survived, sep="\n")
    if write:
        put(room, shard, len(listed()))


def put(room, shard, mutants):
    """Writes the sum of the room's shards into its row of the page."""
    of, became = shard.split("/")[1], []
    shards = sorted(ROOT.glob(f"target/mutants/{room}-*-{of}/ledger.json"))
    for file in shards:
        became += json.loads(file.read_text()).values()
    caught, unviable, timeout, missed = (became.count(what) for what in ("CaughtMutant", "Unviable", "Timeout", "MissedMutant"))
    numbers = ", ".join(file.parent.name.split("-")[1] for file in shards)
    row = f"| `{room}` | {len(became):,} of {mutants:,} | {caught:,} | {timeout} | {unviable} | {missed} | `tests/mutants/run.py {room} N/{of}`, N = {numbers} |\n"
    before, rest = PAGE.read_text().split(MARKS[0])
    table, after = rest.split(MARKS[1])
    rows = [line for line in table.splitlines(keepends=True) if line.startswith("| `") and not line.startswith(f"| `{room}`")]
    head = "\n\n| room | mutants tried | noticed by a failing test | by never ending | do not compile | survived | command |\n|---|--:|--:|--:|--:|--:|---|\n"
    PAGE.write_text(before + MARKS[0] + head + "".join(sorted([*rows, row])) + "\n" + MARKS[1] + after)


main()
