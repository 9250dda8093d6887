#!/usr/bin/env python3
"""train_languages.py ENCODER PARALLEL.jsonl.gz WORK [--seconds S]: learns the rows of the languages, and nothing else.

ENCODER is models/encoder, PARALLEL has {"lang", "en", "to"} a line (PARALLEL.md), WORK is what start_languages.py wrote. A translation is given the
vector that the program gives its English sentence (distillation; the trunk is frozen as in Artetxe et al. 2020). First with a stand-in for the trunk
that costs next to nothing: the mean of the tokens after the norm of the inputs, and the linear map from there that fits English sentences
best. Then for S seconds with the trunk itself. WORK gets languages.int8.safetensors anew, to be copied to models/encoder with languages.txt.
Needs PyTorch, transformers, tokenizers, safetensors, and cargo; made for a processor without a GPU.
"""
import argparse, pathlib, random, subprocess, time

import numpy as np
import torch
import torch.nn.functional as F

from encoder_model import load, tokenizer, vocabulary
from languages import LANGUAGES, encoded, language_tokenizer, read_pairs, ship, shipped

MOST_TOKENS, LONGEST = 40, 100  # characters of a translation that is learned from
PROGRAM = "cargo run -q --release -p memdir-encoder --example encode vectors".split()
NEAR_START, NEAR_MEAN, FAR, WARMTH = 0.02, 0.3, 0.25, 0.05


def teacher(texts):
    """The vectors that the program gives to texts, as shipped."""
    each = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    said = "\n".join(" ".join(text.split()) for text in each) + "\n"
    out = subprocess.run(PROGRAM, input=said.encode(), stdout=subprocess.PIPE, check=True).stdout
    return np.frombuffer(out, "<f4").reshape(len(each), 384)[[each[text] for text in texts]]


class Student:
    """The trunk as it is, with rows for the languages beside its table of words."""

    def __init__(self, folder, rows):
        self.model = load(folder, dropout=0.0).eval()
        for value in self.model.parameters():
            value.requires_grad_(False)
        self.table = self.model.embeddings.word_embeddings.weight
        self.start, self.rows = torch.tensor(rows), torch.tensor(rows, requires_grad=True)

    def unit(self, ids):
        """Unit vectors of token numbers, one text a row, which end in zeros."""
        ids = torch.as_tensor(ids)
        mask, own = ids > 0, (ids >= len(self.table)).unsqueeze(-1)
        words = F.embedding(ids.clamp(max=len(self.table) - 1), self.table)
        new = F.embedding((ids - len(self.table)).clamp(min=0), self.rows, sparse=True)
        with torch.autocast("cpu", torch.bfloat16):
            out = self.model(inputs_embeds=torch.where(own, new, words), attention_mask=mask.long()).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        return F.normalize((out.float() * weight).sum(1) / weight.sum(1), dim=-1)

    def inputs(self, rows):
        """What the first layer gets of a token, at a place of middling number."""
        words = self.model.embeddings
        place = words.position_embeddings.weight[1:14].mean(0) + words.token_type_embeddings.weight[0]
        return F.layer_norm(rows + place, (rows.shape[1],), words.LayerNorm.weight, words.LayerNorm.bias, 1e-12)


def padded(rows):
    out = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for at, row in enumerate(rows):
        out[at, :len(row)] = row
    return out


def with_markers(tokens, texts):
    tokens.no_padding()
    tokens.enable_truncation(MOST_TOKENS)
    return [np.array(one.ids, np.int64) for one in tokens.encode_batch(texts)]


