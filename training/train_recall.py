#!/usr/bin/env python3
"""train_recall.py LANGUAGES DATA PARALLEL.jsonl.gz OUT [--fold K/N --vectors FILE] [--eval SET …]: trains the encoder for recall.

LANGUAGES is what train_languages.py made. A prompt must be near the memories it needs and far from the store's others; a prompt that
needs none must be near none. A sigmoid gives absolute scores, so one threshold works across stores. Translations go on having the
vector of their English sentence. A linear head labels a user's message (DATA/utterances.jsonl).

With `--fold K/N` every Nth store is left out, and their memories and prompts, as this encoder sees them, are written to `--vectors`:
the ranker is fitted on those (fit_ranker.py). FILE has one JSON line {"store", "memories", "prompts"} a store, followed by its vectors
(whole and header of each memory, then the prompts): 384 signed bytes and one float32 scale each. `--eval` takes folders like evals/recall.
"""
import argparse, glob, gzip, json, math, os, random, re, time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder_model import DEVICE, Rows, load, mean, memory_head, memory_text, read_stores, save, tokenizer, unit, vectors, vocabulary

LABELS = ["correction", "confirmation", "profile", "project", "reference", "remember", "forget", "ephemeral", "derivable", "question",
          "chitchat", "oneoff_correction", "secret", "quoted"]
MEMORY_TOKENS, PROMPT_TOKENS, MESSAGE_TOKENS = 128, 64, 112
STORES_A_STEP, PROMPTS_A_STORE, NOTHING_A_STORE = 4, 16, 6


def utterance(row):
    return f"user: {row['text']} | before: {(row.get('prev') or 'nothing')[:160]}"


def read_set(folder):
    stores = {}
    for path in sorted(glob.glob(f"{folder}/stores/*/*.md")):
        if not path.endswith("MEMORY.md"):
            head, body = re.match(r"---\n(.*?)\n---\n(.*)", open(path, encoding="utf-8").read(), re.S).groups()
            fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
            memory = {"name": fields.get("name", ""), "description": fields.get("description", "").strip('"'), "body": body}
            stores.setdefault(path.split("/")[-2], {})[os.path.basename(path)] = memory
    return stores, [json.loads(line) for line in open(f"{folder}/queries.jsonl", encoding="utf-8")]


