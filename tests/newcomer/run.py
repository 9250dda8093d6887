#!/usr/bin/env python3
"""run.py [--write]: from a clone to the first recalled memory in two commands, on a terminal, with an empty home.

The commands are typed into a real terminal in a fresh clone of this commit; what it shows is recorded with its times as an
asciicast (docs/images/newcomer.cast; `asciinema play` shows it). Fails when the second command does not bring the memory.
Only the toolchain and the registry's cache are taken along from the real home.
"""
import json, os, pathlib, pty, re, shlex, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAST = ROOT / "docs/images/newcomer.cast"
COLUMNS, ROWS = 110, 30
COMMANDS = [
    ["cargo", "run", "--release", "--", "remember", "Integration tests use a real database, never mocks", "--type", "feedback"],
    ["cargo", "run", "--release", "--", "recall", "write a test for the orders table"],
]


def watch(argv, place, env, began, events):
    """Runs argv on a terminal of its own; what it prints goes to `events` with its time. Returns (exit code, text)."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(place)
        os.execvpe(argv[0], argv, env)
    said = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        said += piece
        events.append([round(time.monotonic() - began, 3), "o", piece.decode("utf8", "replace")])
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode("utf8", "replace")


def main():
    with tempfile.TemporaryDirectory(prefix="memdir-newcomer-") as scratch:
        place, home = pathlib.Path(scratch, "memdir"), pathlib.Path(scratch, "home")
        home.mkdir()
        subprocess.run(["git", "clone", "-q", ROOT, place], check=True)
        real = pathlib.Path.home()
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8",
               "COLUMNS": str(COLUMNS), "LINES": str(ROWS),
               "CARGO_HOME": os.environ.get("CARGO_HOME", str(real / ".cargo")),
               "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(real / ".rustup"))}
        began, events, last = time.monotonic(), [], ""
        for argv in COMMANDS:
            events.append([round(time.monotonic() - began, 3), "o", f"$ {shlex.join(argv)}\r\n"])
            code, last = watch(argv, place, env, began, events)
            if code:
                raise SystemExit(f"{shlex.join(argv)} ended with {code}:\n{last}")
        if "never mocks" not in last:
            raise SystemExit(f"the memory did not come back:\n{last}")
        head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "From a clone to the first recalled memory", "idle_time_limit": 1}
        tidy = lambda text: re.sub(re.escape(scratch), "~", text)  # noqa: E731
        cast = "\n".join(json.dumps(one) for one in [head, *([at, kind, tidy(text)] for at, kind, text in events)]) + "\n"
        print(last.strip())
        print(f"{len(COMMANDS)} commands, {time.monotonic() - began:.0f} s, most of it the compiler's")
        if "--write" in sys.argv:
            CAST.write_text(cast)


main()
