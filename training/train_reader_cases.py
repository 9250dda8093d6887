#!/usr/bin/env python3
"""train_reader.py ENCODER DATA OUT [--hold WRITER …] [--nli FILE] [--corrections FILE …] [--recall FOLDER …]: a trunk that reads two texts together.

relation   what a new statement does to a known memory: same, update, refine, apart, drop, unsure
sentence   what each sentence of a message is, read with what was said before it, and whether it needs that to be understood
relevance  whether a memory matters to a prompt

ENCODER is models/encoder; its table of words stays as it is, so that both trunks share it. DATA holds cases/, families/, sentences/ (one
file a writer) and stores/ (FORMAT.md, FORMAT-more.md). `--hold` leaves writers out of the training and scores on them: the only number that says
how a stranger's sentences will be read. `--nli` has pairs of sentences with what one says about the other, and is read by a head of its own that
is thrown away. `--corrections` and `--recall` are sets that are only scored. Needs PyTorch, transformers, tokenizers, safetensors.
"""
import argparse, collections, glob, gzip, json, math, os, pathlib, random, re, time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import save_file

from encoder_model import DEVICE, Rows, load, memory_head, memory_text, read_stores, tokenizer, vectors, vocabulary
from train_recall import read_set

RELATIONS = ["same", "update", "refine", "apart", "drop", "unsure"]
RELATION_OF = {"same": 0, "update": 1, "refine": 2, "apart": 3, "forget": 4, "unsure": 5}
SENTENCES = ["rule", "praise", "profile", "fact", "pointer", "remember", "forget", "reason", "oneoff", "transient", "derivable",
             "question", "empty", "secret", "quoted", "hypothetical", "sarcasm", "retracted"]
INFERENCES = ["entail", "contradict", "neutral", "paraphrase", "different"]
WORTH_SAVING = 5  # the first so many labels of SENTENCES
CROSSED = ("same", "update", "refine", "refine", "apart", "forget")
PAIR_TOKENS, SENTENCE_TOKENS, RELEVANCE_TOKENS = 224, 176, 128
REASON = re.compile(r"^\s*\**(why|how to apply|warum|pourquoi|por qu[eé]|perch[eé]|почему|为什么|原因|理由|이유|なぜ)\b.*$", re.I | re.M)


def rows(path):
    """Every JSON line of some files, with the writer's name."""
    for name in sorted(glob.glob(path)):
        for line in open(name, encoding="utf-8"):
            if line.strip():
                yield pathlib.Path(name).stem, json.loads(line)


class PairRows:
    """Two texts a row, joined as the trunk reads them, on the device."""

    def __init__(self, tokens, pairs, most):
        tokens.no_padding()
        tokens.enable_truncation(most)
        coded = tokens.encode_batch([(one, other) for one, other in pairs])
        self.host_lengths = [len(one.ids) for one in coded]
        self.lengths = torch.tensor(self.host_lengths, device=DEVICE)
        self.starts = self.lengths.cumsum(0) - self.lengths
        self.seconds = torch.tensor([sum(kind == 0 for kind in one.type_ids) for one in coded], device=DEVICE)
        self.flat = torch.tensor([at for one in coded for at in one.ids] + [0], device=DEVICE)

    def __len__(self):
        return len(self.host_lengths)

    def batch(self, places):
        """Padded token numbers, the mask of all, and the mask of the second text."""
        width = max(self.host_lengths[place] for place in places)
        places = torch.tensor(places, device=DEVICE)
        columns = torch.arange(width, device=DEVICE)[None, :]
        mask = columns < self.lengths[places][:, None]
        at = (self.starts[places][:, None] + columns).clamp(max=len(self.flat) - 1)
        return torch.where(mask, self.flat[at], 0), mask, mask & (columns >= self.seconds[places][:, None])


