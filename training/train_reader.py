#!/usr/bin/env python3
"""train_reader.py MODEL DATA OUT [--hold WRITER …]: a trunk that reads two texts together.

relation  what a new statement does to a known memory: same, update, refine, apart, drop, unsure
sentence  what each sentence of a message is, read with what was said before it, and whether it needs that to be understood
message   what a message is as a whole (the first encoder's head, kept)

MODEL is models/encoder; its token table stays as it is, so that both trunks share it. DATA holds families/*.jsonl and
sentences/*.jsonl, one file a writer (FORMAT-more.md), and utterances.jsonl. `--hold` leaves writers out of the training and scores on
them: the only number that says how a stranger's sentences will be read. Needs PyTorch, transformers, tokenizers, safetensors.
"""
import argparse, collections, glob, json, math, os, pathlib, random, time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel

RELATIONS = ["same", "update", "refine", "apart", "drop", "unsure"]
SENTENCES = ["rule", "praise", "profile", "fact", "pointer", "remember", "forget", "reason", "oneoff", "transient", "derivable",
             "question", "empty", "secret", "quoted", "hypothetical", "sarcasm", "retracted"]
MESSAGES = ["correction", "confirmation", "profile", "project", "reference", "remember", "forget", "ephemeral", "derivable",
            "question", "chitchat", "oneoff_correction", "secret", "quoted"]
WORTH_SAVING = 5  # the first so many labels of SENTENCES
CROSSED = ("same", "update", "refine", "refine", "apart", "forget")
PAIR_TOKENS, SENTENCE_TOKENS, MESSAGE_TOKENS = 144, 176, 112


def rows(path):
    """Every JSON line of some files, with the writer's name."""
    for name in sorted(glob.glob(path)):
        for line in open(name, encoding="utf-8"):
            if line.strip():
                yield pathlib.Path(name).stem, json.loads(line)


def known(base, vary=None, other=None):
    """A memory as the relation head reads it. With `vary`, as one of the many ways in which people and programs keep it: without its
    reason, under no name or a slug, among other sentences of the same note."""
    name, text, why = base.get("name", ""), base["text"], base.get("why")
    if vary:
        if why and vary.random() < 0.3:
            why = None
        chance = vary.random()
        if chance < 0.1:
            name = ""
        elif chance < 0.25:
            name = "_".join(name.lower().split())
        if other and vary.random() < 0.15:
            text = f"{text} {other}" if vary.random() < 0.5 else f"{other} {text}"
    stop = f"{name}. " if name else ""
    return f"{stop}{text}" + (f" Why: {why}" if why else "")


def texts(family, key):
    found = [one.get("text", "") if isinstance(one, dict) else one for one in family.get(key, [])]
    return [one for one in found if isinstance(one, str) and one.strip()]


def pairs(families, vary=None):
    """(new statement, known memory, relation)."""
    out = []
    for family in families:
        other = vary.choice(families)["base"]["text"] if vary else None
        base = known(family["base"], vary, other)
        for key, label in zip(("same", "update", "refine", "apart", "forget", "unsure"), range(6)):
            out += [(text, base, label) for text in texts(family, key)]
        same, update = texts(family, "same"), texts(family, "update")
        # What is known may itself be worded in any of these ways, and an update is one from either side.
        out += [(same[0], same[1], 0)] if len(same) > 1 else []
        out += [(family["base"]["text"], update[0], 1), (update[-1], same[0], 1)] if update and same else []
        out += [(same[-1], f"{family['base'].get('name', '')}. {update[0]}", 1)] if update and same else []
    return out


def sentences(messages):
    """(what was said before and the whole message, the sentence, label)."""
    out = []
    for message in messages:
        whole = " ".join(one["s"] for one in message["message"])
        context = f"{(message.get('before') or 'nothing')[-220:]} || {whole[:400]}"
        out += [(context, one["s"], SENTENCES.index(one["l"]), float(bool(one.get("needs")))) for one in message["message"] if one.get("l") in SENTENCES and one.get("s")]
    return out


def utterance(row):
    return f"user: {row['text']} | before: {(row.get('prev') or 'nothing')[:160]}"


