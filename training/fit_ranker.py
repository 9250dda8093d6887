#!/usr/bin/env python3
"""fit_ranker.py ROWS.jsonl FOLLOWUPS.jsonl OUT.rs: fits the ranker's weights and writes crates/search/src/weights.rs.

ROWS and FOLLOWUPS come from the example `rank_features` (first with the vectors of folds.py, then with followups.txt). Two questions,
two logistic fits: which memory (on every candidate; prompts that need none weigh three times; then what each type is worth beside the
rest), and whether any is needed (a direction of the prompt's vector, the best two candidates, tools in use, whether the best one warns
about such a tool). The floor is where, in
cross-validation over stores, 'nothing' is right in 85 % of the prompts that need nothing. The sets in ../evals are not read.
Needs numpy and scikit-learn; two minutes on one core."""
import json, sys, zlib
import numpy as np
from sklearn.linear_model import LogisticRegression
QUIET = 0.85; NOTHING_WEIGHT = 3.0; NEED_C = 0.05
COSINES, WORDS, TYPES = (0, 1, 2), (3, 4, 5, 6, 7), (8, 9, 10, 11)
def read(path):
    for line in open(path):
        d = json.loads(line); rows = d["rows"]
        yield dict(store=d["store"], kind=d["kind"], tool=d["tool"], text=d["text"], needed=d["relevant"], label=np.array([r[0] for r in rows], int), held=np.array([r[1] for r in rows], bool),
                   warns=np.array([r[2] for r in rows], bool), X=np.array([r[3][:12] for r in rows], np.float32).reshape(len(rows), 12), v=np.array(d["vector"], np.float32))
pick_one = lambda text, n: zlib.crc32(text.encode()) % n == 0
D = list(read(sys.argv[1])) + [d for d in read(sys.argv[2]) if pick_one(d["text"] + d["store"], 3)]
# People also ask for other things while a tool is in use: without these, every tool would mean silence.
D += [dict(d, tool=True, kind="tool_other") for d in D if not d["tool"] and d["needed"] and pick_one(d["text"], 7)]
sigmoid = lambda x: 1 / (1 + np.exp(-x))

def fit_pick(D, columns):
    X, y, w = [], [], []
    for d in D:
        k = ~d["held"] & (d["label"] >= 0); X.append(d["X"][k]); y.append(d["label"][k] == 1); w.append(np.full(k.sum(), 1.0 if d["needed"] else NOTHING_WEIGHT))
    m = LogisticRegression(C=1, max_iter=1000).fit(np.concatenate(X)[:, columns], np.concatenate(y), sample_weight=np.concatenate(w)); out = np.zeros(13); out[list(columns)] = m.coef_[0]; out[12] = m.intercept_[0]
    X, y, w = np.concatenate(X), np.concatenate(y), np.concatenate(w); s = X @ out[:12] + out[12]; worth = np.zeros(4)
    for t, column in enumerate(TYPES):  # Newton's steps for one number a type
        k = X[:, column] == 1
        for _ in range(20): q = sigmoid(s[k] + worth[t]); worth[t] += (w[k] * (y[k] - q)).sum() / ((w[k] * q * (1 - q)).sum() + 1)
    out[list(TYPES)] = worth - worth @ X[:, TYPES].sum(0) / X[:, TYPES].sum(); return out  # an untyped memory is worth the average
def picks(d, pick): return np.where(d["held"], -30.0, d["X"] @ pick[:12] + pick[12])
def fit_need(D):
    D = [d for d in D if not d["tool"] or d["kind"] == "tool_followup"]
    m = LogisticRegression(C=NEED_C, max_iter=1000, class_weight="balanced").fit([d["v"] for d in D], [d["needed"] > 0 for d in D]); return m.coef_[0], m.intercept_[0]
def gate_row(d, s, need):
    o = np.argsort(-s); second = max(s[o[1]] if len(s) > 1 else -30.0, s[o[0]] - 6.0); return [d["v"] @ need[0] + need[1], s[o[0]], second, float(d["tool"]), float(d["warns"][o[0]])]
def fit(D):
    # Prompts for a usage note while its tool is in use are only measured: fitted on, they cost warnings and did not help elsewhere.
    D = [d for d in D if d["kind"] != "tool_usage"]; need, pick = fit_need(D), fit_pick(D, COSINES + WORDS); G, y = [], []
    for d in D:
        if len(d["label"]) and (not d["needed"] or (d["label"] == 1).any()): G.append(gate_row(d, picks(d, pick), need)); y.append(d["needed"] > 0)
    g = LogisticRegression(C=1, max_iter=1000, class_weight="balanced").fit(G, y); return need, pick, np.append(g.coef_[0], g.intercept_[0])
def scores(d, model):
    need, pick, gate = model
    if not len(d["label"]): return np.zeros(0)
    s = picks(d, pick); return sigmoid(np.append(gate_row(d, s, need), 1.0) @ gate) * sigmoid(s) * ~d["held"]

stores = sorted({d["store"] for d in D}); S = [None] * len(D)
for k in range(5):  # the same split as folds.py
    out = set(stores[k::5]); model = fit([d for d in D if d["store"] not in out])
    for i, d in enumerate(D):
        if d["store"] in out: S[i] = scores(d, model)
worst = [max([s[i] for i in np.argsort(-s)[:5] if d["label"][i] == 0], default=0.0) for d, s in zip(D, S) if d["kind"] == "nothing"]
floor = float(np.quantile(worst, QUIET)); by, quiet, precision = {}, {}, []
for d, s in zip(D, S):
    shown = d["label"][[i for i in np.argsort(-s)[:5] if s[i] >= floor]]
    if d["needed"]: by.setdefault(d["kind"], []).append((shown == 1).sum() / d["needed"])
    else: quiet.setdefault(d["kind"], []).append(not (shown == 0).any())
    if (shown != -1).any(): precision.append((shown == 1).sum() / (shown != -1).sum())
print("left-out stores: recall@5 %.3f" % np.mean([x for v in by.values() for x in v]), "precision %.3f" % np.mean(precision), {k: round(float(np.mean(v)), 2) for k, v in by.items()}, "right to be silent", {k: round(float(np.mean(v)), 2) for k, v in quiet.items()})

need, pick, gate = fit(D); words = fit_pick([d for d in D if d["kind"] != "tool_usage"], WORDS); show = lambda values, digits: "[" + ", ".join(f"{v:.{digits}f}" for v in values) + "]"
open(sys.argv[3], "w").write(f'''//! How much each number of [`features`](super::features) counts.
//!
//! Written by `training/fit_ranker.py` from prompts of 49 fictional teams, with vectors of encoders that
//! had not seen them; the evaluation sets took no part. Do not edit: change the script and run it again.

use super::features::FITTED;
use memdir_encoder::DIMENSIONS;

/// Weights of the numbers, and what is added to every score.
pub(super) type Pick = [f32; FITTED + 1];

/// For a memory that has vectors.
pub(super) const PICK: Pick = {show(pick, 3)};
/// For a memory that has none yet: words alone.
pub(super) const PICK_WORDS: Pick = {show(words, 3)};
/// Whether any memory is needed: the prompt's own vector, the best and the second candidate, tools in
/// use, a warning about one of them, and a constant.
pub(super) const GATE: [f32; 6] = {show(gate, 3)};
/// The least score that is shown.
pub(super) const FLOOR: f32 = {floor:.3f};
/// The direction in which prompts lie that need a memory.
pub(super) const NEED: [f32; DIMENSIONS] = {show(need[0], 2)};
/// Its offset.
pub(super) const NEED_BIAS: f32 = {need[1]:.3f};
''')