class Pool:
    """Pairs with their labels, to be drawn from."""

    def __init__(self, tokens, pairs, most):
        self.rows = PairRows(tokens, [(one[0], one[1]) for one in pairs], most)
        self.labels = torch.tensor([one[2] for one in pairs], device=DEVICE)
        self.pairs = pairs

    def __len__(self):
        return len(self.rows)

    def draw(self, count):
        """Some of about one length: what is padded is computed, too."""
        some = sorted(random.sample(range(len(self)), min(4 * count, len(self))), key=lambda at: self.rows.host_lengths[at])
        first = random.randrange(max(1, len(some) - count + 1))
        return some[first:first + count]


def known(name, description, body, vary):
    """A memory as the relation head reads it: its name, what its description adds, and what it says. With `vary`, as one of the ways in which
    people and programs keep it: without its reasons, under no name or a slug."""
    body = body.strip()
    if vary is None or vary.random() < 0.6:
        body = REASON.sub("", body).strip() or body
    body = re.sub(r"\s*\n\s*", " \n ", body.replace("**", ""))
    if vary:
        chance = vary.random()
        name = "" if chance < 0.08 else "_".join(name.lower().split()) if chance < 0.2 else name
        description = "" if vary.random() < 0.35 else description
    said = " ".join(body.lower().split())
    name, description = ("" if part.strip().lower().rstrip(".。") in said else part.strip().rstrip(".。") for part in (name, description or ""))
    head = f"{name}: {description}. " if name and description else f"{name or description}. " if name or description else ""
    return head + body


def base(family, vary=None, other=None):
    """The known memory of a family."""
    one = family["base"]
    text, why = one["text"], one.get("why")
    if vary and other and vary.random() < 0.15:
        text = f"{text} {other}" if vary.random() < 0.5 else f"{other} {text}"
    return known(one.get("name", ""), "", text + (f"\nWhy: {why}" if why else ""), vary)


def texts(family, key):
    found = [one.get("text", "") if isinstance(one, dict) else one for one in family.get(key, [])]
    return [one for one in found if isinstance(one, str) and one.strip()]


def family_pairs(families, vary=None):
    """(new statement, known memory, relation)."""
    out = []
    for family in families:
        memory = base(family, vary, vary.choice(families)["base"]["text"] if vary else None)
        for key, label in RELATION_OF.items():
            out += [(text, memory, label) for text in texts(family, key)]
        same, update = texts(family, "same"), texts(family, "update")
        # What is known may itself be worded in any of these ways, and an update is one from either side.
        out += [(same[0], same[1], 0)] if len(same) > 1 else []
        out += [(family["base"]["text"], update[0], 1), (update[-1], same[0], 1)] if update and same else []
        out += [(same[-1], f"{family['base'].get('name', '')}. {update[0]}", 1)] if update and same else []
    return out


def case_pairs(cases, vary=None):
    """Each statement of a case beside each memory of its store: what it is to the one it is about, and apart from the others. With the
    place of the case and of the memory, and whether it is about this one."""
    out = []
    for place, case in enumerate(cases):
        for said in case["say"]:
            for memory in case["store"]:
                about = said.get("t") == memory["file"]
                label = RELATION_OF[said["r"]] if about else 3
                out.append((said["s"], known(memory["name"], memory.get("description", ""), memory["body"], vary), label, place, memory["file"], about))
    return out


def sentence_pairs(messages):
    """(what was said before and the whole message, the sentence, label, whether it needs what stands around it)."""
    out = []
    for message in messages:
        whole = " ".join(one["s"] for one in message["message"])
        context = f"{(message.get('before') or 'nothing')[-220:]} || {whole[:400]}"
        out += [(context, one["s"], SENTENCES.index(one["l"]), float(bool(one.get("needs")))) for one in message["message"] if one.get("l") in SENTENCES and one.get("s")]
    return out


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
GOLDEN_PROMPTS = [
    ("write a test for the orders table", "No database mocks. Integration tests use a real database"),
    ("rename this variable to snake case", "No database mocks. Integration tests use a real database"),
    ("schreib einen Test für die Bestellungen", "No database mocks. Integration tests use a real database"),
]