# Texts whose scores the program is held against (crates/encoder/tests/golden/reader.json).
GOLDEN_PAIRS = [
    ("use yarn for installs", "Package manager. Installs go through pnpm, never npm Why: one lockfile"),
    ("installs are done with pnpm and nothing else", "Package manager. Installs go through pnpm, never npm"),
    ("pnpm for installs, but npm in the examples folder", "Package manager. Installs go through pnpm, never npm"),
    ("the docs repository installs with npm", "Package manager. Installs go through pnpm, never npm"),
    ("forget the pnpm rule", "Package manager. Installs go through pnpm, never npm"),
    ("should we try bun some day?", "Package manager. Installs go through pnpm, never npm"),
    ("Dana runs the rota", "Rota. Ben runs the rota until the new hire has settled in"),
    ("发版改到周二", "发版日. 每周四下午发版"),
    ("", "Empty. nothing"),
]
GOLDEN_SENTENCES = [
    ("I mocked the database.", "don't mock the db in these tests, a migration broke in prod last year. also rename foo to bar here", "don't mock the db in these tests,"),
    ("I mocked the database.", "don't mock the db in these tests, a migration broke in prod last year. also rename foo to bar here", "a migration broke in prod last year."),
    ("I mocked the database.", "don't mock the db in these tests, a migration broke in prod last year. also rename foo to bar here", "also rename foo to bar here"),
    ("", "I'm a hydrologist, I know fortran and little else", "I'm a hydrologist, I know fortran and little else"),
    ("", "why does the pod restart every hour?", "why does the pod restart every hour?"),
    ("Done.", "thanks, looks good", "thanks, looks good"),
    ("", "以后提交信息都写中文", "以后提交信息都写中文"),
    ("", "the dashboards are on grafana under Payments", "the dashboards are on grafana under Payments"),
]


class Reader(nn.Module):
    """The trunk and its heads."""

    def __init__(self, model, device):
        super().__init__()
        weights = {name: value.float() for name, value in load_file(f"{model}/model.fp16.safetensors").items()}
        vocabulary = open(f"{model}/vocab.txt", encoding="utf-8").read().split("\n")
        self.tokens = BertWordPieceTokenizer(vocab={word: at for at, word in enumerate(vocabulary) if word}, lowercase=True)
        config = BertConfig(vocab_size=weights["embeddings.word_embeddings.weight"].shape[0], hidden_size=384, num_hidden_layers=6,
                            num_attention_heads=12, intermediate_size=1536, max_position_embeddings=512)
        self.trunk = BertModel(config, add_pooling_layer=False)
        missing = self.trunk.load_state_dict(weights, strict=False).missing_keys
        assert not [name for name in missing if "position_ids" not in name], missing
        for value in self.trunk.embeddings.parameters():
            value.requires_grad_(False)
        self.relation = nn.Sequential(nn.Linear(384 * 4, 128), nn.Tanh(), nn.Dropout(0.1), nn.Linear(128, len(RELATIONS)))
        self.sentence = nn.Linear(768, len(SENTENCES))
        self.needs = nn.Linear(768, 1)
        self.message = nn.Linear(384, len(MESSAGES))
        self.device = device
        self.to(device)

    def go_on_from(self, folder):
        """Takes the weights that are shipped, to be trained further."""
        stored = load_file(f"{folder}/reader.int8.safetensors")
        whole = {name: value.float() * stored[name.removesuffix("weight") + "scale"][:, None] if value.dtype == torch.int8 else value.float()
                 for name, value in stored.items() if not name.endswith(".scale")}
        self.trunk.load_state_dict({name: value for name, value in whole.items() if name.startswith("encoder.")}, strict=False)
        self.load_state_dict({name: value for name, value in whole.items() if not name.startswith("encoder.")}, strict=False)

    def hidden(self, batch, most):
        self.tokens.enable_truncation(most)
        self.tokens.enable_padding()
        coded = self.tokens.encode_batch(batch)
        ids, mask, kinds = (torch.tensor([getattr(one, key) for one in coded], device=self.device) for key in ("ids", "attention_mask", "type_ids"))
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            out = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        return out.float(), mask.bool(), kinds == 1

    def relations(self, batch):
        out, mask, second = self.hidden([(one[0], one[1]) for one in batch], PAIR_TOKENS)
        a, b = mean(out, mask & ~second), mean(out, mask & second)
        return self.relation(torch.cat([a, b, (a - b).abs(), a * b], -1))

    def read_sentences(self, batch):
        out, mask, second = self.hidden([(one[0], one[1]) for one in batch], SENTENCE_TOKENS)
        read = torch.cat([mean(out, mask & second), mean(out, mask)], -1)
        return self.sentence(read), self.needs(read)[:, 0]

    def labels(self, batch):
        return self.read_sentences(batch)[0]

    def messages(self, batch):
        out, mask, _ = self.hidden([utterance(one) for one in batch], MESSAGE_TOKENS)
        return self.message(mean(out, mask))


