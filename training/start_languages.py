#!/usr/bin/env python3
"""start_languages.py ENCODER PARALLEL.jsonl.gz TRAINING WORK: chooses the pieces of the languages, and where their rows start.

ENCODER is models/encoder, PARALLEL has {"lang", "en", "to"} a line (PARALLEL.md), TRAINING is this folder. The most frequent pieces of each
language are taken in turn. A piece that the vocabulary has keeps its row when it mostly stands for itself in the English sentences (names, "server").
A row starts as the mean of the rows of the English pieces that it stands beside (word alignment, IBM model 1). WORK gets languages.txt and
languages.int8.safetensors, which train_languages.py goes on with; printed are English and Chinese texts that would be read as one of the languages.
Needs tokenizers, PyTorch, transformers, safetensors; a minute or two.
"""
import collections, pathlib, sys

import numpy as np
from tokenizers import BertWordPieceTokenizer, Tokenizer, models, normalizers, pre_tokenizers, trainers

from encoder_model import load, tokenizer, vocabulary
from languages import LANGUAGES, encoded, in_languages, language_tokenizer, own_texts, read_pairs, ship, signs

PIECES, EACH, ALIGNED = 10_000, 4_000, 130_000
LONGEST_PIECE = 32  # bytes
SELDOM = 12  # a piece that is needed less often is none
SHARE_OF_SELF = 0.35  # a piece that stands for itself in so much of its English sentences keeps its row
NULL = 0


def needed(old, by_lang):
    """Pieces of each language with how often they are needed, beside those of the vocabulary."""
    counts = {}
    for lang, said in by_lang.items():
        learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        learner.normalizer = normalizers.BertNormalizer(lowercase=True)
        learner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        learner.train_from_iterator(said, trainers.WordPieceTrainer(vocab_size=EACH, min_frequency=6, special_tokens=["[UNK]"], show_progress=False))
        both = {word: at for at, word in enumerate(old)}
        for piece in learner.get_vocab():
            if len(piece.encode()) <= LONGEST_PIECE:
                both.setdefault(piece, len(both))
        reader = BertWordPieceTokenizer(vocab=both, lowercase=True)
        counts[lang] = collections.Counter(piece for one in reader.encode_batch(said, add_special_tokens=False) for piece in one.tokens)
    return {lang: [piece for piece, count in found.most_common() if count >= SELDOM and piece != "[UNK]" and any(map(str.isalpha, piece))] for lang, found in counts.items()}


def aligned(foreign, english, size):
    """IBM model 1. Foreign piece: its English pieces, and how likely each stands beside it."""
    keys, owner, base = [], [], 0
    for there, here in zip(foreign, english):
        there, here = np.unique(there), np.unique(np.append(here, NULL))
        keys.append((there[:, None].astype(np.int64) * size + here[None, :]).ravel())
        owner.append(np.tile(np.arange(base, base + len(here)), len(there)))
        base += len(here)
    owner = np.concatenate(owner)
    keys, at = np.unique(np.concatenate(keys), return_inverse=True)
    sides, t = (keys // size, keys % size), np.ones(len(keys))
    for _ in range(6):
        share = t[at]
        share /= np.bincount(owner, share, base)[owner]  # each English piece is explained by the foreign pieces of its sentence
        counted = np.bincount(at, share, len(keys))
        t = counted / np.bincount(sides[0], counted)[sides[0]]
    order = np.lexsort((-t, sides[0]))
    bounds = np.flatnonzero(np.r_[True, np.diff(sides[0][order]) > 0, True])
    return {int(sides[0][order[a]]): (sides[1][order[a:b]][:12], t[order[a:b]][:12]) for a, b in zip(bounds, bounds[1:])}


def keeps_its_row(piece, number, beside, share):
    """Whether a piece of the vocabulary means in the languages what it means in English: single letters, Chinese characters, names."""
    single = len(piece.removeprefix("##")) == 1 and piece.isascii()
    return single or all(0x3400 <= ord(c) <= 0x9fff for c in piece) or share[beside == number].sum() > SHARE_OF_SELF


def chosen(old, pairs, english):
    by_lang = {lang: [pair["to"] for pair in pairs if pair["lang"] == lang] for lang in LANGUAGES}
    frequent, number = needed(old, by_lang), {word: at for at, word in enumerate(old)}
    wanted = list(dict.fromkeys(piece for lang in sorted(frequent) for piece in frequent[lang]))
    some = [pair["to"] for pair in pairs if pair["lang"] in LANGUAGES][:ALIGNED]
    beside = aligned(encoded(language_tokenizer(old, wanted), some), english, len(old) + len(wanted))
    keeps = {piece for at, piece in enumerate(wanted, len(old)) if piece in number and at in beside and keeps_its_row(piece, number[piece], *beside[at])}
    picked = {}
    for turn in range(max(map(len, frequent.values()))):
        for lang in LANGUAGES:
            if turn < len(frequent[lang]) and frequent[lang][turn] not in keeps:
                picked.setdefault(frequent[lang][turn])
    return list(picked)[:PIECES]


def start(old, pieces, table, foreign, english):
    beside = aligned(foreign, english, len(old) + len(pieces))
    typical, rows = np.linalg.norm(table[1000:], axis=1).mean(), np.zeros((len(pieces), table.shape[1]), np.float32)
    for at in range(len(pieces)):
        known, share = beside.get(len(old) + at, (np.array([NULL]), np.array([1.0])))
        row = np.where(known != NULL, share, 0) ** 1.5 @ table[known]
        norm = np.linalg.norm(row)
        rows[at] = row * typical / norm if norm else table[1000:].mean(0)
    return rows


def main():
    encoder, parallel, training, work = sys.argv[1:5]
    pathlib.Path(work).mkdir(parents=True, exist_ok=True)
    old, (_, pairs), own = vocabulary(encoder), read_pairs(parallel), own_texts(training)
    some = [pair for pair in pairs if pair["lang"] in LANGUAGES][:ALIGNED]
    english = encoded(tokenizer(old), [pair["en"] for pair in some])
    pieces = chosen(old, pairs, english)
    tokens = language_tokenizer(old, pieces)
    table = load(encoder).embeddings.word_embeddings.weight.detach().cpu().numpy()
    rows = start(old, pieces, table, encoded(tokens, [pair["to"] for pair in some]), english)
    sign = signs(old, pieces, pairs, own)
    missed = [text for text in own if in_languages(sign, encoded(tokens, [text])[0])]
    print(len(pieces), "pieces;", len(missed), "of", len(own), "English and Chinese texts would be read as one of the languages:", missed, flush=True)
    ship(work, pieces, rows, sign)


if __name__ == "__main__":
    main()