class Reader(nn.Module):
    """The trunk and its heads."""

    def __init__(self, encoder):
        super().__init__()
        self.tokens = tokenizer(vocabulary(encoder))
        self.trunk = load(encoder)
        for value in self.trunk.embeddings.parameters():
            value.requires_grad_(False)
        self.relation = nn.Sequential(nn.Linear(384 * 4, 128), nn.Tanh(), nn.Dropout(0.1), nn.Linear(128, len(RELATIONS)))
        self.relevance = nn.Sequential(nn.Linear(384 * 4, 64), nn.Tanh(), nn.Dropout(0.1), nn.Linear(64, 1))
        self.inference = nn.Linear(128, len(INFERENCES))
        self.sentence = nn.Linear(768, len(SENTENCES))
        self.needs = nn.Linear(768, 1)
        self.to(DEVICE)

    def heads(self):
        return [self.relation, self.relevance, self.inference, self.sentence, self.needs]

    def hidden(self, batch):
        padded, mask, second = batch
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            out = self.trunk(input_ids=padded, attention_mask=mask.long(), token_type_ids=second.long()).last_hidden_state
        return out.float(), mask, second

    def both(self, batch):
        out, mask, second = self.hidden(batch)
        a, b = mean(out, mask & ~second), mean(out, second)
        return torch.cat([a, b, (a - b).abs(), a * b], -1)

    def relations(self, batch):
        return self.relation(self.both(batch))

    def inferences(self, batch):
        return self.inference(self.relation[:3](self.both(batch)))

    def matters(self, batch):
        return self.relevance(self.both(batch))[:, 0]

    def read_sentences(self, batch):
        out, mask, second = self.hidden(batch)
        read = torch.cat([mean(out, second), mean(out, mask)], -1)
        return self.sentence(read), self.needs(read)[:, 0]

    def labels(self, batch):
        return self.read_sentences(batch)[0]


def mean(out, mask):
    weight = mask.unsqueeze(-1).float()
    return (out * weight).sum(1) / weight.sum(1).clamp(min=1)


@torch.no_grad()
def predicted(head, rows, size=256):
    """What a head says of all rows."""
    order = sorted(range(len(rows)), key=lambda at: rows.host_lengths[at])
    parts = [head(rows.batch(order[at:at + size])).cpu() for at in range(0, len(order), size)]
    found = torch.cat(parts)
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
    chances = predicted(reader.relations, PairRows(reader.tokens, pairs_of(pairs), PAIR_TOKENS)).softmax(-1)
    said, meant = chances.argmax(-1).tolist(), [row[2] for row in pairs]
    harm = sum(s in (0, 1, 2, 4) and m in (3, 5) for s, m in zip(said, meant)) / max(1, sum(m in (3, 5) for m in meant))
    print(title, f"relation {sum(s == m for s, m in zip(said, meant)) / len(meant):.3f} touched-what-is-apart {harm:.3f}", recall_precision(said, meant, RELATIONS), flush=True)
    return chances.tolist()


def pairs_of(some):
    return [(one[0], one[1]) for one in some]


def score_sentences(reader, title, some):
    if not some:
        return []
    rows = PairRows(reader.tokens, pairs_of(some), SENTENCE_TOKENS)
    chances = predicted(reader.labels, rows).softmax(-1)
    said, meant = chances.argmax(-1).tolist(), [row[2] for row in some]
    saved = [m < WORTH_SAVING for s, m in zip(said, meant) if s < WORTH_SAVING]
    found = [s < WORTH_SAVING for s, m in zip(said, meant) if m < WORTH_SAVING]
    print(title, f"sentence {sum(s == m for s, m in zip(said, meant)) / len(meant):.3f} save precision {sum(saved) / max(1, len(saved)):.3f} recall {sum(found) / max(1, len(found)):.3f}",
          recall_precision(said, meant, SENTENCES), flush=True)
    needs = predicted(lambda batch: reader.read_sentences(batch)[1], rows).sigmoid().tolist()
    print(title, "needs context", recall_precision([int(n > 0.5) for n in needs], [int(row[3]) for row in some], ["no", "yes"]), flush=True)
    return chances.tolist()


