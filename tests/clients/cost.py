#!/usr/bin/env python3
"""What a hook call costs beside a hook that does nothing (/bin/true): CPU of the child (user + system), at 2,000 memories.

Inside the real agents: `SCENES=cost python3 tests/clients/run.py [client…] [--write]`. There `memdir` is a meter: for each call
of a hook it runs both, in an order that changes from call to call, and notes what each used. RUNS sets how often an agent is run (10).
With --write the medians by event go into docs/benchmarks.md; what was not measured this time keeps its row.

Alone: `cost.py [N]`: N prompts outside an agent (60), every one of which gets memories.
MEMDIR names the binary (a release build).
"""
import json, os, re, resource, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
MEMDIR = os.path.abspath(os.environ.get("MEMDIR", HERE + "/../../target/release/memdir"))
PAGE = HERE + "/../../docs/benchmarks.md"
NOUNS = "ledger invoice queue cluster parser cache token schema report gateway index worker bucket header socket".split()
VERBS = "freezes retries drops copies merges signs rotates samples compresses validates".split()

METER = '''#!%s
import json, os, resource, subprocess, sys
if sys.argv[1:2] != ["hook"]:
    os.execv(%r, [%r] + sys.argv[1:])
def spent(command, data):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, input=data, stdout=subprocess.PIPE).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), out
said = sys.stdin.buffer.read()
if os.getpid() %% 2:
    nothing, _ = spent(["/bin/true"], said)
ours, out = spent([%r] + sys.argv[1:], said)
if not os.getpid() %% 2:
    nothing, _ = spent(["/bin/true"], said)
try: event = json.loads(said).get("hook_event_name") or json.loads(said).get("event") or sys.argv[-1]
except ValueError: event = "?"
open(%r, "a").write(json.dumps([event, ours, nothing]) + "\\n")
sys.stdout.buffer.write(out)
'''

# What the agents call it, and what the page does.
COLUMNS = {
    "prompt with recall": ("UserPromptSubmit", "BeforeAgent", "userPromptSubmitted", "prompt"),
    "before a tool": ("PreToolUse", "BeforeTool", "preToolUse", "before-tool"),
    "after a tool": ("PostToolUse", "AfterTool", "postToolUse", "after-tool"),
    "session start": ("SessionStart", "sessionStart"),
    "end of a turn": ("Stop", "AfterAgent", "agentStop", "turn-end"),
}
TITLES = {"claude-code": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "copilot": "Copilot CLI", "opencode": "opencode", "qwen": "Qwen Code"}


def meter(program, memdir, log):
    """Puts a meter where an agent looks for memdir."""
    os.remove(program)
    with open(program, "w") as file:
        file.write(METER % (sys.executable, memdir, memdir, memdir, log))
    os.chmod(program, 0o755)


def more_by_event(log):
    """What our hook used more than the other, sorted, by what the page calls the event."""
    rows = [json.loads(line) for line in open(log)]
    found = {}
    for column, names in COLUMNS.items():
        more = sorted(ours - nothing for name, ours, nothing in rows if name in names)
        if more:
            found[column] = more
    return found


def write(costs):
    """Puts medians into the page: {client: {column: sorted list}}."""
    page = open(PAGE).read()
    for client, by_event in costs.items():
        runs = len(by_event.get("end of a turn") or next(iter(by_event.values())))
        cells = ["%.1f ms" % statistics.median(by_event[c]) if c in by_event else "" for c in COLUMNS]
        row = "| inside %s, %d runs | %s |" % (TITLES[client], runs, " | ".join(cells))
        page, times = re.subn(r"\| inside %s, [^\n]*" % re.escape(TITLES[client]), lambda _: row, page, count=1)
        if not times:
            raise SystemExit("docs/benchmarks.md has no row of %s" % TITLES[client])
    with open(PAGE, "w") as file:
        file.write(page)
    print("written to docs/benchmarks.md: %s" % ", ".join(TITLES[client] for client in costs))


def spent(command, env, cwd, data):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, input=data, env=env, cwd=cwd, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime), 1000 * wall, len(done.stdout)


def outside(pairs, home):
    project = home + "/work/app"
    os.makedirs(project)
    env = {"HOME": home, "PATH": os.environ["PATH"], "TZ": "UTC"}
    status = json.loads(subprocess.run([MEMDIR, "status", "--json"], env=env, cwd=project, capture_output=True, check=True).stdout)
    memory = status["memory"]["dir"]
    os.makedirs(memory)
    index = []
    for n in range(2000):
        a, b, v = NOUNS[n % 15], NOUNS[(n // 15) % 15], VERBS[(n // 7) % 10]
        text = "The %s service %s the %s of tenant %d before it is shipped" % (a, v, b, n)
        with open("%s/m%d.md" % (memory, n), "w") as file:
            file.write("---\nname: %s %s %d\ndescription: %s\ntype: project\n---\n\n%s.\n" % (a, b, n, text, text))
        if n < 190:
            index.append("- [%s %s %d](m%d.md) — %s\n" % (a, b, n, n, text[:80]))
    open(memory + "/MEMORY.md", "w").writelines(index)
    subprocess.run([MEMDIR, "refresh"], env=env, cwd=project, check=True, capture_output=True)
    ours, nothing, told = [], [], 0
    for n in range(pairs):
        said = json.dumps({"session_id": "s%d" % n, "cwd": project, "hook_event_name": "UserPromptSubmit",
                           "prompt": "does the %s service drop the schema of tenant %d before we ship it?" % (NOUNS[n % 15], n)}).encode()
        ours.append(spent([MEMDIR, "hook", "claude-code"], env, project, said))
        nothing.append(spent(["/bin/true"], env, project, said))
        told += ours[-1][2] > 0
    for name, rows in (("memdir hook", ours), ("/bin/true", nothing)):
        cpu, wall = [row[0] for row in rows], [row[1] for row in rows]
        print("%-12s CPU median %5.1f ms  p90 %5.1f ms   wall median %5.1f ms" % (name, statistics.median(cpu), sorted(cpu)[int(len(cpu) * 0.9)], statistics.median(wall)))
    difference = statistics.median(a[0] - b[0] for a, b in zip(ours, nothing))
    print("recall adds   CPU median %5.1f ms over %d pairs; %d prompts got a memory" % (difference, pairs, told))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="memdir-cost-") as home:
        outside(int(sys.argv[1]) if len(sys.argv) > 1 else 60, home)