def report(title, student, held, there, goal):
    """Of the held-out sentences: the share whose English one is the nearest among all, and the mean cosine, a language."""
    order = np.argsort([len(row) for row in there])
    near = np.zeros((len(there), 384), np.float32)
    with torch.no_grad():
        for part in np.array_split(order, max(1, len(order) // 100)):
            near[part] = student.unit(padded([there[at] for at in part])).numpy()
    cosine, found = (near * goal).sum(1), (near @ goal.T).argmax(1) == np.arange(len(goal))
    by = {lang: [at for at, pair in enumerate(held) if pair["lang"] == lang] for lang in LANGUAGES}
    print(title, f"all {found.mean():.3f}/{cosine.mean():.3f} |", " ".join(f"{lang} {found[at].mean():.2f}/{cosine[at].mean():.2f}" for lang, at in by.items()), flush=True)


def apart(unit, wanted):
    """How far vectors are from those that are wanted, and how much nearer to those of other sentences."""
    other = F.cross_entropy(unit @ wanted.T / WARMTH, torch.arange(len(unit)))
    return (1 - (unit * wanted).sum(-1)).mean() + FAR * other


def learn_with_means(student, there, english, goal, times, batch=2048, rate=5e-3):
    """Rows whose mean, mapped as that of English tokens is, comes near the vector; and near that mean, and near where they began."""
    old, goal = len(student.table), torch.tensor(goal)
    lengths = torch.tensor([[float(len(row))] for row in there]).clamp(min=1)
    bounds = lambda sizes: torch.tensor(np.r_[0, np.cumsum(sizes)[:-1]])
    with torch.no_grad():
        table = student.inputs(student.table)
        flat = lambda rows: torch.tensor(np.concatenate(rows).astype(np.int64))
        mean = F.embedding_bag(flat(english), table, bounds([len(row) for row in english]), mode="mean")
        centred, spread = mean - mean.mean(0), mean.std(0)
        ridge = 1e-3 * len(mean) * centred.var() * torch.eye(384)
        turn = torch.linalg.solve(centred.T @ centred + ridge, centred.T @ goal)
        shift = goal.mean(0) - mean.mean(0) @ turn
        known = flat(there)
        shared = F.embedding_bag(known.clamp(max=old - 1), table, bounds([len(row) for row in there]), mode="sum", per_sample_weights=(known < old).float())
    new = [(row[row >= old] - old).astype(np.int64) for row in there]
    optimiser, step, steps = torch.optim.Adam([student.rows], lr=rate), 0, max(1, times * (len(there) // batch))
    for _ in range(times):
        for at in np.array_split(np.random.permutation(len(there)), max(1, len(there) // batch)):
            some = [new[one] for one in at]
            own = F.embedding_bag(torch.tensor(np.concatenate(some)), student.inputs(student.rows), bounds([len(row) for row in some]), mode="sum")
            said = (shared[at] + own) / lengths[at]
            loss = apart(F.normalize(said @ turn + shift, dim=-1), goal[at])
            loss = loss + NEAR_MEAN * (((said - mean[at]) / spread) ** 2).mean() + NEAR_START * ((student.rows - student.start) ** 2).sum(1).mean()
            optimiser.zero_grad(), loss.backward()
            optimiser.param_groups[0]["lr"] = rate * max(0.03, 1 - step / steps)
            optimiser.step()
            step += 1


def learn_with_trunk(student, there, goal, seconds, batch=96, rate=2e-3):
    """Sentences of about one length together."""
    optimiser, lengths = torch.optim.SparseAdam([student.rows], lr=rate), np.array([len(row) for row in there])
    start, step, done = time.time(), 0, 0.0
    while done < 1:
        some = np.random.choice(len(there), min(8 * batch, len(there)), replace=False)
        parts = np.array_split(some[np.argsort(lengths[some])], 8)
        for at in random.sample(parts, len(parts)):
            loss = apart(student.unit(padded([there[one] for one in at])), torch.tensor(goal[at]))
            optimiser.zero_grad(), loss.backward()
            optimiser.param_groups[0]["lr"] = rate * min(1, (step + 1) / 10) * max(0.05, 1 - done)
            optimiser.step()
            step, done = step + 1, (time.time() - start) / seconds
    print(step, "steps with the trunk", flush=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("encoder"), ask.add_argument("parallel"), ask.add_argument("work")
    ask.add_argument("--seconds", type=float, default=900), ask.add_argument("--times", type=int, default=8, help="how often the stand-in sees every pair")
    args = ask.parse_args()
    torch.manual_seed(1), random.seed(1), np.random.seed(1), torch.set_num_threads(2)
    old, (held, pairs), (pieces, rows, sign) = vocabulary(args.encoder), read_pairs(args.parallel), shipped(args.work)
    tokens, student = language_tokenizer(old, pieces), Student(args.encoder, rows)
    held = [pair for pair in held if pair["lang"] in LANGUAGES]
    pairs = [pair for pair in pairs if pair["lang"] in LANGUAGES and len(pair["to"]) < LONGEST]
    there, goal = with_markers(tokens, [pair["to"] for pair in held]), teacher([pair["en"] for pair in held])
    report("as before", student, held, with_markers(tokenizer(old), [pair["to"] for pair in held]), goal)
    report("from the alignment", student, held, there, goal)
    wanted = teacher([pair["en"] for pair in pairs])
    plain = encoded(tokenizer(old), [pair["en"] for pair in pairs])
    learn_with_means(student, encoded(language_tokenizer(old, pieces), [pair["to"] for pair in pairs]), plain, wanted, args.times)
    report("with means", student, held, there, goal)
    if args.seconds > 0:
        learn_with_trunk(student, with_markers(tokens, [pair["to"] for pair in pairs]), wanted, args.seconds)
        report("with the trunk", student, held, there, goal)
    ship(pathlib.Path(args.work), pieces, student.rows.detach().numpy(), sign)


if __name__ == "__main__":
    main()
