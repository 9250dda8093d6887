#!/usr/bin/env python3
"""cost.py [N]: what one hook call of a prompt costs beside a hook that does nothing (/bin/true).

CPU time of the child (user + system), both calls in turn, medians over N pairs (default 60), at 2,000 memories.
MEMDIR names the binary (a release build); wall time is printed too, but says little on a shared machine.
"""
import json, os, resource, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
MEMDIR = os.path.abspath(os.environ.get("MEMDIR", HERE + "/../../target/release/memdir"))
PAIRS = int(sys.argv[1]) if len(sys.argv) > 1 else 60
NOUNS = "ledger invoice queue cluster parser cache token schema report gateway index worker bucket header socket".split()
VERBS = "freezes retries drops copies merges signs rotates samples compresses validates".split()


def spent(command, env, cwd, data):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, input=data, env=env, cwd=cwd, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime), 1000 * wall, len(done.stdout)


with tempfile.TemporaryDirectory(prefix="memdir-cost-") as home:
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
    for n in range(PAIRS):
        said = json.dumps({"session_id": "s%d" % n, "cwd": project, "hook_event_name": "UserPromptSubmit",
                           "prompt": "does the %s service drop the schema of tenant %d before we ship it?" % (NOUNS[n % 15], n)}).encode()
        ours.append(spent([MEMDIR, "hook", "claude-code"], env, project, said))
        nothing.append(spent(["/bin/true"], env, project, said))
        told += ours[-1][2] > 0
    for name, rows in (("memdir hook", ours), ("/bin/true", nothing)):
        cpu, wall = [row[0] for row in rows], [row[1] for row in rows]
        print("%-12s CPU median %5.1f ms  p90 %5.1f ms   wall median %5.1f ms" % (name, statistics.median(cpu), sorted(cpu)[int(len(cpu) * 0.9)], statistics.median(wall)))
    difference = statistics.median(a[0] - b[0] for a, b in zip(ours, nothing))
    print("recall adds   CPU median %5.1f ms over %d pairs; %d prompts got a memory" % (difference, PAIRS, told))
