"""What is measured, and on what: the programs, and homes with a memory directory of a known size.

Nothing of the user's own home or environment is seen or touched.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

import gen_corpus  # noqa: E402  (lies one folder up)


REAL_VECTORS = 200
PROMPT = "the deploy of the billing service fails again after the migration, what should we check first"


class Programs:
    """Everything that is started, built once."""

    def __init__(self, scratch, binary=None):
        target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
        if binary is None:
            built("-p", "memdir-cli")
            built("-p", "memdir", "--example", "bulk_remember", "--example", "made_up_vectors", "--example", "bench_search")
        self.memdir = str(Path(binary).resolve() if binary else target / "memdir")
        self.examples = None if binary else target / "examples"
        self.empty = compiled("empty.c", scratch)
        self.bare = compiled("bare.c", scratch)
        self.node = shutil.which("node")
        self.valgrind = shutil.which("valgrind")


def built(*what):
    subprocess.run(["cargo", "build", "--release", "--quiet", *what], cwd=ROOT, check=True)


def compiled(source, scratch):
    """A static program: no loader, no shared library."""
    out = scratch / source.removesuffix(".c")
    subprocess.run(["cc", "-O2", "-static", "-o", out, HERE / source], check=True)
    return str(out)


class Home:
    """A home directory with one project and its memories."""

    def __init__(self, path, memdir):
        self.path, self.memdir = path, memdir
        self.project = path / "work" / "app"
        self.project.mkdir(parents=True)
        self.env = {"MEMDIR_NO_BACKGROUND": "1", "HOME": str(path), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
        self.repository()
        self.memory = Path(self.json("status")["memory"]["dir"])
        self.memory.parent.mkdir(parents=True, exist_ok=True)

    def repository(self):
        """A real project is a repository with a commit; without git it is a plain folder."""
        if shutil.which("git") is None:
            return
        git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "init.defaultBranch=main"]
        for verb in (["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message", "first"]):
            subprocess.run(git + verb, cwd=self.project, env=self.env, check=True)

    def fill(self, count):
        gen_corpus.generate(str(self.memory), count)
        return self

    def index(self, examples, size):
        """The search cache, with real vectors in a small store and made-up ones in a large one."""
        if size > REAL_VECTORS and examples:
            subprocess.run([examples / "made_up_vectors", self.path, self.project], check=True, stdout=subprocess.DEVNULL)
        elif size <= REAL_VECTORS:
            subprocess.run([self.memdir, "refresh"], cwd=self.project, env=self.env, check=True, stdout=subprocess.DEVNULL)

    def copy(self, other):
        shutil.copytree(other.memory, self.memory)  # times of change are copied too
        return self

    def json(self, *args):
        run = subprocess.run(
            [self.memdir, *args, "--json"], cwd=self.project, env=self.env, check=True, capture_output=True
        )
        return json.loads(run.stdout)

    def forget_cache(self):
        shutil.rmtree(self.path / ".cache", ignore_errors=True)

    def forget_everything(self):
        """As if memdir had never been here; the memories stay."""
        self.forget_cache()
        shutil.rmtree(self.path / ".local", ignore_errors=True)
