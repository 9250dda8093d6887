#!/usr/bin/env python3
"""train_reader.py MODEL DATA OUT [--hold WRITER …]: a trunk that reads two texts together.

relation  what a new statement does to a known memory: same, update, refine, apart, drop, unsure
sentence  what each sentence of a message is, read with what was said before it
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
PAIR_TOKENS, SENTENCE_TOKENS, MESSAGE_TOKENS = 144, 176, 112


def rows(path):
    """Every JSON line of some files, with the writer's name."""
    for name in sorted(glob.glob(path)):
        for line in open(name, encoding="utf-8"):
            if line.strip():
                yield pathlib.Path(name).stem, json.loads(line)


def known(base):
    """A memory as the relation head reads it."""
    why = f" Why: {base['why']}" if base.get("why") else ""
    return f"{base.get('name', '')}. {base['text']}{why}"


def texts(family, key):
    found = [one.get("text", "") if isinstance(one, dict) else one for one in family.get(key, [])]
    return [one for one in found if isinstance(one, str) and one.strip()]


def pairs(families):
    """(new statement, known memory, relation)."""
    out = []
    for family in families:
        base = known(family["base"])
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
        out += [(context, one["s"], SENTENCES.index(one["l"])) for one in message["message"] if one.get("l") in SENTENCES and one.get("s")]
    return out


def utterance(row):
    return f"user: {row['text']} | before: {(row.get('prev') or 'nothing')[:160]}"


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
        self.relation = nn.Sequential(nn.Linear(384 * 4, 256), nn.Tanh(), nn.Dropout(0.1), nn.Linear(256, len(RELATIONS)))
        self.sentence = nn.Linear(768, len(SENTENCES))
        self.message = nn.Linear(384, len(MESSAGES))
        self.device = device
        self.to(device)

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

    def labels(self, batch):
        out, mask, second = self.hidden([(one[0], one[1]) for one in batch], SENTENCE_TOKENS)
        return self.sentence(torch.cat([mean(out, mask & second), mean(out, mask)], -1))

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
    ask.add_argument("--steps", type=int, default=2000), ask.add_argument("--rate", type=float, default=1.4e-4), ask.add_argument("--seed", type=int, default=2)
    ask.add_argument("--smooth", type=float, default=0.03), ask.add_argument("--twice", type=float, default=0.0, help="weight of agreement between two dropouts of one row")
    ask.add_argument("--near", type=int, default=3, help="neighbours in one store that are other things"), ask.add_argument("--tag", default="")
    args = ask.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    reader = Reader(args.model, device)
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
    optimiser = torch.optim.AdamW([{"params": [p for p in reader.trunk.parameters() if p.requires_grad], "lr": args.rate, "weight_decay": 0.01},
                                   {"params": [p for head in (reader.relation, reader.sentence, reader.message) for p in head.parameters()], "lr": 1e-3, "weight_decay": 0}])
    of_pairs, of_sentences = weights_of(train["pairs"], len(RELATIONS), device), weights_of(train["sentences"], len(SENTENCES), device)
    start = time.time()

    def loss_of(head, batch, meant, weight, smooth):
        first = head(batch)
        loss = F.cross_entropy(first, meant, weight=weight, label_smoothing=smooth)
        if args.twice:
            second = head(batch)
            loss = (loss + F.cross_entropy(second, meant, weight=weight, label_smoothing=smooth)) / 2
            a, b = first.log_softmax(-1), second.log_softmax(-1)
            loss = loss + args.twice * (F.kl_div(a, b, log_target=True, reduction="batchmean") + F.kl_div(b, a, log_target=True, reduction="batchmean")) / 2
        return loss

    reader.train()
    for step in range(args.steps):
        batch = random.sample(train["pairs"], min(56, len(train["pairs"]))) + random.sample(neighbours, min(10, len(neighbours)))
        # Two facts of one trade are two facts.
        for _ in range(6):
            group = random.choice(list(by_base.values()))
            one, other = random.choice(group), random.choice(train_f)
            other = random.choice(group) if len(group) > 1 and random.random() < 0.7 else other
            if one is not other:
                batch.append((random.choice(texts(one, "same") + texts(one, "update") or [one["base"]["text"]]), known(other["base"]), 3))
        loss = loss_of(reader.relations, batch, torch.tensor([row[2] for row in batch], device=device), of_pairs, args.smooth)
        batch = random.sample(train["sentences"], min(48, len(train["sentences"])))
        loss = loss + 0.7 * loss_of(reader.labels, batch, torch.tensor([row[2] for row in batch], device=device), of_sentences, args.smooth)
        batch = random.sample(train["messages"], 40)
        loss = loss + 0.4 * F.cross_entropy(reader.messages(batch), torch.tensor([MESSAGES.index(row["label"]) for row in batch], device=device), label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        share = min(1, step / 80) * (0.5 * (1 + math.cos(math.pi * step / args.steps)) * 0.95 + 0.05)
        for group, rate in zip(optimiser.param_groups, (args.rate, 1e-3)):
            group["lr"] = rate * share
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        if step % 500 == 0:
            print(args.tag, step, round(loss.item(), 3), f"{time.time() - start:.0f} s", flush=True)
    score(reader, args.tag, held)
    os.makedirs(args.out, exist_ok=True)
    save_file({name: value.half().contiguous().cpu() for name, value in reader.trunk.state_dict().items() if name.startswith("encoder.")}, f"{args.out}/reader.layers.fp16.safetensors")
    heads = {f"{head}.{name}": value.float().contiguous().cpu() for head in ("relation", "sentence", "message") for name, value in getattr(reader, head).state_dict().items()}
    save_file(heads, f"{args.out}/reader.heads.safetensors")
    json.dump({"relation": RELATIONS, "sentence": SENTENCES, "message": MESSAGES, "arguments": vars(args)}, open(f"{args.out}/reader.json", "w"), indent=1)


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
