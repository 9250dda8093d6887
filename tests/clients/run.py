#!/usr/bin/env python3
"""run.py [client…]: memdir inside the real agents, against scripted models on loopback.

For each client: a private home, `memdir init CLIENT`, memories saved with `memdir remember`, one headless run;
then what really reached the model is looked at. Scenes:
  recall   the memory for a prompt is in the request, once, where the client puts it; the rest of memory is not
  action   a memory that names the command about to run is there after the tool call, once
  places   sub-directory, worktree, and another project of the same name: the right memory each time
  plugin   (Claude Code, Codex, Gemini CLI) the packaged folder alone does the same as `memdir init`; for Claude Code also
           both together show nothing twice, and the client's own validation
  wiring   (Claude Code, Codex, Gemini CLI, Qwen Code) memdir says that its hooks will not run exactly where the client does not run them
  skill    (not Claude Code) the skill in ~/.agents/skills is listed
  tools    the model calls the tool `remember` of memdir's server, and the memory is there
  late     a model of memdir's own chooses while a tool runs: its choice is in the request after that tool, once
  teach    session one teaches, the worker learns after the client has gone, session two knows; then another client in
           the same home knows too.
  story    (Claude Code, Codex) three conversations: taught; recalled in a fresh process, then corrected; recalled as corrected
  agents   (Claude Code, Codex) a sub-agent of the client starts with the index of its own memory, and nobody else gets that
  pnpm     (Claude Code, Codex) "use pnpm, never npm": what thirteen prompts and six commands bring. See pnpm.py
  cost     CPU of each hook call inside the client at 2,000 memories, beside /bin/true in its place, by event. SCENES=cost;
           with --write the medians go into docs/benchmarks.md. See cost.py.
  keys     (Copilot) an agent that hides keys from hooks: the worker learns without the model, and `status` says what to do
  errand   `model.driver command`: memdir sends the client to dream; what it writes in memory lands through the engine's
           checks, nothing is written outside. Each asks our check before each tool call: our reason reaches its model. Codex,
           Gemini CLI and Qwen Code are held by their own flags besides, and the user's own configuration stays as it is
  served   (goose, Cline, aider: agents without hooks) see unhooked.py
  harm     memdir hung, missing, or on a full disk: exit code and answer are those of a run without memdir

Environment: MEMDIR (the binary), MEMDIR_CLIENTS (where clients are installed; missing ones are installed there),
KEEP=1 keeps the scratch directories. Exit code 0: everything held.
"""
import json, os, re, shutil, subprocess, sys, tempfile, time, urllib.request

import cost

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MEMDIR = os.path.abspath(os.environ.get("MEMDIR", ROOT + "/target/debug/memdir"))
INST = os.environ.get("MEMDIR_CLIENTS", os.path.expanduser("~/.cache/memdir-clients"))
NODE = INST + "/node22/node_modules/node/bin"
PROMPT = "Which day do we freeze the branch before a release of the ledger service?"
MEMORY = "The ledger service freezes its release branch on Thursday, MARK-LEDGER"
ACTION = "`make zebra-release` needs LEDGER_TLS=1 here, MARK-ZEBRA"
COMMAND = "make zebra-release"
ANSWER = "FINAL-ANSWER-77"
CHOSEN = ["project_zebra_job.md"]  # what a model of memdir's own picks
NOTED = "The zebra job runs at noon, MARK-NOON"
HELPERS_TASK = "Count the files of this directory"


def get(base, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return json.loads(urllib.request.urlopen(urllib.request.Request(base + path, data)).read())


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content, indent=1))


class Client:
    """One agent: its configuration against the scripted model, how it is run, where memory lands."""
    name, tool, args, server = "", "", {}, "fake_openai.py"
    next_call = None  # another tool call than the command: (name, arguments)
    command_more, plugin_arguments = [], []

    def tool_of_ours(self, name, args): return name + "$", args  # a call of memdir's server as this client offers it

    where = None  # a function body -> texts in the place this client uses

    def setup(self, home, base): ...
    def command(self, prompt): ...
    def env(self, home, base): return {}

    resume = None  # a function prompt -> the command that goes on with the last conversation
    helper = None  # how it starts a sub-agent: (tool, the sub-agent's type, arguments)

    def bodies(self, base):
        return [entry["body"] for entry in get(base, "/_fake/log") if entry.get("body")]

    def script(self, base):
        get(base, "/_fake/reset", {})
        get(base, "/_fake/scenario", {"rules": [
            {"name": "choose", "when": {"system": "selected_memories"}, "reply": {"text": json.dumps({"selected_memories": CHOSEN})}},
            {"name": "title", "when": {"system": "title generator"}, "reply": {"text": "t"}},
            {"name": "router", "when": {"any": "responseJsonSchema"}, "reply": {"text": "{}"}},
            *({"name": words, "when": {"any": re.escape(words), "has_tool": tool}, "times": times,
               "reply": {"text": "Running.", "tool_calls": [{"tool": tool, "args": args}]}} for words, times, tool, args in self.calls())],
            "default": {"text": ANSWER}})

    def call(self): return self.next_call or (self.tool, self.args)

    more_calls = []  # prompts of a scene's own and what the model does: (words, how often, command)

    def calls(self):
        """What the scripted model calls when it reads these words, and how often."""
        return [("ledger service", 1, *self.call())] + [(words, times, self.tool, self.line(line)) for words, times, line in self.more_calls]

    def line(self, command):
        """The tool's arguments for another command."""
        return {**self.args, **{key: command for key in ("command", "cmd") if key in self.args}}

    def settings_files(self, home): return [home + path for path in ("/.codex/config.toml", "/.codex/hooks.json", "/.gemini/settings.json", "/.qwen/settings.json")]

    def installed(self): return os.path.exists(self.program)