def verdicts(chances, pairs):
    """What one decides who takes the memory that is likeliest meant: (place of the case, statement) -> (relation, memory)."""
    best = {}
    for scores, (said, _, _, place, file, _) in zip(chances, pairs):
        meant = 1 - scores[3] - scores[5]
        if meant > best.get((place, said), (-1,))[0]:
            relation = max((0, 1, 2, 4), key=lambda at: scores[at])
            best[place, said] = (meant, RELATIONS[relation], file)
    return best


def score_cases(reader, title, cases, floor=0.5):
    if not cases:
        return
    pairs = case_pairs(cases)
    chances = score_pairs(reader, title, pairs)
    best, tally = verdicts(chances, pairs), collections.Counter()
    for place, case in enumerate(cases):
        for said in case["say"]:
            meant, relation, file = best[place, said["s"]]
            wanted = "drop" if said["r"] == "forget" else said["r"]
            got = relation if meant >= floor else "apart"
            right = got == "apart" if wanted in ("apart", "unsure") else got == wanted and file == said["t"]
            tally[wanted, right] += 1
    print(title, "verdicts", {one: f"{tally[one, True]}/{tally[one, True] + tally[one, False]}" for one in RELATIONS if tally[one, True] + tally[one, False]}, flush=True)
    return chances, pairs


