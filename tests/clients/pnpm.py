"""The scene `pnpm`: one memory, "use pnpm, never npm", in the real Claude Code and Codex.

Thirteen prompts that lead to installing something, each in a conversation of its own, whose scripted model then calls npm: the
memory must have reached the model before npm runs, beside the prompt or as the reason why the call is held. How many prompts bring it
by themselves is printed, and has a floor. Five commands that run npm in other ways are held once and go through when the model makes
the same call again; one that runs pnpm is not held.

`npm` and `pnpm` are stand-ins that write down what they were called with.
"""
import json, os, re

from run import Scratch, reminders, text, write

RULE = "Always use pnpm in this repository, never npm: the lock file is pnpm's, and a second one broke the release."
PROMPTS = [
    "Add lodash to this project", "Install the dependencies, please", "Can you set up vitest in here?", "Upgrade react to the latest version",
    "We need a library for dates, take dayjs", "Remove moment from the dependencies", "The build says Cannot find module zod, fix it",
    "Get the project running on a fresh clone", "Add prettier as a dev dependency", "Bring the outdated packages up to date",
    "Install typescript and the types of node", "The lock file is out of sync, repair it", "Bump eslint by one major version"]
COMMANDS = ["npm install left-pad", "cd web && npm ci", "npm i -D vitest", "CI=1 npm install --no-audit", "bash -c 'npm add zod'"]
OTHER = "pnpm add zod"
AGAIN = "make the same call again"  # in what memdir gives as the reason
FLOOR = 6  # prompts that bring the memory by themselves


def stand_ins(scratch):
    """npm and pnpm that write down how they were called, first on the path of every shell."""
    for name in ("npm", "pnpm"):
        write("%s/bin/%s" % (scratch.dir, name), '#!/bin/sh\necho "%s $*" >> %s/called\n' % (name, scratch.dir))
        os.chmod("%s/bin/%s" % (scratch.dir, name), 0o755)
    for file in (".bashrc", ".bash_profile", ".profile"):  # a login shell sets the path anew
        write(scratch.home + "/" + file, "export PATH=%s/bin:$PATH\n" % scratch.dir)
    os.makedirs(scratch.project + "/web")


def called(scratch):
    """What was called since the last look."""
    path = scratch.dir + "/called"
    lines = open(path).read().splitlines() if os.path.exists(path) else []
    if lines:
        os.remove(path)
    return lines


def scene_pnpm(client, check):
    if not client.resume:
        return
    asked = ["Run this for me, number %d" % number for number in range(len(COMMANDS) + 1)]
    client.more_calls = [(prompt, 1, "npm install") for prompt in PROMPTS] + [(prompt, 2, line) for prompt, line in zip(asked, [*COMMANDS, OTHER])]
    client.command_more = ["--allowedTools", "Bash"] if client.name == "claude-code" else []
    try:
        with Scratch(client) as scratch:
            stand_ins(scratch)
            scratch.memdir("remember", RULE, "--type", "feedback", "--name", "Use pnpm")
            scratch.memdir("refresh")
            beside = 0
            for prompt in PROMPTS:
                code, _, bodies, err = scratch.run(prompt)
                beside += bool(bodies) and "a second one broke the release" in reminders(client, bodies[0])
                check(prompt, code == 0 and len(bodies) >= 2 and not called(scratch) and AGAIN in text(bodies[-1]), (code, len(bodies), err[-200:]))
            print("     %-12s %d of %d prompts brought the memory, the others' calls were held" % (client.name, beside, len(PROMPTS)))
            check("prompts that bring it", beside >= FLOOR, beside)
            for prompt, line in zip(asked, COMMANDS):
                code, _, bodies, err = scratch.run(prompt)
                ran, last = called(scratch), text(bodies[-1]) if bodies else ""
                check(line, code == 0 and len(bodies) == 3 and last.count(AGAIN) == 1 and len(ran) == 1 and ran[0].startswith("npm "),
                      (code, len(bodies), last.count(AGAIN), ran, err[-200:]))
            code, _, bodies, err = scratch.run(asked[-1])
            check(OTHER, code == 0 and AGAIN not in text(bodies) and called(scratch) == ["pnpm add zod"] * 2, (code, text(bodies[-1])[-400:], err[-200:]))
            held = [call for call in json.loads(scratch.memdir("status", "--hooks", "--json"))["hooks"] if call.get("held")]
            check("`status --hooks` names each", all(re.search("forbids npm", why) for call in held for why in call["why"]) and len(held) >= len(COMMANDS), held)
    finally:
        client.more_calls, client.command_more = [], []
