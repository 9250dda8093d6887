#!/usr/bin/env python3
"""train_reader.py ENCODER DATA OUT [--go-on READER] [--hold WRITER …] [--corrections FILE …]: a trunk that reads two texts together.

relation   what a new statement does to a known memory: same, update, refine, apart, drop, unsure
sentence   what each sentence of a message is, read with what was said before it, and whether it needs that to be understood

ENCODER is models/encoder; its tables of words stay as they are, so that both trunks share them. DATA holds cases/, families/, sentences/ (one
file a writer) and stores/ (FORMAT.md, FORMAT-more.md). `--go-on` starts from the weights of a folder that quantise_reader.py wrote. `--hold`
leaves writers out of the training and scores on them: the only number that says how a stranger's sentences will be read. `--corrections` are
sets that are only scored. Needs PyTorch, transformers, tokenizers, safetensors; runs on a GPU or on one core that knows bfloat16.
"""
import argparse, collections, glob, json, math, os, random, time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

from encoder_model import DEVICE, load, mean, read_stores
from reader_texts import (CROSSED, RELATIONS, SENTENCES, WORTH_SAVING, PairRows, Pool, Texts, as_cases, base, case_pairs, family_pairs,
                          known, rows, sentence_pairs, texts_of)

PAIR_TOKENS, SENTENCE_TOKENS = 144, 176