def score_recall(reader, title, folder, nearest):
    """Prompts of a labelled set: the nearest memories by cosine, put in order by the relevance head."""
    stores, asked = read_set(folder)
    pairs, candidates = [], []
    for name, memories in stores.items():
        mine = [row for row in asked if row["store"] == name]
        for row, places in zip(mine, nearest(list(memories.values()), [row["query"] for row in mine], 8)):
            files = [list(memories)[place] for place in places]
            files = [file for file in files if file not in row["already_surfaced"]]
            candidates.append((row, files, len(pairs)))
            pairs += [(row["query"], relevance_text(memories[file])) for file in files]
    scores = predicted(reader.matters, PairRows(reader.tokens, pairs, RELEVANCE_TOKENS)).tolist()
    found = [(row, sorted(((scores[first + at], file) for at, file in enumerate(files)), reverse=True)[:5]) for row, files, first in candidates]
    line = [f"recall@5 {average([share(row, best, -99) for row, best in found if row['relevant']]):.3f}"]
    for quiet in (0.75, 0.85, 0.92):
        for floor in sorted(scores)[:: max(1, len(scores) // 300)]:
            silent = average([not [1 for score, file in best if score > floor and file not in row["acceptable"]] for row, best in found if row["kind"] == "nothing"])
            if silent >= quiet:
                shown = [[file for score, file in best if score > floor] for _, best in found]
                counted = [(sum(file in row["relevant"] for file in files), sum(file not in row["acceptable"] for file in files)) for (row, _), files in zip(found, shown) if files]
                line.append(f"{quiet}:{average([share(row, best, floor) for row, best in found if row['relevant']]):.3f} (precision {average([right / all for right, all in counted if all]):.2f}, floor {floor:.2f})")
                break
    print(title, "relevance", folder, *line, flush=True)


def relevance_text(memory):
    return f"{memory['name']}. {memory['description']} {memory['body']}"


def share(row, best, floor):
    return len({file for score, file in best if score > floor} & set(row["relevant"])) / len(row["relevant"])


def average(values):
    return sum(values) / max(1, len(values))


def relevance_pairs(stores, nearest, vary):
    """(prompt, memory, whether it matters): what is needed, and the nearest that is not."""
    out = []
    for store in stores:
        memories = list(store["m"].values())
        names = [memory["m"] for memory in memories]
        asked = [(text, set(needed)) for text, needed, _ in store["q"]] + [(text, set()) for text in store["nothing"]]
        superseded = {new: old for old, new in store["old"]}
        for (text, needed), places in zip(asked, nearest(memories, [text for text, _ in asked], 12)):
            out += [(text, relevance_text(memories[names.index(name)]), 1.0) for name in needed]
            others = [place for place in places if names[place] not in needed and names[place] not in store["universal"]]
            others = others[:3] + vary.sample(others[3:], min(1, len(others[3:])))
            out += [(text, relevance_text(memories[place]), 0.0) for place in others]
            out += [(text, relevance_text(memories[names.index(superseded[name])]), 0.0) for name in needed if superseded.get(name) in names]
    return out


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("encoder"), ask.add_argument("data"), ask.add_argument("out")
    ask.add_argument("--hold", nargs="*", default=[]), ask.add_argument("--nli"), ask.add_argument("--corrections", nargs="*", default=[]), ask.add_argument("--recall", nargs="*", default=[])
    ask.add_argument("--steps", type=int, default=6000), ask.add_argument("--seconds", type=float, default=1e9, help="end in this time, however many steps it is")
    ask.add_argument("--rate", type=float, default=2e-4), ask.add_argument("--seed", type=int, default=2), ask.add_argument("--smooth", type=float, default=0.03)
    ask.add_argument("--slow", type=float, default=0.998, help="share that the running mean of the weights keeps a step"), ask.add_argument("--relevance", type=float, default=0.6)
    ask.add_argument("--tag", default="")
    args = ask.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed)
    reader = Reader(args.encoder)
    split = lambda found: ([row for who, row in found if who not in args.hold], [row for who, row in found if who in args.hold])
    train_f, held_f = split([one for one in rows(f"{args.data}/families/*.jsonl") if "base" in one[1]])
    train_c, held_c = split(list(rows(f"{args.data}/cases/*.jsonl")))
    train_s, held_s = split([one for one in rows(f"{args.data}/sentences/*.jsonl") if one[1].get("message")])
    stores = read_stores(glob.glob(f"{args.data}/stores/*.jsonl"))
    trunk = load(args.encoder).eval()

    def nearest(memories, prompts, count):
        sides = [vectors(trunk, Rows(reader.tokens, map(text, memories), 128)) for text in (memory_text, memory_head)]
        asked = vectors(trunk, Rows(reader.tokens, prompts, 64))
        return torch.maximum(*(asked @ side.T for side in sides)).topk(min(count, len(memories))).indices.tolist()

    # Known memories in several forms; two facts of one trade are two facts, however the statement is shaped.
    of_families = Pool(reader.tokens, [pair for _ in range(3) for pair in family_pairs(train_f, random)], PAIR_TOKENS)
    of_cases = [pair for _ in range(3) for pair in case_pairs(train_c, random)]
    about = Pool(reader.tokens, [pair for pair in of_cases if pair[5]], PAIR_TOKENS)
    beside = Pool(reader.tokens, [pair for pair in of_cases if not pair[5]], PAIR_TOKENS)
    apart = Pool(reader.tokens, crossed(train_f, trunk, reader.tokens) + neighbours(stores, nearest), PAIR_TOKENS)
    messages = sentence_pairs(train_s)
    of_sentences, needs = Pool(reader.tokens, messages, SENTENCE_TOKENS), torch.tensor([row[3] for row in messages], device=DEVICE)
    of_prompts = Pool(reader.tokens, relevance_pairs(stores, nearest, random), RELEVANCE_TOKENS) if args.relevance else []
    inferred = []
    if args.nli:
        lines = [json.loads(line) for line in gzip.open(args.nli, "rt", encoding="utf-8")]
        inferred = Pool(reader.tokens, [(row["b"], row["a"], INFERENCES.index(row["l"])) for row in random.sample(lines, min(160000, len(lines)))], 96)
    counts = {"families": len(of_families), "about": len(about), "beside": len(beside), "apart": len(apart), "sentences": len(of_sentences), "prompts": len(of_prompts), "inferred": len(inferred)}
    print(args.tag, counts, {"held cases": len(held_c), "families": len(held_f), "messages": len(held_s)}, flush=True)
    optimiser = torch.optim.AdamW([{"params": [p for p in reader.trunk.parameters() if p.requires_grad], "lr": args.rate, "weight_decay": 0.01},
                                   {"params": [p for head in reader.heads() for p in head.parameters()], "lr": 1e-3, "weight_decay": 0}], fused=DEVICE == "cuda")
    slow = {name: value.detach().clone() for name, value in reader.state_dict().items() if value.is_floating_point() and "embeddings" not in name}
    drawn = [(of_families, 56), (about, 40), (beside, 40), (apart, 16)]
    weight = weights_of(drawn, len(RELATIONS))
    kinds = collections.Counter(row[2] for row in messages)
    weight_s = torch.tensor([1 / math.sqrt(kinds[at] + 5) for at in range(len(SENTENCES))], device=DEVICE)
    weight_s /= weight_s.mean()
    start, step, done = time.time(), 0, 0.0
    reader.train()
    while done < 1:
        optimiser.zero_grad()
        loss = 0
        for pool, count in drawn:
            places = pool.draw(count)
            loss = loss + len(places) / 150 * F.cross_entropy(reader.relations(pool.rows.batch(places)), pool.labels[places], weight=weight, label_smoothing=args.smooth)
        loss.backward()
        places = of_sentences.draw(80)
        labels, needing = reader.read_sentences(of_sentences.rows.batch(places))
        loss = 0.7 * F.cross_entropy(labels, of_sentences.labels[places], weight=weight_s, label_smoothing=args.smooth) + 0.2 * F.binary_cross_entropy_with_logits(needing, needs[places])
        if args.relevance:
            places = of_prompts.draw(96)
            loss = loss + args.relevance * F.binary_cross_entropy_with_logits(reader.matters(of_prompts.rows.batch(places)), of_prompts.labels[places])
        loss.backward()
        if inferred and done < 0.6:
            places = inferred.draw(64)
            (0.5 * (1 - done / 0.6) * F.cross_entropy(reader.inferences(inferred.rows.batch(places)), inferred.labels[places])).backward()
        share_of = min(1, step / 150) * (0.5 * (1 + math.cos(math.pi * min(1, done))) * 0.95 + 0.05)
        for group, rate in zip(optimiser.param_groups, (args.rate, 1e-3)):
            group["lr"] = rate * share_of
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        step += 1
        done = max(step / args.steps, (time.time() - start) / args.seconds)
        keep = min(args.slow, step / (step + 20))
        with torch.no_grad():
            now = reader.state_dict()
            torch._foreach_mul_(list(slow.values()), keep)
            torch._foreach_add_(list(slow.values()), [now[name] for name in slow], alpha=1 - keep)
        if step % 500 == 0:
            print(args.tag, step, f"{time.time() - start:.0f} s", flush=True)
    print(args.tag, step, "steps", flush=True)
    reader.load_state_dict(slow, strict=False)
    reader.eval()
    os.makedirs(args.out, exist_ok=True)
    held = {"families": (family_pairs(held_f), score_pairs), "sentences": (sentence_pairs(held_s), score_sentences)}
    with open(f"{args.out}/held.jsonl", "w", encoding="utf-8") as out:
        for task, (some, scored) in held.items():
            for row, chances in zip(some, scored(reader, args.tag, some)):
                print(json.dumps({"task": task, "row": row, "chances": [round(one, 4) for one in chances]}, ensure_ascii=False), file=out)
        for task, cases in [("cases", held_c)] + [(os.path.basename(path), as_cases(path)) for path in args.corrections]:
            if cases:
                chances, pairs = score_cases(reader, f"{args.tag} {task}", cases)
                for row, scores in zip(pairs, chances):
                    print(json.dumps({"task": task, "row": row, "chances": [round(one, 4) for one in scores]}, ensure_ascii=False), file=out)
    if args.relevance:
        for folder in args.recall:
            score_recall(reader, args.tag, folder, nearest)
    write(reader, args)


def as_cases(path):
    """A set of evals/corrections in the form of cases."""
    return [{"store": case["store"], "say": [{"s": case["say"], "r": case["expect"], "t": case.get("target")}]} for _, case in rows(path)]


def weights_of(drawn, count):
    """What an example of each relation weighs, by how often it is drawn."""
    seen = collections.Counter()
    for pool, size in drawn:
        for label, times in collections.Counter(pool.labels.tolist()).items():
            seen[label] += size * times / max(1, len(pool))
    weight = torch.tensor([1 / math.sqrt(seen[at] + 1) for at in range(count)], device=DEVICE)
    return weight / weight.mean()


def crossed(families, trunk, tokens, count=30000):
    """Statements of one family beside the base of another, mostly one that is near."""
    near_by = collections.defaultdict(list)
    for family in families:
        near_by[family.get("trade"), family.get("lang")].append(family)
    places = vectors(trunk, Rows(tokens, [base(family) for family in families], 64))
    like = (places @ places.T).fill_diagonal_(-1).topk(min(8, len(families) - 1)).indices.tolist()
    out = []
    for _ in range(count):
        at = random.randrange(len(families))
        one, chance = families[at], random.random()
        other = random.choice(near_by[one.get("trade"), one.get("lang")]) if chance < 0.35 else families[random.choice(like[at])] if chance < 0.75 else random.choice(families)
        if one is not other:
            said = random.choice([text for key in CROSSED for text in texts(one, key)] or [one["base"]["text"]])
            out.append((said, base(other, random), 3))
    return out


def neighbours(stores, nearest, count=3):
    """Memories near each other inside one store are different things."""
    out = []
    for store in stores:
        memories = list(store["m"].values())
        moved = {frozenset(pair) for pair in store["old"]}
        for memory, places in zip(memories, nearest(memories, [memory["description"] for memory in memories], count + 1)):
            others = [memories[place] for place in places if memories[place] is not memory and frozenset((memory["m"], memories[place]["m"])) not in moved]
            out += [(memory["description"], known(other["name"], other["description"], other["body"], random), 3) for other in others[:count]]
    return out


def write(reader, args):
    rows_of = lambda some, most: PairRows(reader.tokens, some, most)
    whole = [(f"{before or 'nothing'} || {message}", sentence) for before, message, sentence in GOLDEN_SENTENCES]
    golden = {"pairs": [{"new": new, "known": old, "chances": chances} for (new, old), chances in zip(GOLDEN_PAIRS, predicted(reader.relations, rows_of(GOLDEN_PAIRS, PAIR_TOKENS)).softmax(-1).tolist())],
              "sentences": [{"before": row[0], "message": row[1], "sentence": row[2], "chances": chances} for row, chances in zip(GOLDEN_SENTENCES, predicted(reader.labels, rows_of(whole, SENTENCE_TOKENS)).softmax(-1).tolist())],
              "prompts": [{"prompt": prompt, "memory": memory, "chance": chance} for (prompt, memory), chance in zip(GOLDEN_PROMPTS, predicted(reader.matters, rows_of(GOLDEN_PROMPTS, RELEVANCE_TOKENS)).sigmoid().tolist())]}
    json.dump(golden, open(f"{args.out}/golden.json", "w", encoding="utf-8"), ensure_ascii=False, indent=1)
    save_file({name: value.half().contiguous().cpu() for name, value in reader.trunk.state_dict().items() if name.startswith("encoder.")}, f"{args.out}/reader.layers.fp16.safetensors")
    heads = {f"{head}.{name}": value.float().contiguous().cpu() for head in ("relation", "sentence", "needs") for name, value in getattr(reader, head).state_dict().items()}
    save_file(heads, f"{args.out}/reader.heads.safetensors")
    json.dump({"relation": RELATIONS, "sentence": SENTENCES, "arguments": vars(args)}, open(f"{args.out}/reader.json", "w"), indent=1)


if __name__ == "__main__":
    main()
