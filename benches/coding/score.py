"""Asks memdir, which is the one scorer, whether the cases hold (`memdir eval coding --answers`)."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

CATEGORIES = ["plain", "wrong_project", "stale", "poisoned", "duplicate", "abstain"]
ROOT = Path(__file__).resolve().parent.parent.parent


def scored(questions, refused, texts):
    """What `memdir eval coding` says of a system's answers: {categories, mean, characters, refused, cases}."""
    memdir = os.environ.get("MEMDIR", ROOT / "target" / "release" / "memdir")
    with tempfile.TemporaryDirectory(prefix="memdir-coding-") as folder:
        answers = Path(folder) / "answers.json"
        answers.write_text(json.dumps({"refused": refused, "texts": texts}), encoding="utf-8")
        done = subprocess.run([memdir, "eval", "coding", questions, "--answers", answers, "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)
