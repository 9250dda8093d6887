"""Trains the second ear of extraction: which wordings people use for what is worth keeping.

    python3 training/wording.py crates/memdir/src/engine/extract/wording.bin

A linear model over hashed words, pairs and triples of a user's message, learned from `utterances.jsonl` with the same
messages held out as in `train_encoder.py`. No libraries, the same bytes every time. The file: the bias and what one step is
worth as little-endian floats, then one signed byte a weight. `wording.rs` reads it; the two must cut words the same way.
"""
import json, math, os, random, re, struct, sys

SIZE = 1 << 15
EPOCHS, RATE, DECAY = 12, 0.15, 1e-4
SAVE = {"correction", "confirmation", "profile", "project", "reference", "remember", "forget"}
TOKEN = re.compile(r"[a-z0-9']+|[\u4e00-\u9fff]|[?!:;,.\n]")
SMALL = {"i", "the", "a", "to", "of", "and", "in", "it", "is"}


def place(feature):
    """FNV-1a, folded to 32 bits."""
    value = 0xCBF29CE484222325
    for byte in feature.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return ((value >> 32) ^ (value & 0xFFFFFFFF)) % SIZE


def features(text, before):
    tokens = ["^"] + TOKEN.findall(text.lower())[:200] + ["$"]
    found = set()
    for at, word in enumerate(tokens):
        found.add("u" + word)
        if at + 1 < len(tokens):
            found.add("b" + word + " " + tokens[at + 1])
        if at + 2 < len(tokens):
            found.add("t" + word + " " + tokens[at + 1] + " " + tokens[at + 2])
    found.add("f" + tokens[1])
    found.add("l%d" % min(9, len(tokens) // 4))
    earlier = [word for word in TOKEN.findall(before.lower()) if word.isalnum()][:40]
    found.add("p" if earlier else "q")
    found.update("p" + word for word in earlier[:6])
    found.add("o%d" % min(3, len((set(earlier) - SMALL) & set(tokens))))
    return sorted({place(feature) for feature in found})


def chance(score):
    return 1 / (1 + math.exp(-max(-30, min(30, score))))


def main(out):
    here = os.path.dirname(os.path.abspath(__file__))
    rows = [json.loads(line) for line in open(os.path.join(here, "utterances.jsonl"), encoding="utf-8") if line.strip()]
    groups = sorted({row.get("prev") or row["text"] for row in rows})
    random.Random(5).shuffle(groups)
    held = set(groups[: len(groups) // 8])
    known = [(features(r["text"], r.get("prev") or ""), r["label"] in SAVE, (r.get("prev") or r["text"]) in held) for r in rows]
    train, check = [r for r in known if not r[2]], [r for r in known if r[2]]
    weights, squares, bias = [0.0] * SIZE, [1e-8] * SIZE, 0.0
    order = random.Random(0)
    for _ in range(EPOCHS):
        order.shuffle(train)
        for places, worth, _ in train:
            error = chance(bias + sum(weights[at] for at in places)) - worth
            for at in places:
                slope = error + DECAY * weights[at]
                squares[at] += slope * slope
                weights[at] -= RATE * slope / math.sqrt(squares[at])
            bias -= 0.02 * error
    step = max(abs(weight) for weight in weights) / 127
    small = [round(weight / step) for weight in weights]
    right = sum((bias + step * sum(small[at] for at in places) > 0) == worth for places, worth, _ in check)
    print(f"{len(train)} messages, {len(check)} held out, {right / len(check):.3f} of them right")
    with open(out, "wb") as file:
        file.write(struct.pack("<ff", bias, step) + struct.pack(f"<{SIZE}b", *small))


main(sys.argv[1])
