"""One machine of its own for a run of the program: a home, a project without git, a memory directory.

Nothing of the real user is seen or touched; no model, no network, no background.
"""
import json, os, pathlib, subprocess, tempfile, time

LOCK = ".consolidate-lock"
SECONDS = 300  # a command that takes longer hangs
MEMBER = {f"GIT_{role}_{what}": said for role in ("AUTHOR", "COMMITTER") for what, said in (("NAME", "ada"), ("EMAIL", "ada@example.org"))}


class Machine:
    def __init__(self, program, below, files=None, place="memory"):
        self.program, self.troubles = program, []
        self.home = pathlib.Path(tempfile.mkdtemp(dir=below))
        self.memory = self.home / "memory"
        self.project = self.home / "project"
        self.project.mkdir()
        self.folder = self.home / place
        self.memory.mkdir()
        self.env = MEMBER | {"PATH": os.environ["PATH"], "HOME": str(self.home), "TZ": "UTC", "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
                             "MEMDIR_OFFLINE": "1", "MEMDIR_NO_BACKGROUND": "1"}
        self.env |= {f"XDG_{kind}_HOME": str(self.home / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA", "STATE")}
        self.put(files or {})

    def put(self, files):
        """Files as a checkout leaves them: readable by all, written now."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o644)

    def files(self):
        """What is in the directory now; whether a dream is due is kept in the lock."""
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in sorted(self.folder.rglob("*"))
                if path.is_file() and path.name != LOCK}

    def ask(self, *arguments):
        """One command's JSON; what fails is a trouble, and an empty answer."""
        try:
            done = subprocess.run([self.program, "--memory-dir", self.memory, "--json", *arguments], env=self.env, cwd=self.project,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
            # What the doctor finds is an answer, too.
            if done.returncode == 0 or (done.returncode == 1 and "doctor" in arguments and "--fix" not in arguments):
                return json.loads(done.stdout)
            said = done.stderr.decode("utf8", "replace")
        except (subprocess.TimeoutExpired, ValueError) as error:
            said = str(error)
        self.troubles.append(f"{' '.join(map(str, arguments))[:60]}: {said.strip()[:300]}")
        return {}

    def timed(self, *arguments):
        start = time.perf_counter()
        return self.ask(*arguments), time.perf_counter() - start