# Texts whose scores the program is held against (crates/encoder/tests/golden/reader.json).
GOLDEN_PAIRS = [
    ("use yarn for installs", "Package manager. Installs go through pnpm, never npm"),
    ("installs are done with pnpm and nothing else", "Package manager. Installs go through pnpm, never npm"),
    ("pnpm for installs, but npm in the examples folder", "Package manager. Installs go through pnpm, never npm"),
    ("the docs repository installs with npm", "Package manager. Installs go through pnpm, never npm"),
    ("forget the pnpm rule", "Package manager. Installs go through pnpm, never npm"),
    ("should we try bun some day?", "Package manager. Installs go through pnpm, never npm"),
    ("Dana runs the rota", "Rota. Ben runs the rota until the new hire has settled in"),
    ("发版改到周二", "发版日. 每周四下午发版"),
    ("Releases gehen ab jetzt dienstags raus", "Release day. Releases go out on Thursdays after the stand-up"),
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

    def __init__(self, encoder):
        super().__init__()
        self.texts = Texts(encoder)
        self.trunk = load(encoder, self.texts.words + len(self.texts.rows), attention_dropout=0.0)
        with torch.no_grad():
            self.trunk.embeddings.word_embeddings.weight[self.texts.words:] = self.texts.rows
        for value in self.trunk.embeddings.parameters():
            value.requires_grad_(False)
        self.relation = nn.Sequential(nn.Linear(384 * 4, 128), nn.Tanh(), nn.Dropout(0.1), nn.Linear(128, len(RELATIONS)))
        self.sentence = nn.Linear(768, len(SENTENCES))
        self.needs = nn.Linear(768, 1)
        self.to(DEVICE)

    def heads(self):
        return [self.relation, self.sentence, self.needs]

    def go_on_from(self, folder):
        """Takes the weights that are shipped, to be trained further."""
        stored = load_file(f"{folder}/reader.int8.safetensors")
        whole = {name: value.float() * stored[name.removesuffix("weight") + "scale"][:, None] if value.dtype == torch.int8 else value.float()
                 for name, value in stored.items() if not name.endswith(".scale")}
        trunk = {name: value for name, value in whole.items() if name.startswith("encoder.")}
        heads = {name: value for name, value in whole.items() if not name.startswith("encoder.")}
        left = set(self.trunk.load_state_dict(trunk, strict=False).unexpected_keys) | set(self.load_state_dict(heads, strict=False).unexpected_keys)
        assert not left, left

    def hidden(self, batch):
        padded, mask, second = batch
        with torch.autocast(DEVICE, torch.bfloat16):
            out = self.trunk(input_ids=padded, attention_mask=mask.long(), token_type_ids=second.long()).last_hidden_state
        return out.float(), mask, second

    def relations(self, batch):
        out, mask, second = self.hidden(batch)
        a, b = over(out, mask & ~second), over(out, second)
        return self.relation(torch.cat([a, b, (a - b).abs(), a * b], -1))

    def read_sentences(self, batch):
        out, mask, second = self.hidden(batch)
        read = torch.cat([over(out, second), over(out, mask)], -1)
        return self.sentence(read), self.needs(read)[:, 0]

    def labels(self, batch):
        return self.read_sentences(batch)[0]


def over(out, mask):
    weight = mask.unsqueeze(-1).float()
    return (out * weight).sum(1) / weight.sum(1).clamp(min=1)


@torch.no_grad()
def predicted(head, rows, size=96):
    """What a head says of all rows."""
    order = sorted(range(len(rows)), key=lambda at: rows.host_lengths[at])
    found = torch.cat([head(rows.batch(order[at:at + size])).cpu() for at in range(0, len(order), size)])
    out = torch.empty_like(found)
    out[order] = found
    return out


def recall_precision(said, meant, labels):
    out = {}
    for at, name in enumerate(labels):
        there, told = [s == at for s, m in zip(said, meant) if m == at], [m == at for s, m in zip(said, meant) if s == at]
        if there:
            out[name] = f"{sum(there) / len(there):.2f}/{sum(told) / max(1, len(told)):.2f} ({len(there)})"
    return out


def score_pairs(reader, title, pairs):
    if not pairs:
        return []
    chances = predicted(reader.relations, PairRows(reader.texts, [one[:2] for one in pairs], PAIR_TOKENS)).softmax(-1)
    said, meant = chances.argmax(-1).tolist(), [row[2] for row in pairs]
    harm = sum(s in (0, 1, 2, 4) and m in (3, 5) for s, m in zip(said, meant)) / max(1, sum(m in (3, 5) for m in meant))
    print(title, f"relation {sum(s == m for s, m in zip(said, meant)) / len(meant):.3f} touched-what-is-apart {harm:.3f}", recall_precision(said, meant, RELATIONS), flush=True)
    return chances.tolist()


def score_sentences(reader, title, some):
    if not some:
        return []
    read = PairRows(reader.texts, [one[:2] for one in some], SENTENCE_TOKENS)
    chances = predicted(reader.labels, read).softmax(-1)
    said, meant = chances.argmax(-1).tolist(), [row[2] for row in some]
    saved = [m < WORTH_SAVING for s, m in zip(said, meant) if s < WORTH_SAVING]
    found = [s < WORTH_SAVING for s, m in zip(said, meant) if m < WORTH_SAVING]
    print(title, f"sentence {sum(s == m for s, m in zip(said, meant)) / len(meant):.3f} save precision {sum(saved) / max(1, len(saved)):.3f} recall {sum(found) / max(1, len(found)):.3f}",
          recall_precision(said, meant, SENTENCES), flush=True)
    return chances.tolist()


def score_cases(reader, title, cases, floor=0.45):
    """What one decides who takes the memory that is likeliest meant."""
    if not cases:
        return
    pairs = case_pairs(cases)
    best, tally = {}, collections.Counter()
    for scores, (said, _, _, place, file, _) in zip(score_pairs(reader, title, pairs), pairs):
        meant = 1 - scores[3] - scores[5]
        if meant > best.get((place, said), (-1,))[0]:
            best[place, said] = (meant, RELATIONS[max((0, 1, 2, 4), key=lambda at: scores[at])], file)
    for place, case in enumerate(cases):
        for said in case["say"]:
            meant, relation, file = best[place, said["s"]]
            wanted = "drop" if said["r"] == "forget" else said["r"]
            got = relation if meant >= floor else "apart"
            right = got == "apart" if wanted in ("apart", "unsure") else got == wanted and file == said["t"]
            tally[wanted, right] += 1
    print(title, "verdicts", {one: f"{tally[one, True]}/{tally[one, True] + tally[one, False]}" for one in RELATIONS if tally[one, True] + tally[one, False]}, flush=True)


def weights_of(drawn, count):
    """What an example of each relation weighs, by how often it is drawn."""
    seen = collections.Counter()
    for pool, size in drawn:
        for label, times in collections.Counter(pool.labels.tolist()).items():
            seen[label] += size * times / max(1, len(pool))
    weight = torch.tensor([1 / math.sqrt(seen[at] + 1) for at in range(count)], device=DEVICE)
    return weight / weight.mean()


@torch.no_grad()
def nearest(reader, trunk, texts, count):
    """The nearest others of each text, by the encoder."""
    read = [[101, *ids[:62], 102] for ids in reader.texts.ids(texts)]
    order, places = sorted(range(len(read)), key=lambda at: len(read[at])), torch.empty(len(read), 384)
    for start in range(0, len(order), 128):
        part = order[start:start + 128]
        width = max(len(read[at]) for at in part)
        padded = torch.tensor([read[at] + [0] * (width - len(read[at])) for at in part], device=DEVICE)
        places[part] = F.normalize(mean(trunk, padded, padded > 0), dim=-1).cpu()
    return (places @ places.T).fill_diagonal_(-1).topk(min(count, len(texts) - 1)).indices.tolist()


def crossed(reader, families, trunk, count=30000):
    """Statements of one family beside the base of another, mostly one that is near."""
    near_by = collections.defaultdict(list)
    for family in families:
        near_by[family.get("trade"), family.get("lang")].append(family)
    like = nearest(reader, trunk, [base(family) for family in families], 8)
    out = []
    for _ in range(count):
        at = random.randrange(len(families))
        one, chance = families[at], random.random()
        other = random.choice(near_by[one.get("trade"), one.get("lang")]) if chance < 0.35 else families[random.choice(like[at])] if chance < 0.75 else random.choice(families)
        if one is not other:
            said = random.choice([text for key in CROSSED for text in texts_of(one, key)] or [one["base"]["text"]])
            out.append((said, base(other, random), 3))
    return out


def neighbours(reader, stores, trunk, count=3):
    """Memories near each other inside one store are different things."""
    out = []
    for store in stores:
        memories = list(store["m"].values())
        moved = {frozenset(pair) for pair in store["old"]}
        for memory, places in zip(memories, nearest(reader, trunk, [f"{memory['name']}. {memory['description']}" for memory in memories], count)):
            others = [memories[place] for place in places if frozenset((memory["m"], memories[place]["m"])) not in moved]
            out += [(memory["description"], known(other["name"], other["description"], other["body"], memory["description"], random), 3) for other in others]
    return out


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("encoder"), ask.add_argument("data"), ask.add_argument("out"), ask.add_argument("--go-on")
    ask.add_argument("--hold", nargs="*", default=[]), ask.add_argument("--corrections", nargs="*", default=[])
    ask.add_argument("--steps", type=int, default=6000), ask.add_argument("--seconds", type=float, default=1e9, help="end in this time, however many steps it is")
    ask.add_argument("--rate", type=float, default=2e-4), ask.add_argument("--head-rate", type=float, default=1e-3), ask.add_argument("--seed", type=int, default=2)
    ask.add_argument("--smooth", type=float, default=0.03), ask.add_argument("--slow", type=float, default=0.998, help="share that the running mean of the weights keeps a step")
    ask.add_argument("--draw", type=int, nargs=6, default=[56, 40, 40, 16, 60, 20], help="rows of a step: families, cases, their other memories, things apart, sentences, plain ones")
    ask.add_argument("--every", type=float, default=1e9, help="write and score after so many seconds, too"), ask.add_argument("--threads", type=int)
    args = ask.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed)
    if args.threads:
        torch.set_num_threads(args.threads)
    reader = Reader(args.encoder)
    if args.go_on:
        reader.go_on_from(args.go_on)
    split = lambda found: ([row for who, row in found if who not in args.hold], [row for who, row in found if who in args.hold])
    train_f, held_f = split([one for one in rows(f"{args.data}/families/*.jsonl") if "base" in one[1]])
    train_c, held_c = split(list(rows(f"{args.data}/cases/*.jsonl")))
    train_s, held_s = split([one for one in rows(f"{args.data}/sentences/*.jsonl") if one[1].get("message")])
    trunk = load(args.encoder, len(reader.trunk.embeddings.word_embeddings.weight)).eval()
    trunk.embeddings.load_state_dict(reader.trunk.embeddings.state_dict())
    stores = read_stores(glob.glob(f"{args.data}/stores/*.jsonl"))

    # Known memories in several forms; two facts of one trade are two facts, however the statement is shaped.
    of_families = Pool(reader.texts, [pair for _ in range(3) for pair in family_pairs(train_f, random)], PAIR_TOKENS)
    of_cases = [pair for _ in range(3) for pair in case_pairs(train_c, random)]
    about = Pool(reader.texts, [pair for pair in of_cases if pair[5]], PAIR_TOKENS)
    beside = Pool(reader.texts, [pair for pair in of_cases if not pair[5]], PAIR_TOKENS)
    apart = Pool(reader.texts, crossed(reader, train_f, trunk) + neighbours(reader, stores, trunk), PAIR_TOKENS)
    # Short ones that say no reason have a share of their own: there are few beside the long ones, and a rule said plainly is still a rule.
    plain = {row["id"] for row in train_s if len(row["message"]) < 3 and sum(len(one["s"]) for one in row["message"]) < 90}
    of_messages = [(sentence_pairs([row for row in train_s if (row["id"] in plain) == short])) for short in (False, True)]
    of_messages = [(Pool(reader.texts, some, SENTENCE_TOKENS), torch.tensor([row[3] for row in some], device=DEVICE)) for some in of_messages]
    messages = sentence_pairs(train_s)
    counts = {"families": len(of_families), "about": len(about), "beside": len(beside), "apart": len(apart), "sentences": [len(pool) for pool, _ in of_messages]}
    print(counts, {"held cases": len(held_c), "families": len(held_f), "messages": len(held_s)}, flush=True)
    optimiser = torch.optim.AdamW([{"params": [p for p in reader.trunk.parameters() if p.requires_grad], "lr": args.rate, "weight_decay": 0.01},
                                   {"params": [p for head in reader.heads() for p in head.parameters()], "lr": args.head_rate, "weight_decay": 0}])
    slow = {name: value.detach().clone() for name, value in reader.state_dict().items() if value.is_floating_point() and "embeddings" not in name}
    drawn = list(zip((of_families, about, beside, apart), args.draw))
    weight, pairs_a_step = weights_of(drawn, len(RELATIONS)), sum(args.draw[:4])
    kinds = collections.Counter(row[2] for row in messages)
    weight_s = torch.tensor([1 / math.sqrt(kinds[at] + 5) for at in range(len(SENTENCES))], device=DEVICE)
    weight_s /= weight_s.mean()

    def keep(title):
        """Writes and scores the running mean of the weights."""
        fast = {name: value.clone() for name, value in reader.state_dict().items() if name in slow}
        reader.load_state_dict(slow, strict=False)
        reader.eval()
        score_pairs(reader, title, family_pairs(held_f))
        score_sentences(reader, title, sentence_pairs(held_s))
        score_cases(reader, f"{title} cases", held_c)
        if args.corrections:
            score_cases(reader, f"{title} corrections", [case for path in args.corrections for case in as_cases(path)])
        write(reader, args)
        reader.load_state_dict(fast, strict=False)
        reader.train()

    start, step, done, kept = time.time(), 0, 0.0, 0
    reader.train()
    while done < 1:
        optimiser.zero_grad()
        for pool, count in drawn:
            places = pool.draw(count)
            (len(places) / pairs_a_step * F.cross_entropy(reader.relations(pool.rows.batch(places)), pool.labels[places], weight=weight, label_smoothing=args.smooth)).backward()
        for (pool, needs), count in zip(of_messages, args.draw[4:]):
            places = pool.draw(count)
            labels, needing = reader.read_sentences(pool.rows.batch(places))
            loss = 0.7 * F.cross_entropy(labels, pool.labels[places], weight=weight_s, label_smoothing=args.smooth) + 0.2 * F.binary_cross_entropy_with_logits(needing, needs[places])
            (len(places) / sum(args.draw[4:]) * loss).backward()
        share_of = min(1, step / 60) * (0.5 * (1 + math.cos(math.pi * min(1, done))) * 0.95 + 0.05)
        for group, rate in zip(optimiser.param_groups, (args.rate, args.head_rate)):
            group["lr"] = rate * share_of
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        step += 1
        passed = time.time() - start
        done = max(step / args.steps, passed / args.seconds)
        share_kept = min(args.slow, step / (step + 20))
        with torch.no_grad():
            now = reader.state_dict()
            torch._foreach_mul_(list(slow.values()), share_kept)
            torch._foreach_add_(list(slow.values()), [now[name] for name in slow], alpha=1 - share_kept)
        if step % 50 == 0:
            print(step, f"{passed:.0f} s", flush=True)
        if passed // args.every > kept:
            kept = passed // args.every
            keep(f"after {step} steps")
    keep(f"after all {step} steps")


