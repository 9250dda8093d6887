"""Agents without hooks that memdir answers: goose, Cline and aider. They are told of memory by an instruction file; goose and
Cline are served by memdir's MCP server. One scene, `served`, which run.py runs after its own:

  the instruction is in the first request, once; the server's tools are on offer, and the model's call of `remember` lands (not
  aider, which takes no tools); the conversation that the agent wrote down is found and learned from by `memdir extract --all`;
  `memdir init --remove` gives back every file of the agent's as it was.

An agent that cannot be installed here is named and skipped: they come from registries of their own (aider from PyPI).
"""
import json, os, signal, subprocess

from run import ANSWER, INST, LESSON, NOTED, Client, Scratch, get, text, write

TOLD = "kept by the program `memdir`"


class Unhooked(Client):
    tools = True

    def script(self, base):
        get(base, "/_fake/reset", {})
        call = {"tool": "memdir__remember$", "args": {"text": NOTED, "type": "project"}}
        act = {"name": "act", "when": {"any": "ledger service", "has_tool": call["tool"]}, "times": 1, "reply": {"text": "Saving.", "tool_calls": [call]}}
        get(base, "/_fake/scenario", {"rules": [act], "default": {"text": ANSWER}})

    def bodies(self, base):  # a title is asked for without instructions
        return [body for body in super().bodies(base) if TOLD in text(body)]

    def ended(self, scratch): ...


class Goose(Unhooked):
    name = package = "goose"
    program = INST + "/goose/node_modules/@aaif/goose-binary-linux-x64/bin/goose"

    def setup(self, home, base):
        write(home + "/.config/goose/config.yaml", "# mine\nGOOSE_PROVIDER: openai  # a server on this machine\nGOOSE_MODEL: m\nGOOSE_MODE: auto\n")

    def config(self, home): return [home + "/.config/goose/config.yaml", home + "/.config/goose/.goosehints"]

    def command(self, prompt): return [self.program, "run", "--text", prompt]

    def env(self, home, base):
        return {"OPENAI_API_KEY": "x", "OPENAI_HOST": base, "GOOSE_DISABLE_KEYRING": "1", "GOOSE_TELEMETRY_ENABLED": "false"}


class Cline(Unhooked):
    name = package = "cline"
    program = INST + "/cline/node_modules/.bin/cline"

    def setup(self, home, base):
        provider = {"provider": "openai-compatible", "apiKey": "x", "model": "m", "baseUrl": base + "/v1"}
        write(home + "/.cline/data/settings/providers.json", {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {
            "openai-compatible": {"settings": provider, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}}})
        write(home + "/.cline/data/settings/cline_mcp_settings.json", '{\n  "mcpServers": {}\n}\n')

    def config(self, home): return [home + "/.cline/data/settings/cline_mcp_settings.json", home + "/Documents/Cline/Rules/memdir.md"]

    def command(self, prompt): return [self.program, prompt]

    def ended(self, scratch):
        """It leaves a daemon behind, which is told by the directory it serves."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = open("/proc/%s/cmdline" % pid).read().split("\0")
            except OSError:
                continue
            if "--cline-hub-daemon" in words and any(word.startswith(scratch.dir) for word in words):
                os.kill(int(pid), signal.SIGTERM)


class Aider(Unhooked):
    name = package = "aider"
    program = INST + "/aider/bin/aider"
    tools = False

    def setup(self, home, base):
        write(home + "/.aider.conf.yml", "# mine\ncheck-update: false\nanalytics: false\n")
        write(home + "/.aider/caches/model_prices_and_context_window.json", "{}")  # else it asks for prices
        write(home + "/.aider/installs.json", "{}")

    def config(self, home): return [home + "/.aider.conf.yml", home + "/.aider/memdir.md"]

    def command(self, prompt):
        return [self.program, "--model", "openai/m", "--no-show-model-warnings", "--no-gitignore", "--no-auto-commits", "--no-show-release-notes",
                "--no-pretty", "--map-tokens", "0", "--yes-always", "--message", prompt]

    def env(self, home, base):
        return {"OPENAI_API_KEY": "x", "OPENAI_API_BASE": base + "/v1", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


CLIENTS = [Goose(), Cline(), Aider()]


def read(path):
    return open(path, "rb").read() if os.path.exists(path) else None


def scene_served(client, check):
    with Scratch(client, wired=False) as scratch:
        before = {path: read(path) for path in client.config(scratch.home)}
        scratch.memdir("init", client.name, "--yes", "--no-model")
        try:
            code, out, bodies, err = scratch.run(LESSON)
            asked = scratch.run("Please remember what I said of the ledger service") if client.tools else None
        finally:
            client.ended(scratch)
        check("exit code and answer", code == 0 and ANSWER in out, (code, out[-300:], err[-400:]))
        check("told of memory, once", bool(bodies) and text(bodies[0]).count(TOLD) == 1, [text(body).count(TOLD) for body in bodies])
        if asked:
            code, out, bodies, err = asked
            saved = [m for m in json.loads(scratch.memdir("export", "--json"))["memories"] if "MARK-NOON" in m["body"]]
            check("what its model remembers is there", code == 0 and len(saved) == 1, (code, out[-600:], err[-400:]))
            check("the model was told so", bool(bodies) and bool(saved) and saved[0]["file"] in text(bodies[-1]), len(bodies))
        found = json.loads(scratch.memdir("extract", "--all", "--host", client.name, "--json"))
        check("its conversation is found and learned from", any("pnpm" in saved["file"] for saved in found["saved"]), found)
        again = json.loads(scratch.memdir("init", client.name, "--yes", "--no-model", "--json"))
        check("wired already", not again["hosts"][0]["changes"], again)
        scratch.memdir("init", client.name, "--remove", "--yes")
        check("taken out, byte by byte", {path: read(path) for path in before} == before, [path for path in before if read(path) != before[path]])


def available(client):
    """Whether it is there, or could be installed; says so where not."""
    if client.installed():
        return True
    here = os.path.dirname(os.path.abspath(__file__))
    once = {"npm_config_fetch_retries": "0", "PIP_RETRIES": "0", "PIP_DEFAULT_TIMEOUT": "20"}  # without a registry it is known soon
    done = subprocess.run([here + "/install", INST, client.package], env={**os.environ, **once}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode or not client.installed():
        print("skip %-12s cannot be installed here: %s" % (client.name, (done.stderr.strip().splitlines() or ["no program"])[0][:160]), flush=True)
        return False
    return True
