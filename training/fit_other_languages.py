#!/usr/bin/env python3
"""fit_other_languages.py ROWS.jsonl OUT.rs: fits the weights for prompts in languages other than English and Chinese, and writes
crates/search/src/weights_other_languages.rs.

ROWS come from the example `rank_features STORES shipped`, on the stores whose names begin with such a language (de_, es_, fr_, ja_, ko_,
pt_, ru_, vi_). Two logistic fits as in fit_ranker.py, and beside how near a memory is, how far it is above the others: a translation is less near
than what is said in English. The direction of prompts that need a memory is that of weights.rs. The floor is where, with one language left out at a
time, 'nothing' is right in 85 % of the prompts that need nothing, less what the first memory must be above it. Needs numpy and scikit-learn; seconds."""
import json, pathlib, re, sys
import numpy as np
from sklearn.linear_model import LogisticRegression
QUIET, FIRST, NOTHING_WEIGHT = 0.85, 1.2, 3.0
LANGUAGES = ("de_", "es_", "fr_", "ja_", "ko_", "pt_", "ru_", "vi_")
COUNT, COLUMNS = 15, [0, 1, 2, 3, 4, 5, 6, 12, 13, 14]
fitted = (pathlib.Path(__file__).parent / "../crates/search/src/weights.rs").read_text()
number = lambda name: [float(one) for one in re.search(name + r": [^=]*=\s*\[?([-\d., \n]+)", fitted)[1].replace("\n", " ").split(",") if one.strip()]
NEED, NEED_BIAS = np.array(number("NEED")), number("NEED_BIAS")[0]
sigmoid = lambda x: 1 / (1 + np.exp(-x))
D = []
for line in open(sys.argv[1]):
    d = json.loads(line); rows = d["rows"]
    if d["store"].startswith(LANGUAGES) and not d["learned"] and not d["tool"] and rows:
        D.append(dict(store=d["store"], kind=d["kind"], needed=d["relevant"], label=np.array([r[0] for r in rows]), X=np.array([r[3] for r in rows])[:, COLUMNS], need=np.array(d["vector"]) @ NEED + NEED_BIAS))

def fit(D):
    judged = [d["label"] >= 0 for d in D]
    X, y = np.concatenate([d["X"][k] for d, k in zip(D, judged)]), np.concatenate([d["label"][k] == 1 for d, k in zip(D, judged)])
    w = np.concatenate([np.full(k.sum(), 1.0 if d["needed"] else NOTHING_WEIGHT) for d, k in zip(D, judged)])
    pick = LogisticRegression(C=1, max_iter=1000).fit(X, y, sample_weight=w)
    gate = LogisticRegression(C=1, class_weight="balanced").fit([gate_row(d, pick.decision_function(d["X"])) for d in D], [d["needed"] > 0 for d in D]); return pick, gate
def gate_row(d, s): o = np.sort(s)[::-1]; return [d["need"], o[0], max(o[1] if len(o) > 1 else -30.0, o[0] - 6.0)]
def scores(d, model): s = model[0].decision_function(d["X"]); return sigmoid(s) * sigmoid(model[1].decision_function([gate_row(d, s)])[0])

S = [None] * len(D)
for store in {d["store"] for d in D}:
    model = fit([d for d in D if d["store"] != store])
    for i, d in enumerate(D):
        if d["store"] == store: S[i] = scores(d, model)
worst = [max([x for x, label in zip(s, d["label"]) if label == 0], default=0.0) for d, s in zip(D, S) if not d["needed"]]
first = float(np.quantile(worst, QUIET)); floor = first / FIRST; by, precision = {}, []
for d, s in zip(D, S):
    o = np.argsort(-s)[:5]; shown = d["label"][[i for i in o if s[o[0]] >= first and s[i] >= floor]]
    if d["needed"]: by.setdefault(d["kind"], []).append((shown == 1).sum() / d["needed"])
    if (shown != -1).any(): precision.append((shown == 1).sum() / (shown != -1).sum())
print(f"{len(D)} prompts, one language left out at a time: recall@5 {np.mean([x for v in by.values() for x in v]):.3f} precision {np.mean(precision):.3f} nothing {QUIET}", {k: round(float(np.mean(v)), 2) for k, v in by.items()})

pick, gate = fit(D); weights = np.zeros(COUNT + 1); weights[COLUMNS] = pick.coef_[0]; weights[COUNT] = pick.intercept_[0]
show = lambda values: "[" + ", ".join(f"{v:.3f}" for v in values) + "]"
open(sys.argv[2], "w").write(f'''//! How much each number of [`features`](super::features) counts for a prompt in a language other than English and
//! Chinese.
//!
//! Written by `training/fit_other_languages.py` from prompts of eight fictional teams in eight languages. Do not edit:
//! change the script and run it again.

use super::features::COUNT;

/// Weights of the numbers, and what is added to every score.
pub(super) const PICK_OTHER: [f32; COUNT + 1] = {show(weights)};
/// Whether any memory is needed: the prompt's own vector, the best and the second candidate, and a constant.
pub(super) const GATE_OTHER: [f32; 4] = {show(np.append(gate.coef_[0], gate.intercept_[0]))};
/// The least score that is shown.
pub(super) const FLOOR_OTHER: f32 = {floor:.3f};
''')
