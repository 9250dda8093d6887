#!/usr/bin/env python3
"""train_languages.py ENCODER PARALLEL.jsonl.gz STORES OUT: teaches the encoder languages that its table of words hardly knows.

ENCODER is models/encoder. PARALLEL has {"lang", "en", "to"} a line. Pieces of words of those languages join the vocabulary; then a
translation is given the vector that ENCODER gives its English sentence, and English sentences keep theirs (distillation, Reimers and
Gurevych 2020). OUT is an encoder like ENCODER, with more words. Needs PyTorch, transformers, tokenizers, safetensors; minutes on a GPU.
"""
import argparse, collections, glob, gzip, json, random, time

import torch
import torch.nn as nn
import torch.nn.functional as F
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from encoder_model import DEVICE, Rows, load, memory_text, read_stores, save, tokenizer, unit, vectors, vocabulary

MOST_TOKENS = 56


def new_pieces(old, texts, count, each):
    """The most frequent pieces of each language that the vocabulary lacks, the languages in turn."""
    have, lists = set(old), {}
    for lang, said in sorted(texts.items()):
        learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        learner.normalizer = normalizers.BertNormalizer(lowercase=True)
        learner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        learner.train_from_iterator(said, trainers.WordPieceTrainer(vocab_size=each, min_frequency=8, special_tokens=["[UNK]"], show_progress=False))
        counted = collections.Counter(piece for one in learner.encode_batch(said[:40000]) for piece in one.tokens)
        lists[lang] = [piece for piece, _ in counted.most_common() if piece not in have and piece != "[UNK]" and len(piece.encode()) <= 32]
        print(lang, "new pieces", len(lists[lang]), lists[lang][:12], flush=True)
    found = {}
    for turn in range(max(map(len, lists.values()))):
        for lang in lists:
            if turn < len(lists[lang]):
                found.setdefault(lists[lang][turn])
    return list(found)[:count]


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("encoder"), ask.add_argument("parallel"), ask.add_argument("stores"), ask.add_argument("out")
    ask.add_argument("--pieces", type=int, default=10000), ask.add_argument("--each", type=int, default=6000)
    ask.add_argument("--steps", type=int, default=9000), ask.add_argument("--seconds", type=float, default=1e9), ask.add_argument("--batch", type=int, default=512)
    ask.add_argument("--rate", type=float, default=1.5e-4), ask.add_argument("--seed", type=int, default=1)
    args = ask.parse_args()
    random.seed(args.seed), torch.manual_seed(args.seed)
    pairs = [json.loads(line) for line in gzip.open(args.parallel, "rt", encoding="utf-8")]
    # What memories and prompts say keeps its vector, too.
    stores = [store for store in read_stores(glob.glob(f"{args.stores}/*.jsonl")) if store["name"][2] != "_"]
    own = [memory_text(memory) for store in stores for memory in store["m"].values()] + [text for store in stores for text, _, _ in store["q"]]
    own = [text for text in own if sum(not c.isascii() for c in text) * 10 < len(text)]
    random.shuffle(pairs)
    held, pairs = pairs[:4000], pairs[4000:]
    by_lang = collections.defaultdict(list)
    for pair in pairs:
        by_lang[pair["lang"]].append(pair["to"])
    old = vocabulary(args.encoder)
    # The unused slots of the vocabulary first.
    added, words = new_pieces(old, by_lang, args.pieces, args.each), list(old)
    slots = [at for at, word in enumerate(old) if word.startswith("[unused")][:len(added)] + list(range(len(old), len(old) + len(added)))
    for at, piece in zip(slots, added):
        words[at:at + 1] = [piece]
    slots = slots[:len(added)]
    old_tokens, tokens = tokenizer(old), tokenizer(words)
    print("vocabulary", len(old), "->", len(words), {lang: len(texts) for lang, texts in by_lang.items()}, flush=True)
    teacher, model = load(args.encoder).eval(), load(args.encoder, len(words), dropout=0.0).train()
    table = model.embeddings.word_embeddings.weight
    with torch.no_grad():
        typical = table[1000:len(old)].norm(dim=-1).mean()
        for at in slots:
            piece = words[at]
            known = [one for one in old_tokens.encode(piece.removeprefix("##"), add_special_tokens=False).ids if one != 100]
            start = table[known].mean(0) if known else table[1000:len(old)].mean(0)
            table[at] = start + torch.randn(384, device=DEVICE) * 0.1 * typical / 384 ** 0.5
    english = [pair["en"] for pair in pairs]
    wanted = vectors(teacher, Rows(old_tokens, english, MOST_TOKENS)).half()
    translated, english = Rows(tokens, [pair["to"] for pair in pairs], MOST_TOKENS), Rows(tokens, english, MOST_TOKENS)
    wanted_own, own = vectors(teacher, Rows(old_tokens, own, 112)).half(), Rows(tokens, own, 112)
    trained = torch.zeros(len(words), 1, device=DEVICE)
    trained[slots] = 1
    for at, word in enumerate(old):  # characters and short pieces of other scripts were hardly trained
        if not word.isascii():
            trained[at] = 1
    optimiser = torch.optim.AdamW([{"params": [table], "lr": 0, "weight_decay": 0}, {"params": [p for p in model.parameters() if p is not table], "lr": 0, "weight_decay": 0.01}], fused=DEVICE == "cuda")
    held_english, held_there = Rows(tokens, [pair["en"] for pair in held], MOST_TOKENS), Rows(tokens, [pair["to"] for pair in held], MOST_TOKENS)

    def report(title):
        model.eval()
        goal = vectors(teacher, Rows(old_tokens, [pair["en"] for pair in held], MOST_TOKENS))
        there = vectors(model, held_there)
        kept = (vectors(model, held_english) * goal).sum(-1).mean().item()
        kept_own = (vectors(model, own) * wanted_own.float()).sum(-1).mean().item()
        near, found = (there * goal).sum(-1), (there @ goal.T).argmax(-1) == torch.arange(len(held), device=DEVICE)
        rows = {lang: [at for at, pair in enumerate(held) if pair["lang"] == lang] for lang in sorted(by_lang)}
        print(title, f"English kept {kept:.4f} own {kept_own:.4f} | found among 4000, cosine:",
              " ".join(f"{lang} {found[at].float().mean():.2f}/{near[at].mean():.2f}" for lang, at in rows.items() if at), flush=True)
        model.train()

    report("before")
    start, step, done = time.time(), 0, 0.0
    while done < 1:
        at = random.sample(range(len(pairs)), args.batch)
        goal = wanted[at].float()
        there, here = unit(model, translated, at), unit(model, english, at[:args.batch // 4])
        mine = random.sample(range(len(own)), 48)
        said = unit(model, own, mine)
        loss = (1 - (there * goal).sum(-1)).mean() + 0.25 * F.cross_entropy(there @ goal.T / 0.05, torch.arange(len(at), device=DEVICE))
        loss = loss + (1 - (here * goal[:len(here)]).sum(-1)).mean() + 2 * (1 - (said * wanted_own[mine].float()).sum(-1)).mean()
        optimiser.zero_grad()
        loss.backward()
        table.grad *= trained
        share = min(1, step / 200) * max(0.03, 1 - done)
        for group, rate in zip(optimiser.param_groups, (2e-3, args.rate)):
            group["lr"] = rate * share
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        done = max(step / args.steps, (time.time() - start) / args.seconds)
        if step % 1000 == 0:
            print(step, round(loss.item(), 3), f"{time.time() - start:.0f} s", flush=True)
    report(f"after {step} steps")
    save(model, words, args.out)


if __name__ == "__main__":
    main()
