"""A machine of its own for one row: a home, a project under git, the program. Nothing of the real user is seen."""

import json
import os
import pathlib
import subprocess
import tempfile
import zlib

import values

SECONDS = 120  # what takes longer hangs
MEMBER = {f"GIT_{role}_{what}": said for role in ("AUTHOR", "COMMITTER") for what, said in (("NAME", "ada"), ("EMAIL", "ada@example.org"))}


class Machine:
    def __init__(self, program, below):
        self.program = program
        self.home = pathlib.Path(tempfile.mkdtemp(dir=below))
        self.project = self.home / "project"
        self.project.mkdir()
        self.written = set()
        self.env = MEMBER | {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "TZ": "UTC",
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "MEMDIR_OFFLINE": "1",
            "MEMDIR_NO_BACKGROUND": "1",
        }

    def run(self, arguments, stdin=""):
        return self._process([str(self.program), *arguments], stdin)

    def _process(self, command, stdin=""):
        return subprocess.run(
            command, env=self.env, cwd=self.project, input=stdin, capture_output=True, timeout=SECONDS, check=False,
            encoding="utf8", errors="replace",
        )

    def learn(self, content, more):
        """Learns from a conversation of Claude Code in which this message stands under the person's name."""
        folder = self.home / ".claude" / "projects" / "".join(c if c.isascii() and c.isalnum() else "-" for c in str(self.project))
        folder.mkdir(parents=True)
        answer = [{"type": "text", "text": "Fine."}]
        lines = []
        for number, (role, said, keys) in enumerate([("user", content, more), ("assistant", answer, {})]):
            lines.append({
                "parentUuid": f"s1-{number - 1}" if number else None, "isSidechain": False, "type": role,
                "message": {"role": role, "content": said}, "uuid": f"s1-{number}", "timestamp": "2026-04-14T09:00:00Z",
                "sessionId": "s1", "cwd": str(self.project),
            } | keys)
        transcript = folder / "s1.jsonl"
        transcript.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf8")
        return self.run(["extract", str(transcript)])

    def gate(self, tool, given):
        """What the hook of an agent that memdir sent says of a call, in a project with links that lead elsewhere."""
        memory = self.home / "m"
        memory.mkdir()
        (memory / "memory.md").write_text("a\n", "utf8")
        for name in ("a.md", "a file.md", "outside.md"):
            (self.project / name).write_text("a\n", "utf8")
        for link, target in ((memory / "link.md", self.project / "a.md"), (memory / "out", self.project),
                             (self.project / "link-to-proc", "/proc"), (self.project / "procs", "/proc")):
            os.symlink(target, link)
        os.link(self.project / "outside.md", memory / "hard.md")
        given = _filled(given, {"home": str(self.home), "project": str(self.project)})
        terms = {"roots": [str(memory)], "only_edit": None, "cwd": str(self.project), "mark": None}
        call = {"hook_event_name": "PreToolUse", "cwd": str(self.project), "tool_name": tool, "tool_input": given}
        self.env["MEMDIR_ERRAND"] = json.dumps(terms)
        return self.run(["gate", "claude"], json.dumps(call))

    def memories(self):
        """The text of every memory."""
        return [path.read_text("utf8") for path in self.home.glob(".claude/projects/*/memory/**/*.md")]

    def play(self, row):
        """Plays the steps of a scene. Leaves what was wrong first, or nothing."""
        names = {"home": str(self.home), "project": str(self.project)}
        for name, shape in row.get("values", {}).items():
            names[name] = values.expand(shape, f"{row['id']} {name}")
        self._process(["git", "init", "-q", "."])
        for number, step in enumerate(row["steps"], 1):
            wrong = self._step(_filled(step, names))
            if wrong:
                return f"step {number}: {wrong}"
        for text in _filled(row.get("nowhere", []), names):
            for path in self._traces(text):
                return f"{text!r} still lies in {path}"
        return None

    def _step(self, step):
        for name, content in step.get("write", {}).items():
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else "".join(json.dumps(line) + "\n" for line in content), "utf8")
            self.written.add(path)
        if "run" not in step and "shell" not in step:
            return None
        stdin = step.get("stdin", "")
        stdin = stdin if isinstance(stdin, str) else json.dumps(stdin)
        done = self.run(step["run"], stdin) if "run" in step else self._process(["sh", "-c", step["shell"]], stdin)
        said = done.stdout + done.stderr
        if "exit" in step and done.returncode != step["exit"]:
            return f"exit {done.returncode} instead of {step['exit']}: {said.strip()[:300]}"
        for text in step.get("says", []):
            if text not in said:
                return f"does not say {text!r}: {said.strip()[:300]}"
        for text in step.get("hides", []):
            if text in said:
                return f"says {text!r}"
        return None

    def _traces(self, text):
        """Files below the home, but for those that the row wrote itself, that hold a text: in its bytes, in its name, or packed."""
        needles = {text.encode(), json.dumps(text)[1:-1].encode(), json.dumps(text, ensure_ascii=False)[1:-1].encode()}
        for path in sorted(self.home.rglob("*")):
            if path in self.written or not path.is_file():
                continue
            raw = path.read_bytes()
            bytes_of = [raw, path.name.encode()]
            try:
                bytes_of.append(zlib.decompress(raw, wbits=47))
            except zlib.error:
                pass
            if any(needle in content for needle in needles for content in bytes_of):
                yield path.relative_to(self.home)


def _filled(value, names):
    if isinstance(value, str):
        for name, content in names.items():
            value = value.replace("{" + name + "}", content)
        return value
    if isinstance(value, list):
        return [_filled(one, names) for one in value]
    if isinstance(value, dict):
        return {_filled(key, names): _filled(one, names) for key, one in value.items()}
    return value