def mean(out, mask):
    weight = mask.unsqueeze(-1).float()
    return (out * weight).sum(1) / weight.sum(1).clamp(min=1)


@torch.no_grad()
def predicted(head, rows, size=128):
    return torch.cat([head(rows[at:at + size]) for at in range(0, len(rows), size)]).softmax(-1).cpu() if rows else torch.zeros(0)


def recall_precision(said, meant, labels):
    out = {}
    for at, name in enumerate(labels):
        there, told = [s == at for s, m in zip(said, meant) if m == at], [m == at for s, m in zip(said, meant) if s == at]
        if there:
            out[name] = f"{sum(there) / len(there):.2f}/{sum(told) / max(1, len(told)):.2f} ({len(there)})"
    return out


def score(reader, title, held):
    """Prints what the heads say of rows that they were not trained on."""
    reader.eval()
    if held["pairs"]:
        said, meant = predicted(reader.relations, held["pairs"]).argmax(-1).tolist(), [row[2] for row in held["pairs"]]
        right = sum(s == m for s, m in zip(said, meant)) / len(meant)
        harm = sum(s in (0, 1, 2, 4) and m in (3, 5) for s, m in zip(said, meant)) / max(1, sum(m in (3, 5) for m in meant))
        print(title, f"relation {right:.3f} touched-what-is-apart {harm:.3f}", recall_precision(said, meant, RELATIONS), flush=True)
    if held["sentences"]:
        said, meant = predicted(reader.labels, held["sentences"]).argmax(-1).tolist(), [row[2] for row in held["sentences"]]
        right = sum(s == m for s, m in zip(said, meant)) / len(meant)
        saved = [m < WORTH_SAVING for s, m in zip(said, meant) if s < WORTH_SAVING]
        found = [s < WORTH_SAVING for s, m in zip(said, meant) if m < WORTH_SAVING]
        print(title, f"sentence {right:.3f} save precision {sum(saved) / max(1, len(saved)):.3f} recall {sum(found) / max(1, len(found)):.3f}",
              recall_precision(said, meant, SENTENCES), flush=True)
        with torch.no_grad():
            needs = torch.cat([reader.read_sentences(held["sentences"][at:at + 128])[1] for at in range(0, len(held["sentences"]), 128)]).sigmoid().tolist()
        said, meant = [int(n > 0.5) for n in needs], [int(row[3]) for row in held["sentences"]]
        print(title, "needs context", recall_precision(said, meant, ["no", "yes"]), flush=True)
    if held["messages"]:
        said = predicted(reader.messages, held["messages"]).argmax(-1).tolist()
        print(title, f"message {sum(MESSAGES[s] == m['label'] for s, m in zip(said, held['messages'])) / len(said):.3f}", flush=True)
    reader.train()


