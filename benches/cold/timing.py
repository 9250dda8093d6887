"""Cold processes, timed in turn.

Wall time is from before the start to after the end; CPU time is what the system charged to the
process (user and kernel). Programs take turns, one run each a round, so that whatever else the
machine does hits all of them alike, and ratios are taken within a round.
"""

import os
import re
import statistics
import subprocess
import time
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Program:
    """One line of a table."""

    name: str
    argv: Callable[[int], list]
    env: dict
    cwd: str
    before: Callable[[], None] = lambda: None
    every: int = 1
    wall: dict = field(default_factory=dict)
    cpu: dict = field(default_factory=dict)

    def run(self, number):
        self.before()
        os.chdir(self.cwd)
        argv = self.argv(number)
        quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
        start = time.perf_counter_ns()
        pid = os.posix_spawnp(argv[0], argv, self.env, file_actions=quiet)
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter_ns() - start
        if status != 0:
            raise SystemExit(f"{' '.join(argv)} ended with status {os.waitstatus_to_exitcode(status)}")
        self.wall[number] = wall / 1e6
        self.cpu[number] = (used.ru_utime + used.ru_stime) * 1e3


def take_turns(programs, rounds):
    for program in programs:
        program.run(-1)  # warms the page cache and memdir's own
        program.wall.clear()
        program.cpu.clear()
    for number in range(rounds):
        for program in programs:
            if number % program.every == 0:
                program.run(number)


@dataclass
class Spread:
    """A median with its quartiles."""

    low: float
    middle: float
    high: float

    @staticmethod
    def of(values):
        values = sorted(values)
        if len(values) == 1:
            return Spread(values[0], values[0], values[0])
        low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
        return Spread(low, middle, high)

    def __str__(self):
        digits = 2 if self.middle < 10 else 1 if self.middle < 100 else 0
        return f"{self.middle:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def ratio(of, to):
    """How many times as much, round by round."""
    return Spread.of([value / to[number] for number, value in of.items() if to[number] > 0])


def difference(of, to):
    return Spread.of([value - to[number] for number, value in of.items()])


def instructions(valgrind, argv, env, cwd):
    """Instructions of one run outside the kernel."""
    tool = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run(tool + argv, env=env, cwd=cwd, capture_output=True, text=True, check=True)
    counted = re.search(r"Collected : (\d+)", run.stderr)
    return int(counted.group(1)) if counted else None