class Claude(Client):
    name, server = "claude-code", "fake_anthropic.py"
    tool, args = "Bash", {"command": COMMAND, "description": "d"}
    program = INST + "/claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude"
    package = "claude"

    plugin_arguments = ["--plugin-dir", ROOT + "/integrations/claude-code", "--allowedTools", "mcp__plugin_memdir_memdir__remember"]

    helper = "Agent", "general-purpose", {"description": "count", "prompt": HELPERS_TASK, "subagent_type": "general-purpose", "run_in_background": False}

    def tool_of_ours(self, name, args): return "mcp__plugin_memdir_memdir__" + name, args

    def plug(self, scratch):
        for args in (["marketplace", "add", ROOT], ["install", "memdir@memdir"]):
            subprocess.run([self.program, "plugin", *args], env=scratch.env, cwd=scratch.project, check=True, capture_output=True)

    def command(self, prompt):
        return [self.program, "-p", prompt, "--allowedTools", "Bash(make:*)", *self.command_more]

    def resume(self, prompt): return self.command(prompt) + ["--continue"]

    def env(self, home, base):
        return {"CLAUDE_CONFIG_DIR": home + "/.claude", "ANTHROPIC_API_KEY": "sk-ant-dummy", "ANTHROPIC_BASE_URL": base,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1",
                "DISABLE_ERROR_REPORTING": "1", "TMPDIR": home + "/tmp", "CLAUDE_CODE_TMPDIR": home + "/tmp"}

    def setup(self, home, base): os.makedirs(home + "/tmp", exist_ok=True)

    def bodies(self, base):
        return [e["body"] for e in get(base, "/__log") if e.get("body") and e.get("kind") == "main"]

    def scenario(self):
        return {"rules": [{"name": "choose", "match": {"system": "selected_memories"}, "respond": json.dumps({"selected_memories": CHOSEN})},
                          *({"name": words, "match": {"any": re.escape(words), "tools": [tool]}, "times": times,
                             "respond": {"content": [{"type": "tool_use", "name": tool, "input": args}]}} for words, times, tool, args in self.calls()),
                          {"name": "wait", "match": {"any": "ledger service", "tools": ["WaitForMcpServers"], "has_tool_result": False}, "times": 1,
                           "respond": {"content": [{"type": "tool_use", "name": "WaitForMcpServers", "input": {}}]}}],
                "default": ANSWER}

    def script(self, base): get(base, "/__reset", {})

    def where(self, body):
        return [text(m) for m in body["messages"] if m["role"] in ("system", "user")]