def weights_of(rows, count, device):
    seen = collections.Counter(row[2] for row in rows)
    weight = torch.tensor([1 / math.sqrt(seen[at] + 5) for at in range(count)], device=device)
    return weight / weight.mean()


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("model"), ask.add_argument("data"), ask.add_argument("out")
    ask.add_argument("--hold", nargs="*", default=[]), ask.add_argument("--only", nargs="*", default=[])
    ask.add_argument("--steps", type=int, default=2000), ask.add_argument("--seconds", type=float, default=1e9, help="end in this time, however many steps it is"), ask.add_argument("--rate", type=float, default=1.4e-4), ask.add_argument("--seed", type=int, default=2)
    ask.add_argument("--smooth", type=float, default=0.03), ask.add_argument("--vary", action="store_true", help="known memories in varied form"), ask.add_argument("--batch", type=int, default=56)
    ask.add_argument("--go-on", help="a folder with shipped weights to go on from; the message head is left alone then")
    ask.add_argument("--slow", type=float, default=0.0, help="share that the running mean of the weights keeps a step; 0: the last weights")
    ask.add_argument("--crossed", type=int, default=20, help="statements of one family beside the base of another, in each batch")
    ask.add_argument("--near", type=int, default=3, help="neighbours in one store that are other things"), ask.add_argument("--tag", default="")
    args = ask.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    reader = Reader(args.model, device)
    if args.go_on:
        reader.go_on_from(args.go_on)
    split = lambda found: ([row for who, row in found if who not in args.hold and (not args.only or who in args.only)], [row for who, row in found if who in args.hold])
    train_f, held_f = split([one for one in rows(f"{args.data}/families/*.jsonl") if "base" in one[1]])
    train_s, held_s = split([one for one in rows(f"{args.data}/sentences/*.jsonl") if one[1].get("message")])
    said = [row for _, row in rows(f"{args.data}/utterances.jsonl")]
    befores = sorted({row.get("prev") or row["text"] for row in said})
    random.Random(5).shuffle(befores)
    apart = set(befores[: len(befores) // 8])
    held = {"pairs": pairs(held_f), "sentences": sentences(held_s), "messages": [row for row in said if (row.get("prev") or row["text"]) in apart]}
    train = {"pairs": pairs(train_f), "sentences": sentences(train_s), "messages": [row for row in said if (row.get("prev") or row["text"]) not in apart]}
    neighbours = near_in_stores(reader, args) if args.near else []
    print(args.tag, {key: (len(train[key]), len(held[key])) for key in train}, "neighbours", len(neighbours), flush=True)
    by_base = collections.defaultdict(list)
    for family in train_f:
        by_base[(family.get("trade"), family.get("lang"))].append(family)
    like = alike_families(reader, train_f)
    optimiser = torch.optim.AdamW([{"params": [p for p in reader.trunk.parameters() if p.requires_grad], "lr": args.rate, "weight_decay": 0.01},
                                   {"params": [p for head in (reader.relation, reader.sentence, reader.needs, reader.message) for p in head.parameters()], "lr": 1e-3, "weight_decay": 0}])
    slow = {name: value.detach().clone() for name, value in reader.state_dict().items() if value.is_floating_point()}
    of_pairs, of_sentences = weights_of(train["pairs"], len(RELATIONS), device), weights_of(train["sentences"], len(SENTENCES), device)
    start = time.time()

    reader.train()
    step, done = -1, 0.0
    while done < 1:
        step += 1
        done = max((step + 1) / args.steps, (time.time() - start) / args.seconds)
        if args.vary and step % 250 == 0:
            train["pairs"] = pairs(train_f, random)
        batch = random.sample(train["pairs"], min(args.batch, len(train["pairs"]))) + random.sample(neighbours, min(10, len(neighbours)))
        # Two facts of one trade are two facts, however the statement is shaped: without these, "for the interns it is Friday" is
        # taken for an exception to anything.
        for _ in range(args.crossed):
            one = random.choice(train_f)
            group, chance = by_base[(one.get("trade"), one.get("lang"))], random.random()
            other = random.choice(group if chance < 0.35 else like[id(one)] if chance < 0.75 else train_f)
            if one is not other:
                said_of_one = random.choice([text for key in CROSSED for text in texts(one, key)] or [one["base"]["text"]])
                batch.append((said_of_one, known(other["base"], random if args.vary else None), 3))
        loss = F.cross_entropy(reader.relations(batch), torch.tensor([row[2] for row in batch], device=device), weight=of_pairs, label_smoothing=args.smooth)
        batch = random.sample(train["sentences"], min(args.batch, len(train["sentences"])))
        labels, needs = reader.read_sentences(batch)
        loss = loss + 0.7 * F.cross_entropy(labels, torch.tensor([row[2] for row in batch], device=device), weight=of_sentences, label_smoothing=args.smooth)
        loss = loss + 0.2 * F.binary_cross_entropy_with_logits(needs, torch.tensor([row[3] for row in batch], device=device))
        batch = random.sample(train["messages"], 40)
        loss = loss + (0 if args.go_on else 0.4) * F.cross_entropy(reader.messages(batch), torch.tensor([MESSAGES.index(row["label"]) for row in batch], device=device), label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        share = min(1, step / 80) * (0.5 * (1 + math.cos(math.pi * min(1, done))) * 0.95 + 0.05)
        for group, rate in zip(optimiser.param_groups, (args.rate, 1e-3)):
            group["lr"] = rate * share
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        if args.slow:
            keep = min(args.slow, (step + 1) / (step + 20))
            with torch.no_grad():
                for name, value in reader.state_dict().items():
                    if name in slow:
                        slow[name].mul_(keep).add_(value, alpha=1 - keep)
        if step % 500 == 0:
            print(args.tag, step, round(loss.item(), 3), f"{time.time() - start:.0f} s", flush=True)
    print(args.tag, step + 1, "steps", flush=True)
    if args.slow:
        reader.load_state_dict(slow, strict=False)
    score(reader, args.tag, held)
    os.makedirs(args.out, exist_ok=True)
    reader.eval()
    whole = [(f"{before or 'nothing'} || {message}", sentence) for before, message, sentence in GOLDEN_SENTENCES]
    golden = {"pairs": [{"new": new, "known": old, "chances": chances} for (new, old), chances in zip(GOLDEN_PAIRS, predicted(reader.relations, GOLDEN_PAIRS).tolist())],
              "sentences": [{"before": row[0], "message": row[1], "sentence": row[2], "chances": chances} for row, chances in zip(GOLDEN_SENTENCES, predicted(reader.labels, whole).tolist())]}
    json.dump(golden, open(f"{args.out}/golden.json", "w", encoding="utf-8"), ensure_ascii=False, indent=1)
    with open(f"{args.out}/held.jsonl", "w", encoding="utf-8") as out:
        for task, head in (("pairs", reader.relations), ("sentences", reader.labels)):
            for row, chances in zip(held[task], predicted(head, held[task]).tolist()):
                print(json.dumps({"task": task, "row": row, "chances": [round(one, 4) for one in chances]}, ensure_ascii=False), file=out)
    save_file({name: value.half().contiguous().cpu() for name, value in reader.trunk.state_dict().items() if name.startswith("encoder.")}, f"{args.out}/reader.layers.fp16.safetensors")
    heads = {f"{head}.{name}": value.float().contiguous().cpu() for head in ("relation", "sentence", "needs", "message") for name, value in getattr(reader, head).state_dict().items()}
    save_file(heads, f"{args.out}/reader.heads.safetensors")
    json.dump({"relation": RELATIONS, "sentence": SENTENCES, "message": MESSAGES, "arguments": vars(args)}, open(f"{args.out}/reader.json", "w"), indent=1)


@torch.no_grad()
def alike_families(reader, families, count=8):
    """The families whose bases are nearest to each family's."""
    reader.eval()
    vectors = []
    for at in range(0, len(families), 128):
        out, mask, _ = reader.hidden([known(family["base"]) for family in families[at:at + 128]], 64)
        vectors.append(F.normalize(mean(out, mask), dim=-1))
    vectors = torch.cat(vectors)
    near = (vectors @ vectors.T).fill_diagonal_(-1).topk(min(count, len(families) - 1)).indices.tolist()
    return {id(family): [families[at] for at in places] for family, places in zip(families, near)}


@torch.no_grad()
def near_in_stores(reader, args):
    """Neighbours inside one store are different things: hard examples of `apart`."""
    out = []
    reader.eval()
    for name in sorted(glob.glob(f"{args.data}/stores/*.jsonl")):
        lines = [json.loads(line) for line in open(name, encoding="utf-8") if line.strip()]
        memories = {row["m"]: row for row in lines if "m" in row}
        moved = {frozenset((row["old"].removesuffix(".md"), row["new"].removesuffix(".md"))) for row in lines if "old" in row}
        keys = list(memories)
        if len(keys) < 10:
            continue
        vectors = []
        for at in range(0, len(keys), 64):
            out_, mask, _ = reader.hidden([f"{memories[key]['name']}. {memories[key]['description']}" for key in keys[at:at + 64]], 48)
            vectors.append(F.normalize(mean(out_, mask), dim=-1))
        vectors = torch.cat(vectors)
        nearest = (vectors @ vectors.T).fill_diagonal_(-1).topk(min(args.near, len(keys) - 1)).indices.tolist()
        for one, others in enumerate(nearest):
            for other in others:
                if frozenset((keys[one], keys[other])) not in moved:
                    memory = memories[keys[other]]
                    out.append((memories[keys[one]]["description"], known({"name": memory["name"], "text": memory["description"]}), 3))
    reader.train()
    return out


if __name__ == "__main__":
    main()
