"""The languages beside English and Chinese: their pieces of words, how a text is told to be in one of them, and the form that is shipped.

The trunk and every old row of the table of words stay as they are. New pieces have rows of their own, and so do pieces that the vocabulary has but
that mean something else there ("die" in German). A text is read with these rows when its first pieces, each with a sign, say together
that it is in one of the languages; every other text keeps its tokens and its vector to the bit. `crates/encoder/src/tokens/reading.rs` does the same.
"""
import glob, gzip, json, os, pathlib, random

import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import BertWordPieceTokenizer

LANGUAGES = "de fr es pt it ru ja ko vi nl pl uk tr".split()
THRESHOLD = 64  # sixteenths of a natural logarithm
SIGNED = 64  # so many of the first pieces decide


def language_tokenizer(old, pieces):
    """The vocabulary with the pieces of the languages, which come before old ones of the same letters."""
    numbers = {word: at for at, word in enumerate(old)} | {piece: len(old) + at for at, piece in enumerate(pieces)}
    return BertWordPieceTokenizer(vocab=numbers, lowercase=True)


def encoded(tokens, texts):
    """Token numbers without markers."""
    return [np.array(one.ids, np.int32) for one in tokens.encode_batch(texts, add_special_tokens=False)]


def in_languages(sign, row):
    """Whether token numbers (as the languages would have them, without markers) are read with the rows of the languages."""
    return int(sign[row[:SIGNED]].astype(int).sum()) > THRESHOLD


def signs(old, pieces, pairs, own):
    """How much each piece speaks for one of the languages: logarithms of odds, in sixteenths."""
    tokens, size = language_tokenizer(old, pieces), len(old) + len(pieces)
    count = lambda texts: np.bincount(np.concatenate([np.unique(one) for one in encoded(tokens, texts) if len(one)]), minlength=size).astype(float)
    there = count([pair["to"] for pair in pairs if pair["lang"] in LANGUAGES])
    here = count([pair["en"] for pair in pairs[::3]]) + count([pair["to"] for pair in pairs if pair["lang"] == "zh"]) + 3 * count(own)
    odds = np.log((there + 0.5) / there.sum()) - np.log((here + 0.5) / here.sum())
    odds[(there + here) < 8] = 0
    # The end of a long word says little: rare English words and identifiers fall into such pieces, too.
    ends = np.array([word.startswith("##") and word.isascii() for word in [*old, *pieces]])
    return np.clip(np.rint(odds * 16), -48, np.where(ends, 0, 80)).astype(np.int8)


def read_pairs(path):
    pairs = [json.loads(line) for line in gzip.open(path, "rt", encoding="utf-8")]
    random.Random(3).shuffle(pairs)
    return pairs[:3000], pairs[3000:]  # held out, and the rest


def strings(value):
    """Every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def own_texts(training):
    """English and Chinese texts of this folder: what must be read as before."""
    texts = []
    for path in sorted(glob.glob(f"{training}/stores/*.jsonl")):
        if os.path.basename(path)[2] != "_":
            texts += [text for line in open(path, encoding="utf-8") if line.strip() for text in strings(json.loads(line))]
    for path in sorted(glob.glob(f"{training}/families/*.jsonl") + glob.glob(f"{training}/sentences/*.jsonl") + [f"{training}/utterances.jsonl"]):
        for line in open(path, encoding="utf-8"):
            row = json.loads(line) if line.strip() else {}
            if row.get("lang", "en") in ("en", "zh"):
                texts += list(strings(row))
    return [text for text in dict.fromkeys(texts) if len(text.split()) > 1 or not text.isascii()]


def ship(folder, pieces, rows, sign):
    """Rounded as the rest of the table: 8-bit integers with one scale a row."""
    folder = pathlib.Path(folder)
    scale = np.abs(rows).max(axis=1) / 127
    scale[scale == 0] = 1
    save_file({"rows.weight": np.rint(rows / scale[:, None]).astype(np.int8), "rows.scale": scale.astype(np.float32), "signs": sign},
              folder / "languages.int8.safetensors")
    (folder / "languages.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")


def shipped(folder):
    """Pieces, rows and signs of a folder."""
    stored = load_file(f"{folder}/languages.int8.safetensors")
    rows = stored["rows.weight"].astype(np.float32) * stored["rows.scale"][:, None]
    return pathlib.Path(folder, "languages.txt").read_text(encoding="utf-8").splitlines(), rows, stored["signs"]