def score(model, tokens, folder, title):
    """Recall among the five nearest, by cosine alone, and where "nothing" is kept."""
    stores, asked = read_set(folder)
    near = {name: [vectors(model, Rows(tokens, map(text, memories.values()), MEMORY_TOKENS)) for text in (memory_text, memory_head)] for name, memories in stores.items()}
    prompts, found = vectors(model, Rows(tokens, [row["query"] for row in asked], PROMPT_TOKENS)), []
    for row, prompt in zip(asked, prompts):
        names = list(stores[row["store"]])
        cosine = torch.maximum(*(side @ prompt for side in near[row["store"]])).tolist()
        found.append([(cos, name) for cos, name in sorted(zip(cosine, names), reverse=True) if name not in row["already_surfaced"]][:5])
    share = lambda row, best, floor: len({name for cos, name in best if cos > floor} & set(row["relevant"])) / len(row["relevant"])
    kinds = {}
    for row, best in zip(asked, found):
        if row["relevant"]:
            kinds.setdefault(row["kind"], []).append(share(row, best, -1))
    at_quiet = []
    for quiet in (0.75, 0.85, 0.92):
        floors = sorted({cos for best in found for cos, _ in best})
        for floor in floors[:: max(1, len(floors) // 150)]:
            silent = [not [1 for cos, name in best if cos > floor and name not in row["acceptable"]] for row, best in zip(asked, found) if row["kind"] == "nothing"]
            if np.mean(silent) >= quiet:
                at_quiet.append(f"{quiet}:{np.mean([share(row, best, floor) for row, best in zip(asked, found) if row['relevant']]):.3f}")
                break
    print(title, os.path.basename(folder), f"recall@5 {np.mean([one for all in kinds.values() for one in all]):.3f}", *at_quiet, {kind: round(float(np.mean(all)), 2) for kind, all in kinds.items()}, flush=True)


def write_vectors(model, tokens, stores, path):
    with open(path, "wb") as out:
        for store in stores:
            memories = list(store["m"].values())
            prompts = [text for text, _, kind in store["q"]] + store["nothing"]
            texts = [(map(memory_text, memories), MEMORY_TOKENS), (map(memory_head, memories), MEMORY_TOKENS), (prompts, PROMPT_TOKENS)]
            values = torch.cat([vectors(model, Rows(tokens, some, most)) for some, most in texts]).cpu().numpy()
            scale = np.abs(values).max(1, keepdims=True) / 127
            out.write((json.dumps({"store": store["name"], "memories": [one["m"] for one in memories], "prompts": prompts}) + "\n").encode())
            out.write(np.round(values / scale).astype(np.int8).tobytes() + scale.astype("<f4").tobytes())


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("languages"), ask.add_argument("data"), ask.add_argument("parallel"), ask.add_argument("out")
    ask.add_argument("--fold", default=""), ask.add_argument("--vectors", default=""), ask.add_argument("--eval", nargs="*", default=[])
    ask.add_argument("--steps", type=int, default=2400), ask.add_argument("--seconds", type=float, default=1e9), ask.add_argument("--rate", type=float, default=6e-5)
    ask.add_argument("--keep", type=float, default=0.8), ask.add_argument("--seed", type=int, default=1), ask.add_argument("--tag", default="")
    ask.add_argument("--freeze-words", action="store_true", help="leave the table of words as it is: a reader shares it")
    args = ask.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed)
    words = vocabulary(args.languages)
    tokens, model, start_model = tokenizer(words), load(args.languages), load(args.languages).eval()
    stores = read_stores(glob.glob(f"{args.data}/stores/*.jsonl"))
    held = []
    if args.fold:
        which, of = map(int, args.fold.split("/"))
        held = stores[which::of]
        stores = [store for store in stores if store not in held]
    pairs = [json.loads(line) for line in gzip.open(args.parallel, "rt", encoding="utf-8")]
    random.shuffle(pairs)
    pairs = pairs[:60000]
    english, translated = (Rows(tokens, [pair[side] for pair in pairs], 56) for side in ("en", "to"))
    goal = vectors(start_model, english).half()
    said = [json.loads(line) for line in open(f"{args.data}/utterances.jsonl", encoding="utf-8") if line.strip()]
    said_rows, said_labels = Rows(tokens, map(utterance, said), MESSAGE_TOKENS), [LABELS.index(row["label"]) for row in said]
    # Every memory in three views, and every prompt, by its place in one table each.
    seen, prompts_seen = [], []
    for store in stores:
        memories = list(store["m"].values())
        store["views"] = []
        for text in (memory_text, memory_head, lambda one: one["description"]):
            store["views"].append(range(len(seen), len(seen) + len(memories)))
            seen += map(text, memories)
        place = {memory["m"]: at for at, memory in enumerate(memories)}
        store["asked"] = [(len(prompts_seen) + at, [place[name] for name in needed]) for at, (_, needed, _) in enumerate(store["q"])]
        prompts_seen += [text for text, _, _ in store["q"]]
        store["silent"] = [(len(prompts_seen) + at, []) for at in range(len(store["nothing"]))]
        prompts_seen += store["nothing"]
        store["fits_all"] = [memory["m"] in store["universal"] for memory in memories]
    seen, prompts_seen = Rows(tokens, seen, MEMORY_TOKENS), Rows(tokens, prompts_seen, PROMPT_TOKENS)
    print(args.tag, len(stores), "stores", len(held), "held", sum(len(store["asked"]) for store in stores), "prompts", flush=True)
    model.embeddings.requires_grad_(not args.freeze_words)
    scale, bias = (nn.Parameter(torch.tensor(value, device=DEVICE)) for value in (math.log(20.0), -8.0))
    head = nn.Linear(384, len(LABELS)).to(DEVICE)
    optimiser = torch.optim.AdamW([{"params": [value for value in model.parameters() if value.requires_grad], "lr": args.rate, "weight_decay": 0.01}, {"params": [scale, bias], "lr": 5e-3, "weight_decay": 0},
                                   {"params": list(head.parameters()), "lr": 1e-3, "weight_decay": 0.01}], fused=DEVICE == "cuda")
    model.train()
    start, step, done = time.time(), 0, 0.0
    while done < 1:
        docs, owner, fits_all, prompts, needed, asked_in = [], [], [], [], [], []
        for at, store in enumerate(random.sample(stores, STORES_A_STEP)):
            first = len(docs)
            docs += [store["views"][random.choices((0, 1, 2), (0.65, 0.25, 0.1))[0]][place] for place in range(len(store["m"]))]
            owner += [at] * len(store["m"])
            fits_all += store["fits_all"]
            for row, places in random.sample(store["asked"], min(PROMPTS_A_STORE, len(store["asked"]))) + random.sample(store["silent"], min(NOTHING_A_STORE, len(store["silent"]))):
                prompts.append(row), needed.append([first + place for place in places]), asked_in.append(at)
        near = unit(model, prompts_seen, prompts) @ unit(model, seen, docs).T
        right = torch.zeros_like(near, dtype=torch.bool)
        for at, places in enumerate(needed):
            right[at, places] = True
        own = torch.tensor(owner, device=DEVICE)[None, :] == torch.tensor(asked_in, device=DEVICE)[:, None]
        either = torch.tensor(fits_all, device=DEVICE)[None, :] & own & ~right
        logit = near * scale.exp() + bias
        # Of those that are wrong, near misses count most.
        weight = torch.where(right, 1.0, 16 / 12 * torch.sigmoid(logit.detach())).masked_fill(either, 0)
        loss = (F.binary_cross_entropy_with_logits(logit, right.float(), reduction="none") * weight).sum() / len(prompts)
        some = right.any(1)
        lifted = (near / 0.05).masked_fill(either, -1e4)[some]
        loss = loss + 0.7 * (torch.logsumexp(lifted, 1) - torch.logsumexp(lifted.masked_fill(~right[some], -1e4), 1)).mean()
        at = random.sample(range(len(pairs)), 96)
        there, here, kept = unit(model, translated, at), unit(model, english, at), goal[at].float()
        loss = loss + args.keep * ((1 - (there * here).sum(-1)).mean() + (1 - (here * kept).sum(-1)).mean() + 0.3 * F.cross_entropy(there @ here.T / 0.05, torch.arange(len(at), device=DEVICE)))
        batch = random.sample(range(len(said_rows)), 48)
        loss = loss + F.cross_entropy(head(mean(model, *said_rows.batch(batch))), torch.tensor([said_labels[at] for at in batch], device=DEVICE), label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.param_groups[0]["lr"] = args.rate * min(1, step / 50) * (0.5 * (1 + math.cos(math.pi * done)) * 0.95 + 0.05)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        done = max(step / args.steps, (time.time() - start) / args.seconds)
        if step % 300 == 0:
            print(args.tag, step, round(loss.item(), 3), f"{time.time() - start:.0f} s", flush=True)
    model.eval()
    print(args.tag, step, "steps", flush=True)
    for folder in args.eval:
        score(model, tokens, folder, args.tag)
    if args.vectors:
        write_vectors(model, tokens, held, args.vectors)
    save(model, words, args.out)
    json.dump({"scale": scale.exp().item(), "bias": bias.item(), "labels": LABELS, "utterance_head": {"weight": head.weight.tolist(), "bias": head.bias.tolist()}}, open(f"{args.out}/head.json", "w"))


if __name__ == "__main__":
    main()
