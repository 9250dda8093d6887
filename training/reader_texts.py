"""Texts for the reader: read as the program reads them, token for token, and the pairs that the training data make.

`crates/encoder/src/tokens` does the same: each text is read with the vocabulary alone or with the pieces of the languages, whichever
its first pieces ask for. `crates/memdir/src/engine/judge/verdict.rs` puts a known memory into the same words as `known` here.
"""
import glob, json, pathlib, random, re

import numpy as np
import torch
from tokenizers import BertWordPieceTokenizer

from encoder_model import DEVICE, tokenizer, vocabulary
from languages import in_languages, language_tokenizer, shipped

RELATIONS = ["same", "update", "refine", "apart", "drop", "unsure"]
RELATION_OF = {"same": 0, "update": 1, "refine": 2, "apart": 3, "forget": 4, "unsure": 5}
SENTENCES = ["rule", "praise", "profile", "fact", "pointer", "remember", "forget", "reason", "oneoff", "transient", "derivable",
             "question", "empty", "secret", "quoted", "hypothetical", "sarcasm", "retracted"]
WORTH_SAVING = 5  # the first so many labels of SENTENCES
CROSSED = ("same", "update", "refine", "refine", "apart", "forget")
START, END = 101, 102
WHOLE = 420  # characters of a memory that are read as a whole
REASON = re.compile(r"^\s*\**(why|how to apply|warum|pourquoi|por qu[eé]|perch[eé]|почему|为什么|原因|理由|이유|なぜ)\b.*$", re.I | re.M)
WORD = re.compile(r"\w+")


class Texts:
    """Token numbers of a text without markers, in the reading that counts."""

    def __init__(self, encoder):
        old = vocabulary(encoder)
        pieces, rows, signs = shipped(encoder)
        self.plain, self.languages, self.signs, self.rows = tokenizer(old), language_tokenizer(old, pieces), signs, torch.tensor(rows)
        self.words = len(old)
        self.known = {}

    def ids(self, texts):
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        plain, foreign = (one.encode_batch(new, add_special_tokens=False) for one in (self.plain, self.languages))
        for text, ours, theirs in zip(new, plain, foreign):
            row = np.array(theirs.ids, np.int32)
            self.known[text] = theirs.ids if len(row) and in_languages(self.signs, row) else ours.ids
        return [self.known[text] for text in texts]


def share(first, second, room):
    """How many tokens each of two texts keeps: the longer one is cut first."""
    while first + second > room:
        if first > second:
            first = max(second, room - second)
        elif second > first:
            second = max(first, room - first)
        else:
            first, second = room // 2, room // 2 + room % 2
    return first, second


class PairRows:
    """Two texts a row, joined as the trunk reads them. The first may be several, each read in its own language."""

    def __init__(self, texts, pairs, most):
        firsts = [one if isinstance(one, tuple) else (one,) for one, _ in pairs]
        texts.ids([part for parts in firsts for part in parts] + [other for _, other in pairs])
        self.rows, self.seconds = [], []
        for parts, (_, other) in zip(firsts, pairs):
            one = [at for part in parts for at in texts.known[part]][: most - 2]
            other = texts.known[other][: most - 2]
            a, b = share(len(one), len(other), most - 3)
            self.rows.append([START, *one[:a], END, *other[:b], END])
            self.seconds.append(a + 2)
        self.host_lengths = [len(row) for row in self.rows]

    def __len__(self):
        return len(self.rows)

    def batch(self, places):
        """Padded token numbers, the mask of all, and the mask of the second text."""
        width = max(self.host_lengths[place] for place in places)
        padded = torch.tensor([self.rows[place] + [0] * (width - self.host_lengths[place]) for place in places], device=DEVICE)
        columns = torch.arange(width, device=DEVICE)[None, :]
        mask = columns < torch.tensor([self.host_lengths[place] for place in places], device=DEVICE)[:, None]
        return padded, mask, mask & (columns >= torch.tensor([self.seconds[place] for place in places], device=DEVICE)[:, None])


class Pool:
    """Pairs with their labels, to be drawn from."""

    def __init__(self, texts, pairs, most):
        self.rows = PairRows(texts, [(one[0], one[1]) for one in pairs], most)
        self.labels = torch.tensor([one[2] for one in pairs], device=DEVICE)

    def __len__(self):
        return len(self.rows)

    def draw(self, count):
        """Some of about one length: what is padded is computed, too."""
        some = sorted(random.sample(range(len(self)), min(4 * count, len(self))), key=lambda at: self.rows.host_lengths[at])
        first = random.randrange(max(1, len(some) - count + 1))
        return some[first:first + count]


def rows(path):
    """Every JSON line of some files, with the writer's name."""
    for name in sorted(glob.glob(path)):
        for line in open(name, encoding="utf-8"):
            if line.strip():
                yield pathlib.Path(name).stem, json.loads(line)


def shared(statement, told):
    """The share of a statement's words that a text says."""
    wanted, told = set(WORD.findall(statement.lower())), set(WORD.findall(told.lower()))
    return len(wanted & told) / max(1, len(wanted))


def known(name, description, body, statement, vary):
    """A memory as the relation head reads it: its name, what its description adds, and what it says; of a long one the sentence nearest to the
    statement. With `vary`, as one of the ways in which people and programs keep it: without its reasons, under no name or a slug."""
    body = body.strip()
    if vary is None or vary.random() < 0.7:
        body = REASON.sub("", body).strip() or body
    if len(body) > WHOLE:
        lines = [line.strip(" -*#|>\t") for line in re.split(r"\n|(?<=[.!?。！？])\s*", body)]
        body = max((line for line in lines if len(line) > 3), key=lambda line: shared(statement, line), default=body)
    body = " ".join(body.replace("**", "").split())
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
    return known(one.get("name", ""), "", text + (f"\nWhy: {why}" if why else ""), "", vary)


def texts_of(family, key):
    found = [one.get("text", "") if isinstance(one, dict) else one for one in family.get(key, [])]
    return [one for one in found if isinstance(one, str) and one.strip()]


def family_pairs(families, vary=None):
    """(new statement, known memory, relation)."""
    out = []
    for family in families:
        memory = base(family, vary, vary.choice(families)["base"]["text"] if vary else None)
        for key, label in RELATION_OF.items():
            out += [(text, memory, label) for text in texts_of(family, key)]
        same, update = texts_of(family, "same"), texts_of(family, "update")
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
                out.append((said["s"], known(memory["name"], memory.get("description", ""), memory["body"], said["s"], vary), label, place, memory["file"], about))
    return out


def sentence_pairs(messages):
    """(what was said before, and the message; the sentence, its label, whether it needs what stands around it)."""
    out = []
    for message in messages:
        whole = " ".join(one["s"] for one in message["message"])
        before = (message.get("before") or "").strip() or "nothing"
        for one in message["message"]:
            if one.get("l") in SENTENCES and one.get("s"):
                at = max(0, whole.find(one["s"]) - 200) if len(whole) > 400 else 0
                out.append(((before[-220:], " || ", whole[at:at + 400]), one["s"], SENTENCES.index(one["l"]), float(bool(one.get("needs")))))
    return out


def as_cases(path):
    """A set of evals/corrections in the form of cases."""
    return [{"store": case["store"], "say": [{"s": case["say"], "r": case["expect"], "t": case.get("target")}]} for _, case in rows(path)]
