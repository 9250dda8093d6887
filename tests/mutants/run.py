#!/usr/bin/env python3
"""run.py store|guard [SHARD/OF] [more for cargo mutants]: which changes to the code of a room would its own tests not notice?

The two rooms need little of the rest of the library, so a room is copied, with what it needs, into a crate of its own: a mutant then
costs seconds and not minutes. What tests elsewhere would notice is not noticed here, so a survivor is a question and not yet an
answer: docs/robustness.md has those of the last runs. A shard takes every OF-th mutant, so that it is a fair sample of the room.

After new tests, `--iterate` tries only those again that survived. The lists are in target/mutants/ROOM-SHARD-OF/mutants.out; shards may run
side by side.
"""
import os, pathlib, re, shutil, subprocess, sys, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "crates/memdir/src"
VERSION = "27.1.0"
NEEDS = {"guard": ["guard", "limits"], "store": ["guard", "kind", "limits", "read", "settings", "store", "surroundings", "warning"]}
# Its tests need the engine.
ELSEWHERE = SOURCE / "store/consolidate"
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
    (crate / "src/lib.rs").write_text("#![allow(dead_code, unused_imports, missing_docs)]\n" + "".join(f"pub mod {part};\n" for part in NEEDS[room]))
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
    room, shard, more = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "0/1", sys.argv[3:]
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
    sys.exit(subprocess.run(["cargo", "mutants", "--dir", crate, "--output", out, "--shard", shard, "--sharding", "round-robin", "--no-times", "--colors", "never",
                    "--baseline", "skip", "--timeout", str(SECONDS[room]), "--build-timeout", "300", "--in-place", "--file", f"src/{room}/**",
                    "--exclude", "src/store/consolidate/**", "--exclude", "src/store/fs/windows*", "--exclude", "src/store/fs/windows/**", "--exclude", "**/tests*", "--exclude", "**/tests/**",
                    *more, "--", "--lib", f"{room}::", "--", "-Zunstable-options", "--fail-fast"], env=env).returncode)


main()
