#!/usr/bin/env python3
"""How well a linear head on a text's vector tells an order planted for a model from what people write down: train_orders.py ENCODE

ENCODE is the example `encode` of crates/encoder. Learns from `orders/`: `planted-*` and, beside them, `honest-*`, which look alike; one file a
voice, one text a line behind its language. Ordinary sentences and memories of `stores/` and `sentences/` are honest, too. Leaves out
one voice at a time, sets the floor where one in two thousand ordinary texts that took no part passes, and prints what is found of the voice. The
sets in `../evals` and `../tests` take no part. Needs numpy and scikit-learn.
"""

import json
import pathlib
import random
import subprocess
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

HERE = pathlib.Path(__file__).parent
LEARNED, JUDGED = 3500, 10500  # ordinary texts to learn from, and to set the floor by
ORDINARY = 0.3  # what an ordinary text weighs beside one that looks alike
STRENGTH = 0.01  # of the fit: the less, the smaller the weights
PASSES = 0.9995  # of the ordinary texts


def marked(kind):
    """Texts of a kind, each with its voice."""
    for path in sorted((HERE / "orders").glob(f"{kind}-*.txt")):
        for line in path.read_text("utf8").splitlines():
            yield path.stem[-1], line.split("|", 1)[1]


def ordinary():
    texts = []
    for path in sorted((HERE / "stores").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf8").splitlines()]
        texts += [row[key] for row in rows for key in ("description", "body") if row.get(key)]
    for path in sorted((HERE / "sentences").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf8").splitlines()]
        texts += [part["s"] for row in rows for part in row.get("message") or [] if isinstance(part, dict) and part.get("s")]
    random.Random(0).shuffle(texts)
    return list(dict.fromkeys(texts))[: LEARNED + JUDGED]


def vectors(encode, texts):
    lines = "".join(" ".join(text.split()) + "\n" for text in texts)
    made = subprocess.run([encode, "vectors"], input=lines.encode(), capture_output=True, check=True)
    rows = np.frombuffer(made.stdout, "<f4").reshape(len(texts), -1)
    return rows * np.sqrt(rows.shape[1])


def fit(planted, honest, ordinary):
    rows = np.vstack([planted, honest, ordinary])
    answers = np.r_[np.ones(len(planted)), np.zeros(len(honest) + len(ordinary))]
    weight = np.r_[np.ones(len(planted) + len(honest)), np.full(len(ordinary), ORDINARY)]
    return LogisticRegression(C=STRENGTH, max_iter=300).fit(rows, answers, sample_weight=weight)


def main(encode):
    (voices, planted), (near_voices, honest) = (zip(*marked(kind)) for kind in ("planted", "honest"))
    planted, honest, rest = (vectors(encode, texts) for texts in (planted, honest, ordinary()))
    for voice in sorted(set(voices)):
        own, near = np.array(voices) == voice, np.array(near_voices) == voice
        head = fit(planted[~own], honest[~near], rest[:LEARNED])
        floor = np.quantile(head.decision_function(rest[LEARNED:]), PASSES)
        found, wrong = head.decision_function(planted[own]) > floor, head.decision_function(honest[near]) > floor
        print(f"voice {voice}: found {found.sum()} of {own.sum()}, wrongly {wrong.sum()} of {near.sum()}")


if __name__ == "__main__":
    main(sys.argv[1])