class Codex(Client):
    name, package = "codex", "codex"
    program = INST + "/_openai_codex/node_modules/.bin/codex"
    tool, args = "^exec_command$", {"cmd": COMMAND}
    helper = "spawn_agent$", "worker", {"message": HELPERS_TASK, "agent_type": "worker"}

    def setup(self, home, base):
        write(home + "/.codex/config.toml", 'model="m"\nmodel_provider="fake"\napproval_policy="never"\nsandbox_mode="danger-full-access"\n'
              '[model_providers.fake]\nname="fake"\nbase_url="%s/v1"\nwire_api="responses"\nenv_key="FAKE_KEY"\n' % base)

    command_flags = ["--dangerously-bypass-hook-trust"]  # the user's own review gate is for people; a test has none

    def command(self, prompt): return [self.program, "exec", *self.command_flags, "--skip-git-repo-check", prompt]

    def resume(self, prompt): return [self.program, "exec", *self.command_flags, "--skip-git-repo-check", "resume", "--last", prompt]

    def trust(self, scratch):
        """Says yes to every hook there is, as a person does in its review."""
        server = subprocess.Popen([self.program, "app-server"], env=scratch.env, cwd=scratch.project, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

        def ask(method, params, id=None):
            server.stdin.write(json.dumps({"method": method, "params": params, **({"id": id} if id else {})}) + "\n")
            server.stdin.flush()
            while id:
                answer = json.loads(server.stdout.readline())
                if answer.get("id") == id:
                    return answer["result"]
        ask("initialize", {"clientInfo": {"name": "test", "version": "1"}}, 1)
        ask("initialized", {})
        hooks = ask("hooks/list", {"cwds": [scratch.project]}, 2)["data"][0]["hooks"]
        server.terminate()
        server.wait()
        with open(scratch.home + "/.codex/config.toml", "a") as config:
            for hook in hooks:
                config.write('\n[hooks.state.%s]\ntrusted_hash = "%s"\n' % (json.dumps(hook["key"]), hook["currentHash"]))

    def env(self, home, base): return {"FAKE_KEY": "x"}

    def plug(self, scratch):
        for args in (["marketplace", "add", ROOT + "/integrations"], ["add", "memdir@memdir"]):
            subprocess.run([self.program, "plugin", *args], env=scratch.env, cwd=scratch.project, check=True, capture_output=True)

    def where(self, body): return [text(m) for m in body["input"] if m.get("role") == "developer"]


class Gemini(Client):
    name, package = "gemini", "gemini"
    program = INST + "/_google_gemini-cli/node_modules/.bin/gemini"
    tool, args = "^run_shell_command$", {"command": COMMAND}

    def setup(self, home, base):
        write(home + "/.gemini/settings.json", {"security": {"auth": {"selectedType": "gemini-api-key"}},
              "general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}})

    def command(self, prompt):
        return [self.program, "--skip-trust", "-y", "-m", "gemini-2.5-flash", "-p", prompt]

    def env(self, home, base):
        return {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": base, "GEMINI_CLI_NO_RELAUNCH": "1"}

    def plug(self, scratch):
        subprocess.run([self.program, "extensions", "install", "--consent", ROOT + "/integrations/gemini"], input=b"y\n",
                       env=scratch.env, cwd=scratch.project, check=True, capture_output=True)

    def where(self, body):
        return re.findall(r"<hook_context>(.*?)</hook_context>", text(body.get("contents")), re.S)


class Qwen(Client):
    name, package = "qwen", "qwen"

    def tool_of_ours(self, name, args): return "^tool_call$", {"name": "mcp__memdir__" + name, "arguments": args}  # it loads tools when asked

    program = INST + "/_qwen-code_qwen-code/node_modules/.bin/qwen"
    tool, args = "^run_shell_command$", {"command": COMMAND, "description": "d", "is_background": False}

    def setup(self, home, base):
        write(home + "/.qwen/settings.json", {"security": {"auth": {"selectedType": "openai"}}, "general": {"enableAutoUpdate": False},
              "model": {"name": "m"}, "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False}})

    def command(self, prompt): return [self.program, "-y", prompt]

    def env(self, home, base):
        return {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": base + "/v1", "OPENAI_MODEL": "m", "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1"}

    def where(self, body): return [text(m) for m in body["messages"] if m["role"] in ("user", "tool")]


class Copilot(Client):
    name, package = "copilot", "copilot"
    program = INST + "/_github_copilot/node_modules/.bin/copilot"
    tool, args = "^bash$", {"command": COMMAND, "description": "d"}

    def setup(self, home, base): os.makedirs(home + "/.copilot", exist_ok=True)

    def command(self, prompt): return [self.program, "-p", prompt, "--allow-all-tools"]

    def env(self, home, base):
        return {"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": base + "/v1", "COPILOT_PROVIDER_API_KEY": "x",
                "COPILOT_MODEL": "m", "COPILOT_AUTO_UPDATE": "false"}

    def where(self, body): return [text(m) for m in body["messages"] if m["role"] in ("user", "tool")]


class Opencode(Client):
    name, package = "opencode", "opencode"
    program = INST + "/opencode-ai/node_modules/.bin/opencode"
    tool, args = "^bash$", {"command": COMMAND, "description": "d"}

    def setup(self, home, base):
        seed = INST + "/oc-config-seed"  # else it runs npm install when it starts first
        if os.path.isdir(seed) and not os.path.exists(home + "/.config/opencode"):
            shutil.copytree(seed, home + "/.config/opencode", symlinks=True, dirs_exist_ok=True)
        write(home + "/.config/opencode/opencode.json", {
            "autoupdate": False, "share": "disabled", "model": "fake/m", "small_model": "fake/m", "permission": {"*": "allow"},
            "provider": {"fake": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": base + "/v1", "apiKey": "x"},
                                  "models": {"m": {"limit": {"context": 100000, "output": 4096}}}}}})

    def command(self, prompt): return [self.program, "run", prompt]

    def env(self, home, base):
        return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}

    def bodies(self, base):  # the request for a title is not the conversation
        return [body for body in super().bodies(base) if "title generator" not in text(body.get("messages", [])[:1])]

    def where(self, body): return [text(m) for m in body["messages"] if m["role"] in ("user", "tool")]


CLIENTS = [Claude(), Codex(), Gemini(), Copilot(), Opencode(), Qwen()]


def text(value):
    """All text in a piece of a request, joined."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(text(v) for v in value.values())
    if isinstance(value, list):
        return "\n".join(text(v) for v in value)
    return ""


def reminders(client, body):
    """The memories that memdir put into a request, each under its header; the index is none of them."""
    return "\n".join(t for t in client.where(body) if re.search(r"^Memory( \(saved \w+\))?: .*\.md:$", t, re.M))


class Scratch:
    """A private home with a git project, a client set up in it, and its scripted model."""

    def __init__(self, client, wired=True, program=None):
        self.client = client
        self.dir = tempfile.mkdtemp(prefix="memdir-clients-")
        self.home, self.project = self.dir + "/home", self.dir + "/home/one/app"
        os.makedirs(self.project)
        os.makedirs(self.dir + "/bin")
        self.env = {"HOME": self.home, "PATH": ":".join([self.dir + "/bin", NODE, os.environ["PATH"]]), "LANG": "C.UTF-8", "CI": "1", "TZ": "UTC"}
        os.symlink(program or MEMDIR, self.dir + "/bin/memdir")
        self.repository(self.project)
        self.server = None
        self.use(client, wired)

    def use(self, client, wired=True):
        """Another client in the same home, with a scripted model of its own."""
        self.stop()
        self.client = client
        port = "%s/port-%s" % (self.dir, client.name)
        if os.path.exists(port):
            os.remove(port)
        write(self.dir + "/scenario.json", client.scenario() if hasattr(client, "scenario") else {"rules": []})
        self.server = subprocess.Popen([sys.executable, "%s/%s" % (HERE, client.server), "--port", "0", "--port-file", port,
                                        "--log", self.dir + "/model.jsonl", "--scenario", self.dir + "/scenario.json"], stdout=subprocess.DEVNULL)
        while not (os.path.exists(port) and open(port).read()):
            time.sleep(0.02)
        self.base = "http://127.0.0.1:" + open(port).read()
        client.setup(self.home, self.base)
        self.env.update(client.env(self.home, self.base))
        if wired:
            self.memdir("init", client.name, "--yes", "--no-model")

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()

    def repository(self, path):
        os.makedirs(path, exist_ok=True)
        write(path + "/Makefile", "zebra-release:\n\t@echo zebra released\nslow:\n\t@sleep 4\n")
        write(path + "/where.txt", path)  # its own root commit
        for args in (["init", "-q"], ["add", "-A"], ["-c", "user.email=a@b", "-c", "user.name=n", "commit", "-qm", path]):
            subprocess.run(["git", *args], cwd=path, env=self.env, check=True)

    def memdir(self, *args, cwd=None):
        done = subprocess.run([MEMDIR, *args], cwd=cwd or self.project, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        # `doctor` exits with 1 when it finds something, which is what some scenes ask for.
        if done.returncode and not (args[0] == "doctor" and done.returncode == 1):
            raise SystemExit("memdir %s: %s" % (" ".join(args), done.stderr))
        return done.stdout

    def remember(self, name, body, description, cwd=None):
        self.memdir("remember", body, "--type", "project", "--name", name, "--description", description, cwd=cwd)

    def run(self, prompt=PROMPT, cwd=None, command=None):
        self.client.script(self.base)
        done = subprocess.run((command or self.client.command)(prompt), cwd=cwd or self.project, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200)
        return done.returncode, done.stdout.decode("utf-8", "replace"), self.client.bodies(self.base), done.stderr.decode("utf-8", "replace")

    def __enter__(self): return self

    def __exit__(self, *_):
        self.stop()
        if os.environ.get("KEEP"):
            print("kept", self.dir)
        else:
            shutil.rmtree(self.dir, ignore_errors=True)


def scene_recall(client, check):
    with Scratch(client) as scratch:
        scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
        scratch.remember("zebra flags", ACTION, "flags of make zebra-release")
        code, out, bodies, err = scratch.run()
        check("exit code", code == 0, (code, err[-400:]))
        check("answer", ANSWER in out, out[-300:])
        check("two requests", len(bodies) >= 2, len(bodies))
        if len(bodies) < 2:
            return
        first, last = bodies[0], bodies[-1]
        check("recalled in the first request", text(first).count("MARK-LEDGER") == 1, text(first).count("MARK-LEDGER"))
        check("in this client's place", sum(t.count("MARK-LEDGER") for t in client.where(first)) == 1, "")
        check("still once at the end", text(last).count("MARK-LEDGER") == 1, text(last).count("MARK-LEDGER"))
        check("nothing else is recalled", "MARK-ZEBRA" not in text(first), "")
        check("action memory arrives once", text(last).count("MARK-ZEBRA") == 1, text(last).count("MARK-ZEBRA"))
        index = text(first).count("](project_ledger_freeze.md)")
        check("index is there once", index == 1, index)
        calls = json.loads(scratch.memdir("status", "--hooks", "--json"))["hooks"]
        check("hooks are explained", {"prompt", "turn-end"} <= {call["event"] for call in calls}, [c["event"] for c in calls])
        slow = max(call["ms"] for call in calls)
        print("     %-12s hook calls %d, slowest %d ms" % (client.name, len(calls), slow))


def scene_plugin(client, check):
    if not hasattr(client, "plug"):
        print("     %-12s has no package of its own; skipped" % client.name)
        return
    for name, wired in (("the package alone", False), ("the package and init", True)):
        with Scratch(client, wired=wired) as scratch:
            scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
            scratch.remember("zebra flags", ACTION, "flags of make zebra-release")
            client.plug(scratch)
            code, out, bodies, err = scratch.run()
            client.command_more = []
            last = text(bodies[-1]) if bodies else ""
            check(name, code == 0 and last.count("MARK-LEDGER") == 1 and last.count("MARK-ZEBRA") == 1,
                  (code, last.count("MARK-LEDGER"), last.count("MARK-ZEBRA"), err[-200:]))
            # Claude Code asks its model before a plugin's server is up; that its tools work is for the scene `tools`.
            if client.name != "claude-code":
                check(name + ": its tools", re.search("mcp_+(plugin_memdir_)?memdir", last) is not None, "")
    if client.name == "claude-code":
        with Scratch(client, wired=False) as scratch:
            client.plug(scratch)
            client.command_more = ["--output-format", "stream-json", "--verbose"]
            _, out, _, err = scratch.run()
            client.command_more = []
            offered = [name for line in out.splitlines() for name in json.loads(line).get("slash_commands", [])]
            want = {"memdir:" + name for name in ("remember", "recall", "forget", "dream", "status-line")}
            check("its commands", want <= set(offered), (offered, err[-200:]))
        valid = subprocess.run([client.program, "plugin", "validate", ROOT + "/integrations/claude-code"], capture_output=True, text=True,
                               env={"HOME": tempfile.gettempdir(), "PATH": os.environ["PATH"], "DISABLE_AUTOUPDATER": "1"})
        check("the client's own validation", "Validation passed" in valid.stdout, valid.stdout[-300:])


# What a person's settings.json may hold, and whether Claude Code then runs the hooks in it.
SETTINGS = [("as it is", lambda s: s, True), ("a comment", lambda s: s.replace("{", "{ // mine\n", 1), False),
            ("a trailing comma", lambda s: s.rstrip()[:-1].rstrip() + ",\n}\n", False), ("a byte order mark", lambda s: "\ufeff" + s, True),
            ("hooks off", lambda s: s.replace("{", '{ "disableAllHooks": true,', 1), False),
            ("other hooks later", lambda s: s.rstrip()[:-1].rstrip() + ', "hooks": {}\n}\n', False),
            ("other hooks earlier", lambda s: s.replace("{", '{ "hooks": {},', 1), True),
            ("a wrong kind", lambda s: s.replace("{", '{ "model": 7,', 1), False),
            ("days that it refuses", lambda s: s.replace("{", '{ "cleanupPeriodDays": 0,', 1), False),
            ("a mode that it does not know", lambda s: s.replace("{", '{ "permissions": { "defaultMode": "yolo" },', 1), False),
            ("a status line without its type", lambda s: s.replace("{", '{ "statusLine": { "command": "date" },', 1), False),
            ("rules and hooks that it skips", lambda s: s.replace("{", '{ "permissions": { "allow": [1, "bash(ls)"] },', 1)
                .replace('"hooks": {', '"hooks": { "Mine": [], ', 1), True),
            ("numbers in env", lambda s: s.replace("{", '{ "env": { "A": 1, "B": null },', 1), True),
            ("an unknown key", lambda s: s.replace("{", '{ "mine": 7,', 1), True)]

# The same of Codex's hooks.json, all of them trusted.
HOOKS_FILES = [("an unknown key", lambda s: s.replace("{", '{ "mine": 1,', 1), False),
               ("a comment", lambda s: "// mine\n" + s, False), ("a byte order mark", lambda s: "\ufeff" + s, False),
               ("another's time limit in quotes", lambda s: s.replace('"hooks": {', '"hooks": { "PostCompact": [{ "hooks": '
                '[{ "type": "command", "command": "x", "timeout": "5" }] }],', 1), False),
               ("other hooks earlier", lambda s: s.replace("{", '{ "hooks": {},', 1), False),
               ("an event that it does not know", lambda s: s.replace('"hooks": {', '"hooks": { "Mine": 1,', 1), True)]

# Settings of Gemini CLI and Qwen Code, which do not start with some.
COMMENTED = [("as it is", lambda s: s, True), ("a comment", lambda s: s.replace("{", "{ // mine\n", 1), True),
             ("a trailing comma", lambda s: s.rstrip()[:-1].rstrip() + ",\n}\n", False)]


def complaints(scratch):
    """What `status` and `doctor` say of the wiring, and what `init` does."""
    status = [w for w in json.loads(scratch.memdir("status", "--json"))["warnings"] if "hook" in w or "does not start" in w]
    doctor = [f for f in json.loads(scratch.memdir("doctor", "--json"))["findings"] if f["check"] == "wiring"]
    init = json.loads(scratch.memdir("init", scratch.client.name, "--dry-run", "--json"))["hosts"][0]["obstacles"]
    return bool(status), bool(doctor), bool(init)


def scene_wiring(client, check):
    """memdir says that hooks will not run exactly where the client does not run them."""
    def prompts(scratch):
        return [call for call in json.loads(scratch.memdir("status", "--hooks", "--json"))["hooks"] if call["event"] == "prompt"]

    def ran(scratch):
        scratch.run("Hello there")
        return bool(prompts(scratch))
    if client.name == "claude-code":
        for name, change, runs in SETTINGS:
            with Scratch(client) as scratch:
                path = scratch.home + "/.claude/settings.json"
                write(path, change(open(path).read()))
                check(name + ": the client runs them or not", ran(scratch) == runs, "")
                said = complaints(scratch)
                # Hooks of ours in the first of two `hooks` would not be read; those in the last are.
                check(name + ": said where it does not", said == (not runs,) * 3, said)
    if client.name in ("gemini", "qwen"):
        for name, change, runs in COMMENTED:
            with Scratch(client) as scratch:
                path = "%s/.%s/settings.json" % (scratch.home, client.name)
                write(path, change(open(path).read()))
                check(name + ": the client runs them or not", ran(scratch) == runs, "")
                said = complaints(scratch)
                check(name + ": said where it does not", said == (not runs,) * 3, said)
    if client.name == "codex":
        with Scratch(client) as scratch:
            client.command_flags = []
            try:
                check("not trusted: not run", not ran(scratch), "")
                check("not trusted: said", all(complaints(scratch)), complaints(scratch))
                client.trust(scratch)
                check("trusted: nothing to say", not any(complaints(scratch)), complaints(scratch))
                check("trusted: run", ran(scratch), "")
                path = scratch.home + "/.codex/hooks.json"
                whole = open(path).read()
                for name, change, runs in HOOKS_FILES:
                    write(path, change(whole))
                    before = len(prompts(scratch))
                    scratch.run("Hello there")
                    check(name + ": the client runs them or not", (len(prompts(scratch)) > before) == runs, "")
                    check(name + ": said where it does not", all(complaints(scratch)) if not runs else not any(complaints(scratch)), complaints(scratch))
            finally:
                del client.command_flags


def scene_skill(client, check):
    if client.name == "claude-code":
        return
    with Scratch(client, wired=False) as scratch:
        shutil.copytree(ROOT + "/integrations/skills", scratch.home + "/.agents/skills")
        code, _, bodies, err = scratch.run()
        check("listed", code == 0 and any("long-term memories of this user" in text(body) for body in bodies), (code, err[-200:]))


def scene_tools(client, check):
    """Through the server that `memdir init` named; Claude Code has it in the plugin, or from `init --mcp`."""
    call_tool(client, check, client.tool_of_ours, client.plugin_arguments)
    if client.name == "claude-code":
        call_tool(client, check, lambda name, args: ("mcp__memdir__" + name, args), ["--allowedTools", "mcp__memdir__remember"], mcp=True)


def call_tool(client, check, tool, arguments, mcp=False):
    client.next_call = tool("remember", {"text": NOTED, "type": "project"})
    client.command_more = arguments
    try:
        with Scratch(client) as scratch:
            if mcp:
                scratch.memdir("init", client.name, "--mcp", "--yes", "--no-model")
            scratch.env["ENABLE_TOOL_SEARCH"] = "false"  # else Claude Code only names tools and loads them when asked
            code, out, bodies, err = scratch.run("Please remember what I said of the ledger service")
            check("exit code and answer", code == 0 and ANSWER in out, (code, out[-200:], err[-400:]))
            saved = [m for m in json.loads(scratch.memdir("export", "--json"))["memories"] if "MARK-NOON" in m["body"]]
            check("the memory is there, in this project", len(saved) == 1, text(bodies[-1])[-900:] if bodies else "no request")
            hooks = json.loads(scratch.memdir("status", "--hooks", "--json"))["hooks"]
            check("our hook was asked before the tool", client.name not in ("claude-code", "codex") or any(h["event"] == "before-tool" for h in hooks), hooks)
            check("the model was told so", bool(bodies) and bool(saved) and saved[0]["file"] in text(bodies[-1]), "")
    finally:
        client.next_call, client.command_more = None, []


def scene_late(client, check):
    """memdir's own model is the same scripted server; the tool takes long enough for it to answer."""
    client.next_call = client.tool, client.line("make slow")
    try:
        with Scratch(client) as scratch:
            scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
            scratch.remember("zebra job", NOTED, "when the zebra job runs")
            scratch.env.update({"MEMDIR_MODEL_CONSENT": "true", "MEMDIR_MODEL_NAME": "m"})
            if client.name == "claude-code":
                scratch.env["MEMDIR_MODEL_DRIVER"] = "anthropic"
            else:  # a server on this machine, named in the settings: Copilot hides keys and their addresses from hooks
                scratch.env.update({"MEMDIR_MODEL_DRIVER": "openai", "MEMDIR_MODEL_BASE_URL": scratch.base + "/v1"})
            code, out, bodies, err = scratch.run()
            bodies = [body for body in bodies if "selected_memories" not in text(body)]
            first, last = (text(bodies[0]), text(bodies[-1])) if bodies else ("", "")
            check("exit code and answer", code == 0 and ANSWER in out, (code, out[-200:], err[-400:]))
            check("not beside the prompt", first.count("MARK-LEDGER") == 1 and "MARK-NOON" not in first, (first.count("MARK-LEDGER"), first.count("MARK-NOON")))
            check("after the tool, once", last.count("MARK-NOON") == 1, (len(bodies), last.count("MARK-NOON"), scratch.memdir("status", "--hooks")))
    finally:
        client.next_call, client.command_more = None, []


COSTS = {}


def scene_cost(client, check):
    with Scratch(client) as scratch:
        scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
        scratch.remember("zebra flags", ACTION, "flags of make zebra-release")
        memory = json.loads(scratch.memdir("status", "--json"))["memory"]["dir"]
        for n in range(2000):
            write("%s/m%d.md" % (memory, n), "---\nname: tenant %d\ndescription: tenant %d is billed in batch %d\ntype: project\n---\n\nTenant %d is billed in batch %d.\n" % (n, n, n % 37, n, n % 37))
        scratch.memdir("refresh")
        cost.meter(scratch.dir + "/bin/memdir", MEMDIR, scratch.dir + "/cost.jsonl")
        for _ in range(int(os.environ.get("RUNS", "10"))):
            scratch.run()
        COSTS[client.name] = cost.more_by_event(scratch.dir + "/cost.jsonl")
        for event, more in COSTS[client.name].items():
            print("     %-12s %-18s CPU over /bin/true: median %5.1f ms, most %5.1f ms (%d calls)" % (client.name, event, more[len(more) // 2], more[-1], len(more)))
            check(event, more[len(more) // 2] <= 15, more)
        wanted = {"prompt with recall", "after a tool", "end of a turn"} | ({"before a tool"} if client.name in ("claude-code", "codex") else set())
        check("every event was measured", wanted <= set(COSTS[client.name]), sorted(COSTS[client.name]))


LESSON = "From now on always use pnpm for installing packages in this repository, never npm, because the lockfile is pnpm's."
EXAM = "Which program do I use for installing packages in this repository?"


def scene_agents(client, check):
    if not client.helper:
        return
    tool, kind, args = client.helper
    client.next_call = tool, args
    # Codex does not wait for its sub-agent, and would be gone before that one asks.
    client.more_calls = [(PROMPT[:30], 1, "sleep 3")] if client.name == "codex" else []
    try:
        with Scratch(client) as scratch:
            scratch.memdir("remember", "Look at error paths first, MARK-AGENT", "--type", "feedback", "--agent", kind)
            scratch.memdir("remember", "Look at names first, MARK-STRANGER", "--type", "feedback", "--agent", "somebody-else")
            code, out, bodies, err = scratch.run()
            helpers = [body for body in bodies if HELPERS_TASK in text(body.get("messages") or body.get("input")) and PROMPT not in text(body)]
            others = [body for body in bodies if body not in helpers]
            check("exit code and answer", code == 0 and ANSWER in out, (code, out[-200:], err[-400:]))
            check("the sub-agent has its index, once", bool(helpers) and text(helpers[0]).count("MARK-AGENT") == 1, [text(body)[-600:] for body in helpers])
            check("nobody else has it", bool(others) and "MARK-AGENT" not in text(others), len(others))
            check("nor has it another's", "MARK-STRANGER" not in text(bodies), "")
    finally:
        client.next_call, client.more_calls = None, []


def scene_teach(client, check):
    with Scratch(client) as scratch:
        code, _, _, err = scratch.run(LESSON)
        check("session one ends well", code == 0, err[-200:])
        end = time.time() + 60
        learned = []
        while not learned and time.time() < end:
            learned = [m for m in json.loads(scratch.memdir("export", "--json"))["memories"] if "pnpm" in m["body"]]
            time.sleep(0.2)
        check("learned after the client has gone", len(learned) == 1, len(learned))
        if not learned:
            return
        for other in [client] + [c for c in CLIENTS if c is not client and c.installed()][:1]:
            scratch.use(other)
            code, _, bodies, err = scratch.run(EXAM)
            told = sum(t.count(learned[0]["file"] + ":") for t in other.where(bodies[0])) if bodies else 0
            check("%s knows in its next session, once" % other.name, code == 0 and told == 1, (code, told, err[-200:]))


CORRECTION = "We have moved from pnpm to bun: packages in this repository are installed with bun from now on, no longer with pnpm."


def learned(scratch, word):
    """The memories that say it, once the worker has learned them after the client has gone."""
    end = time.time() + 60
    while True:
        found = [m for m in json.loads(scratch.memdir("export", "--json"))["memories"] if word in m["body"]]
        if found or time.time() > end:
            return found
        time.sleep(0.2)


def scene_story(client, check):
    if not client.resume:
        return

    def told(bodies): return reminders(client, bodies[-1]) if bodies else ""
    with Scratch(client) as scratch:
        code, _, _, err = scratch.run(LESSON)
        taught = learned(scratch, "pnpm")
        check("taught", code == 0 and len(taught) == 1, (code, len(taught), err[-200:]))
        if not taught:
            return
        code, _, bodies, err = scratch.run(EXAM)
        check("recalled in a fresh process", code == 0 and taught[0]["file"] in text(bodies) and "pnpm" in told(bodies), (code, told(bodies)[-600:], err[-200:]))
        code, _, _, err = scratch.run(CORRECTION, command=client.resume)
        corrected = learned(scratch, "bun")
        check("corrected in the same conversation", code == 0 and len(corrected) == 1, (code, [m["body"] for m in corrected], err[-300:]))
        everything = json.loads(scratch.memdir("export", "--json"))["memories"]
        check("one memory, not two that disagree", len(everything) == 1, [(m["file"], m["body"]) for m in everything])
        code, _, bodies, err = scratch.run(EXAM)
        now = told(bodies)
        check("recalled again, as corrected", code == 0 and "bun" in now and "always use pnpm" not in now.lower(), (code, now[-900:], err[-200:]))
        history = json.loads(scratch.memdir("history", "--json"))["changes"]
        check("both are in the history, by what was said", [c["actor"] for c in history if c["actor"] == "extract"] == ["extract"] * 2, history)


def scene_keys(client, check):
    """The agent hides the key from what it starts: the worker learns without the model, says why, and `status` says what to do."""
    if client.name != "copilot":
        return
    with Scratch(client) as scratch:
        # Were the key not hidden, nothing would leave this machine all the same.
        scratch.env.update({"OPENAI_API_KEY": "sk-not-a-real-one", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"})
        scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
        for setting in (("model.driver", "openai"), ("model.consent", "true")):
            scratch.memdir("settings", *setting)
        check("a model is ready in the terminal", json.loads(scratch.memdir("status", "--json"))["model"]["reason"] == "ready", "")
        code, _, _, err = scratch.run(LESSON)
        end, status = time.time() + 60, {}
        while not (status.get("last_extraction") or {}).get("files") and time.time() < end:
            status = json.loads(scratch.memdir("status", "--json"))
            time.sleep(0.2)
        last = status.get("last_extraction") or {}
        check("learned without it, and why", code == 0 and (last.get("ended"), last.get("reason")) == ("offline", "no-key"), (code, last, err[-200:]))
        check("status says what to do", any("model.key_file" in warning for warning in status.get("warnings", [])), status.get("warnings"))


BOARDS = "---\nname: latency boards\ndescription: where the latency boards of the ledger are\ntype: reference\n---\n\nThe latency boards of the ledger are in the Grafana folder Checkout.\n"


def scene_errand(client, check):
    if client.name in ("codex", "gemini", "qwen"):
        return errand_of_others(client, check)
    if client.name != "claude-code":
        return
    with Scratch(client) as scratch:
        scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
        memory = json.loads(scratch.memdir("status", "--json"))["memory"]["dir"].rstrip("/")
        evil = scratch.project + "/evil.md"
        calls = [("Write", {"file_path": evil, "content": "x"}), ("Write", {"file_path": memory + "/../evil.md", "content": "x"}),
                 ("Bash", {"command": "touch %s" % evil, "description": "d"}), ("Bash", {"command": "ls %s" % memory, "description": "d"}),
                 ("Write", {"file_path": memory + "/reference_boards.md", "content": BOARDS}),
                 ("Write", {"file_path": memory + "/script.sh", "content": "x"})]
        sender = type("Sent", (Claude,), {"scenario": lambda _: {"rules": [
            {"name": "dream", "match": {"any": "Orient|orient", "has_tool_result": False}, "times": 1,
             "respond": {"content": [{"type": "tool_use", "name": name, "input": args} for name, args in calls]}}],
            "default": "I wrote down where the boards are."}})()
        scratch.use(sender)
        os.symlink(client.program, scratch.dir + "/bin/claude")
        scratch.env.update({"MEMDIR_MODEL_DRIVER": "command", "MEMDIR_MODEL_CONSENT": "true"})
        out = json.loads(scratch.memdir("dream", "--force", "--json"))
        bodies = client.bodies(scratch.base)
        told = text(bodies[-1]["messages"][-1]) if bodies else ""
        check("it was sent", len(bodies) >= 2, len(bodies))
        check("nothing outside", not os.path.exists(evil) and not os.path.exists(os.path.dirname(memory) + "/evil.md") and not os.path.exists(memory + "/script.sh"), "")
        check("our reason reached the model", "only files in the memory directory may be written" in told, told[-900:])
        check("a command that writes is denied, one that reads runs", "project_ledger_freeze.md" in told, told[-900:])
        check("what it saved is there", os.path.exists(memory + "/reference_boards.md"), out)
        check("with its pointer", "(reference_boards.md)" in open(memory + "/MEMORY.md").read(), "")
        last = json.loads(scratch.memdir("history", "--json"))["changes"][0]
        check("in the history, by the dream", last["actor"] == "dream", last)
        hooks = json.loads(scratch.memdir("status", "--hooks", "--json"))["hooks"]
        check("our own hooks kept still", all(call["event"] == "ignored" for call in hooks), hooks)
        check("no session is left behind", not [f for d, _, files in os.walk(scratch.home + "/.claude") for f in files if f.endswith(".jsonl")], "")
        spent = json.loads(scratch.memdir("status", "--json"))["model"]
        check("counted", spent["calls_today"] == 1 and spent["driver"] == "command", spent)


def hooks_in(settings):
    try:
        return json.loads(settings).get("hooks")
    except ValueError:
        return settings


def errand_of_others(client, check):
    with Scratch(client) as scratch:
        scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
        memory = json.loads(scratch.memdir("status", "--json"))["memory"]["dir"].rstrip("/")
        evil = scratch.project + "/evil.md"
        # What only our check denies: its own flags let it write anything below the memory directory, or read by shell.
        script = memory + "/script.sh"
        def write_call(path, content=BOARDS):
            if client.name == "codex":
                patch = "*** Begin Patch\n*** Add File: %s\n%s*** End Patch\n" % (path, "".join("+%s\n" % line for line in content.splitlines()))
                return {"tool": "^exec_command$", "args": {"cmd": "apply_patch <<'EOF'\n%sEOF" % patch}}
            return {"tool": "^write_file$", "args": {"file_path": path, "content": content}}
        calls = [write_call(evil), write_call(script, "x"), write_call(memory + "/reference_boards.md")]
        if client.name == "codex":
            calls += [{"tool": "^exec_command$", "args": {"cmd": "cat > %s/shell.md <<'END'\n%sEND" % (memory, BOARDS)}},
                      {"tool": "^exec_command$", "args": {"cmd": "ls %s" % memory}}]
        scratch.use(client)
        kept = {path: open(path).read() for path in client.settings_files(scratch.home) if os.path.exists(path)}
        get(scratch.base, "/_fake/reset", {})
        get(scratch.base, "/_fake/scenario", {"rules": [
            {"name": "router", "when": {"any": "responseJsonSchema"}, "reply": {"text": "{}"}},
            {"name": "dream", "when": {"any": "Orient", "has_tool": calls[0]["tool"]}, "times": 1, "reply": {"text": "Writing.", "tool_calls": calls}}],
            "default": {"text": "I wrote down where the boards are."}})
        os.symlink(client.program, scratch.dir + "/bin/" + client.name)
        scratch.env.update({"MEMDIR_MODEL_DRIVER": "command", "MEMDIR_MODEL_AGENT": client.name, "MEMDIR_MODEL_CONSENT": "true"})
        done = subprocess.run([MEMDIR, "dream", "--force", "--json"], cwd=scratch.project, env=scratch.env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        bodies = client.bodies(scratch.base)
        told = json.dumps(bodies[-1]) if bodies else ""
        tools = sorted({t.get("name") or t.get("function", {}).get("name") for b in bodies for t in b.get("tools", []) if isinstance(t, dict)} - {None})
        check("the dream ran", done.returncode == 0, (done.stdout[-300:], done.stderr[-600:]))
        check("nothing outside", not os.path.exists(evil), "")
        # Gemini CLI and Qwen Code refuse a path outside by themselves, before they ask any hook.
        check("our reason for a path outside reached the model", client.name != "codex" or "only files in the memory directory may be written" in told, told[-1500:])
        check("our reason for a name reached the model", "a memory is a file whose name ends in .md" in told, told[-1500:])
        check("no file that is no memory", not os.path.exists(script), "")
        if client.name == "codex":
            check("a command that writes is denied by us", "blocked by PreToolUse hook" in told and not os.path.exists(memory + "/shell.md"), told[-1500:])
            check("one that reads runs", "project_ledger_freeze.md" in told, told[-900:])
        check("what it saved is there", os.path.exists(memory + "/reference_boards.md"), (done.stderr[-300:], tools))
        check("our own hooks kept still", all(call["event"] == "ignored" for call in json.loads(scratch.memdir("status", "--hooks", "--json"))["hooks"]), "")
        check("no shell on offer", "run_shell_command" not in tools or client.name != "qwen", tools)
        # The agent may write other things into its own settings; the hooks there are what we must not touch.
        same = lambda path, text: hooks_in(open(path).read()) == hooks_in(text)
        check("the user's configuration is as it was", kept and all(same(path, text) for path, text in kept.items()), list(kept))


def scene_places(client, check):
    with Scratch(client) as scratch:
        other = scratch.home + "/two/app"
        scratch.repository(other)
        scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
        scratch.remember("ledger freeze", MEMORY.replace("Thursday", "Monday").replace("MARK-LEDGER", "MARK-OTHER"),
                         "when the ledger service freezes its branch for a release", cwd=other)
        os.makedirs(scratch.project + "/deep/er")
        tree = scratch.home + "/tree"
        subprocess.run(["git", "worktree", "add", "-q", tree], cwd=scratch.project, env=scratch.env, check=True)
        for name, cwd, want, not_want in (("sub-directory", scratch.project + "/deep/er", "MARK-LEDGER", "MARK-OTHER"),
                                          ("worktree", tree, "MARK-LEDGER", "MARK-OTHER"),
                                          ("same name", other, "MARK-OTHER", "MARK-LEDGER")):
            code, _, bodies, err = scratch.run(cwd=cwd)
            all_text = "\n".join(text(body) for body in bodies)
            check(name, code == 0 and want in all_text and not_want not in all_text, (code, want in all_text, not_want in all_text, err[-200:]))


def scene_harm(client, check):
    with Scratch(client, wired=False) as scratch:
        plain = scratch.run()[:2]
    check("a run without memdir", plain[0] == 0 and ANSWER in plain[1], plain)
    stub = tempfile.mkdtemp(prefix="memdir-stub-")
    write(stub + "/hung", "#!/bin/sh\nexec sleep 600\n")
    os.chmod(stub + "/hung", 0o755)
    for name in ("hung", "missing", "full"):
        with Scratch(client) as scratch:
            scratch.remember("ledger freeze", MEMORY, "when the ledger service freezes its branch for a release")
            full = scratch.dir + "/full"
            if name == "full":
                os.makedirs(full)
                if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", full], capture_output=True).returncode:
                    print("     %-12s no small disk can be made here; skipped" % client.name)
                    continue
                with open(full + "/filler", "wb") as filler:
                    try:
                        filler.write(b"x" * 128 * 1024)
                    except OSError:
                        pass
            os.remove(scratch.dir + "/bin/memdir")
            if name == "full":  # for memdir alone: some clients keep themselves in the cache directory
                write(scratch.dir + "/bin/memdir", '#!/bin/sh\nXDG_STATE_HOME=%s XDG_CACHE_HOME=%s exec %s "$@"\n' % (full, full, MEMDIR))
                os.chmod(scratch.dir + "/bin/memdir", 0o755)
            elif name == "hung":
                os.symlink(stub + "/hung", scratch.dir + "/bin/memdir")
            try:
                code, out, bodies, err = scratch.run()
            finally:
                if name == "full":
                    subprocess.run(["umount", full])
            check("memdir " + name, code == plain[0] and ANSWER in out, (code, out[-200:], err[-200:]))
    shutil.rmtree(stub)


TABLE = []  # (client, scene, checks, failed ones)


def play(client, name, scene):
    """One scene with one client; the number of checks that failed."""
    bad, count, start = [], 0, time.time()

    def check(what, held, detail):
        nonlocal count
        count += 1
        if not held:
            bad.append((what, detail))
    scene(client, check)
    # A scene that is not about this client checks nothing, and says so.
    word = "FAIL" if bad else "ok" if count else "none"
    TABLE.append((client.name, name, count, len(bad)))
    print("%-4s %-12s %-8s %2d checks %5.1f s" % (word, client.name, name, count, time.time() - start), flush=True)
    for what, detail in bad:
        print("     %s: %s" % (what, detail))
    return len(bad)


def main():
    import pnpm, unhooked  # they build on what is here
    plays = {name[6:]: scene for name, scene in {**globals(), "scene_pnpm": pnpm.scene_pnpm}.items() if name.startswith("scene_")}
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    scenes = [s for s in os.environ.get("SCENES", "recall plugin wiring skill tools late places agents teach story pnpm keys errand served harm").split()]
    failed = 0
    for client in CLIENTS:
        if wanted and client.name not in wanted:
            continue
        if not client.installed():
            subprocess.run([HERE + "/install", INST, client.package], check=True, stdout=subprocess.DEVNULL)
        failed += sum(play(client, scene, plays[scene]) for scene in scenes if scene != "served")
    for client in unhooked.CLIENTS if "served" in scenes else []:
        if (not wanted or client.name in wanted) and unhooked.available(client):
            failed += play(client, "served", unhooked.scene_served)
    if "--write" in sys.argv and COSTS and not failed:
        cost.write(COSTS)
    ran = [row for row in TABLE if row[2]]
    print("%d scenes with %d clients: %d checks, %d failed" % (len(ran), len({row[0] for row in ran}), sum(row[2] for row in ran), failed))
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