def write(reader, args):
    read = lambda some, most: PairRows(reader.texts, some, most)
    whole = [((before or "nothing", " || ", message), sentence) for before, message, sentence in GOLDEN_SENTENCES]
    golden = {"pairs": [{"new": new, "known": old, "chances": chances} for (new, old), chances in zip(GOLDEN_PAIRS, predicted(reader.relations, read(GOLDEN_PAIRS, PAIR_TOKENS)).softmax(-1).tolist())],
              "sentences": [{"before": row[0], "message": row[1], "sentence": row[2], "chances": chances} for row, chances in zip(GOLDEN_SENTENCES, predicted(reader.labels, read(whole, SENTENCE_TOKENS)).softmax(-1).tolist())]}
    os.makedirs(args.out, exist_ok=True)
    json.dump(golden, open(f"{args.out}/golden.json", "w", encoding="utf-8"), ensure_ascii=False, indent=1)
    save_file({name: value.half().contiguous().cpu() for name, value in reader.trunk.state_dict().items() if name.startswith("encoder.")}, f"{args.out}/reader.layers.fp16.safetensors")
    heads = {f"{head}.{name}": value.float().contiguous().cpu() for head in ("relation", "sentence", "needs") for name, value in getattr(reader, head).state_dict().items()}
    save_file(heads, f"{args.out}/reader.heads.safetensors")
    json.dump({"relation": RELATIONS, "sentence": SENTENCES, "arguments": vars(args)}, open(f"{args.out}/reader.json", "w"), indent=1)


if __name__ == "__main__":
    main()
