"""How much memory a process takes for itself: files that are mapped belong to everybody and are not counted.

Two numbers. The largest `Anonymous` that /proc showed while the process ran, looked at as often as possible: what was
really used, at least. And the smallest limit (RLIMIT_DATA: everything writable and private, used or not) under which the
process still gives the same answer: more than that it cannot have used, at any instant.
"""

import resource
import subprocess

LIMIT_MB = 40
RUNS = 20


def of_recall(argv, env, cwd):
    """Both numbers, in MB."""
    answer = run(argv, env, cwd, resource.RLIM_INFINITY)
    low, high = 0, 256 * 1024
    while high - low > 64:
        middle = (low + high) // 2
        low, high = (low, middle) if run(argv, env, cwd, middle * 1024) == answer else (middle, high)
    return max(seen(argv, env, cwd) for _ in range(RUNS)) / 1024, high / 1024


def run(argv, env, cwd, limit):
    """What a process prints under a limit; nothing when it fails."""
    limited = lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))  # noqa: E731
    done = subprocess.run(argv, env=env, cwd=cwd, capture_output=True, preexec_fn=limited, check=False)
    return done.stdout if done.returncode == 0 else None


def seen(argv, env, cwd):
    """The most kilobytes of its own that a running process was seen with."""
    process = subprocess.Popen(argv, env=env, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as lines:
                most = max([most] + [int(line.split()[1]) for line in lines if line.startswith("Anonymous:")])
        except (FileNotFoundError, ProcessLookupError):
            break
    process.wait()
    return most


def table(taken):
    lines = [
        "### Private memory of a cold `memdir recall`",
        "",
        "| memories | seen | smallest limit on its data it runs in | limit |",
        "|--:|--:|--:|--:|",
    ]
    lines += [f"| {size:,} | {used:.1f} MB | {most:.1f} MB | {LIMIT_MB} MB |" for size, (used, most) in taken]
    return "\n".join(lines)
