#!/usr/bin/env python3
"""A recording of ten seconds: the first half of the demo, as an SVG whose lines appear one after the other.

    docs/images/recording.py target/release/memdir > docs/images/recording.svg

Every line is what `memdir demo --json` has really run and printed; nothing is typed in by hand. Whoever asked for less
motion sees the last frame.
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import terminal

SECONDS = 10.0
DIM, BOLD, GOOD = "\x1b[2m", "\x1b[1m", "\x1b[32m"
PLAIN = "\x1b[0m"
# Steps of the demo that are left out here: what one sees at a glance is one correction and how it comes back.
LEFT_OUT = ("memdir remember",)


def steps(program):
    """The lines of each step, up to the prompt for which nothing is recalled."""
    done = subprocess.run([program, "demo", "--json"], check=True, capture_output=True, text=True, env={**os.environ, "TZ": "UTC"})
    heading = None
    for step in json.loads(done.stdout)["steps"]:
        if "heading" in step:
            heading = ["", f"{BOLD}{step['heading']}{PLAIN}"]
        elif "role" in step:
            yield [*(heading or []), f"{DIM}{step['role']:>9}{PLAIN}  {step['text']}"]
            heading = None
        elif "command" in step and not step["command"].startswith(LEFT_OUT):
            yield [*(heading or []), f"{GOOD}$ {step['command']}{PLAIN}"]
            yield step["output"].rstrip("\n").split("\n")
            heading = None
            if "No memory" in step["output"]:
                return
    sys.exit("the demo has no prompt for which nothing is recalled")


def main():
    frames = list(steps(sys.argv[1]))
    rows, times = [], []
    for at, lines in enumerate(frames):
        for line in lines:
            for row in terminal.wrapped(line):
                rows.append(row)
                times.append(at * SECONDS / len(frames))
    if not rows[0]:
        rows, times = rows[1:], times[1:]
    shown = iter([time for row, time in zip(rows, times) if any(text for _, text in row)])
    for line in terminal.picture(rows, "memdir learns from a correction and brings it back when it matters"):
        if line.startswith("<text "):
            line = line.replace("<text ", f'<text class="line" style="animation-delay:{next(shown):.1f}s" ', 1)
        if line.startswith("<svg "):
            line += ("<style>@media (prefers-reduced-motion:no-preference){.line{opacity:0;animation:show .2s forwards}}"
                     "@keyframes show{to{opacity:1}}</style>")
        print(line)


main()
