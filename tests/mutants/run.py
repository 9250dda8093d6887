#!/usr/bin/env python3
"""run.py store|guard [SHARD/OF] [--again] [--write]: which changes to the code of a room would its own tests not notice?

The two rooms need little of the rest of the library, so a room is copied, with what it needs, into a crate of its own: a mutant then
costs seconds and not minutes. What tests elsewhere would notice is not noticed here, so a survivor is a question and not yet an
answer: docs/robustness.md has those of the last runs. A shard takes every OF-th mutant, so that it is a fair sample of the room.

After new tests, --again tries only those that survived or were not reached. Shards may run side by side; what became of each mutant is in
target/mutants/ROOM-SHARD-OF/ledger.json, and --write puts the sum of the shards into docs/robustness.md.
"""
import json, os, pathlib, re, shutil, subprocess, sys, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "crates/memdir/src"
PAGE = ROOT / "docs/robustness.md"
MARKS = ("<!-- measured: tests/mutants/run.py --write -->", "<!-- end of measured: mutants -->")
VERSION = "27.1.0"
NEEDS = {"guard": ["guard", "limits"], "store": ["guard", "kind", "limits", "read", "settings", "store", "surroundings", "warning"]}
# Its tests need the engine.
ELSEWHERE = SOURCE / "store/consolidate"
# Code for other systems, code that is tested elsewhere, and tests.
NOT = ["src/store/consolidate/**", "src/store/fs/windows*", "src/store/fs/windows/**", "**/tests*", "**/tests/**"]
# Tests of cost, which take longer than all others together; what only they would notice is shown as a survivor.
SLOW = ["f5_no_step_goes_over_the_rest_once_a_line", "i2_five_megabytes_load_in_one_pass"]
# The longest a room's tests may take before a mutant counts as one that never ends; they take a few seconds.
SECONDS = {"guard": 45, "store": 120}


def copy(room, crate):
    """The room as a crate of its own; what was built there before stays."""
    shutil.rmtree(crate / "src", ignore_errors=True)
    (crate / "src").mkdir(parents=True)
    for part in NEEDS[room]:
        if (SOURCE / part).is_dir():
            shutil.copytree(SOURCE / part, crate / "src" / part)
        if (SOURCE / f"{part}.rs").is_file():
            shutil.copy(SOURCE / f"{part}.rs", crate / "src")
    (crate / "src/lib.rs").write_text("#![allow(dead_code, missing_docs, unexpected_cfgs, unused_imports)]\n" + "".join(f"pub mod {part};\n" for part in NEEDS[room]))
    untested = crate / "src" / ELSEWHERE.relative_to(SOURCE) / "mod.rs"
    if untested.is_file():
        untested.write_text(untested.read_text().split("#[cfg(test)]")[0])
    (crate / "Cargo.toml").write_text(manifest("\n".join(file.read_text() for file in crate.glob("src/**/*.rs"))))
    shutil.copy(ROOT / "Cargo.lock", crate)


def manifest(code):
    """The library's, with the dependencies that the room uses, spelled out by the workspace's."""
    house, own = (tomllib.loads((ROOT / file).read_text()) for file in ("Cargo.toml", "crates/memdir/Cargo.toml"))

    def lines(names):
        for name in names:
            if re.search(rf"\b{name.replace('-', '_')}::", code):
                said = house["workspace"]["dependencies"][name]
                said = dict(said) if isinstance(said, dict) else {"version": said}
                if "path" in said:
                    said["path"] = str(ROOT / said["path"])
                yield f"{name} = {{ " + ", ".join(f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in said.items()) + " }"

    unix = own["target"]["cfg(unix)"]["dependencies"]
    return "\n".join(['[package]\nname = "rooms"\nversion = "0.0.0"', f'edition = "{house["workspace"]["package"]["edition"]}"', "[workspace]", "[lib]\ndoctest = false",
                      "[profile.dev]\ndebug = false", '[profile.dev.package."*"]\nopt-level = 2',
                      "[dependencies]", *lines([*own["dependencies"], *unix]), "[dev-dependencies]", *lines(own["dev-dependencies"]), ""])


def main():
    if not sys.argv[1:] or sys.argv[1] not in NEEDS:
        sys.exit(__doc__)
    room, shard = sys.argv[1], next((arg for arg in sys.argv[2:] if "/" in arg), "0/1")
    again, write = "--again" in sys.argv, "--write" in sys.argv
    if not shutil.which("cargo-mutants"):
        subprocess.run(["cargo", "install", "--quiet", "--locked", f"cargo-mutants@{VERSION}"], check=True)
    out = ROOT / "target/mutants" / f"{room}-{shard.replace('/', '-')}"
    crate = out / "crate"
    copy(room, crate)
    # A property that fails has done its work: it need not look for the smallest case, nor tell the next mutant.
    env = {**os.environ, "PROPTEST_MAX_SHRINK_ITERS": "0", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1"}
    env.pop("CARGO_TARGET_DIR", None)
    # One test that fails is enough; only the test programs are told that they may say so, for compilers would build everything anew.
    host = re.search(r"host: (\S+)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout)[1]
    env[f"CARGO_TARGET_{host.upper().replace('-', '_')}_RUNNER"] = "env RUSTC_BOOTSTRAP=1"
    subprocess.run(["cargo", "test", "--quiet", "--lib", f"{room}::"], cwd=crate, env=env, check=True)
    chosen = ["--dir", crate, "--no-config", "--colors", "never", "--file", f"src/{room}/**", *(arg for path in NOT for arg in ("--exclude", path))]

    def listed(*which):
        return subprocess.run(["cargo", "mutants", *chosen, *which, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()

    names, ledger = listed("--shard", shard, "--sharding", "round-robin"), out / "ledger.json"
    became = json.loads(ledger.read_text()) if again and ledger.exists() else {}
    became = {name: what for name, what in became.items() if name in names}
    left = [name for name in names if became.get(name, "MissedMutant") == "MissedMutant"]
    subprocess.run(["cargo", "mutants", *chosen, *(f"--re=^{re.escape(name)}$" for name in left), "--output", out, "--no-times",
                    "--shuffle", "--baseline", "skip", "--in-place", "--timeout", str(SECONDS[room]), "--build-timeout", "300",
                    "--", "--lib", f"{room}::", "--", "-Zunstable-options", "--fail-fast", *(f"--skip={test}" for test in SLOW)], env=env)
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
