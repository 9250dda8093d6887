#!/usr/bin/env python3
"""reference.py MODEL_DIR OUT_DIR: what PyTorch and the Hugging Face tokenizer make of some texts, for the encoder's tests.

Writes OUT_DIR/tokens.json (texts with their token numbers), OUT_DIR/vectors.json (English and Chinese texts with the mean of the last layer, not
scaled to length one) and OUT_DIR/languages.json (the same of texts in other languages). Needs torch, transformers, tokenizers, safetensors. The tests read the files; they need no Python.
"""
import json
import sys

import torch
from safetensors.torch import load_file
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel

from languages import encoded, in_languages, language_tokenizer, shipped

model_dir, out_dir = sys.argv[1:3]

TEXTS = [
    "can I stub out postgres in this integration test or do we need the real thing",
    "No database mocks. Integration tests must hit a real Postgres; mocks hid a broken migration",
    "fix",
    "",
    "FAIL refunds_test.go:44: dial tcp 127.0.0.1:5432: connect: connection refused - stub it out?",
    "部署到生产环境之前要先问谁?",
    "中文提问就用中文回答。用户用中文提问时用中文回答,代码注释始终用英文",
    "把 billing-worker 的重试次数改成 5,别忘了 metrics",
    "Crème brûlée naïve façade — ÅNGSTRÖM “quotes” … ½ ™",
    "🚀🚀 ship it!!! 👩‍💻",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa then short",
    "The release branch is cut every second Thursday; after that only fixes that a release manager has approved may be merged. " * 8,
]

LANGUAGES = [
    "Die Datenbank wird jeden Sonntag geleert, bitte vorher nichts löschen.",
    "pourquoi les tests ne passent-ils plus depuis hier soir ?",
    "no toques la base de datos de producción sin preguntar antes",
    "a implantação só acontece às quintas, depois da reunião",
    "chi approva una modifica allo schema del database?",
    "почему падают тесты после обновления?",
    "хто відповідає за розгортання у п’ятницю",
    "デプロイは木曜日の朝だけにしてください",
    "배포는 목요일 오전에만 하고 그 전에 물어봐",
    "tại sao các bài kiểm tra lại không chạy được nữa",
    "wie mag er in het weekend een nieuwe versie uitrollen?",
    "dlaczego testy nie przechodzą po wczorajszej zmianie",
    "üretim veritabanına sormadan dokunma",
]

STRINGS = TEXTS + LANGUAGES + [
    " ",
    "\t\r\n",
    "Hello, world!",
    "UPPER lower MiXeD",
    "snake_case camelCase kebab-case SCREAMING_CASE",
    "src/auth/mod.rs:42:7",
    "a.b.c(d)[e]{f}<g>",
    "don't won't it's",
    "$100 + €200 = £300 ^ ~ ` |",
    "nul\x00byte and bell\x07 and del\x7f",
    "replacement \ufffd character",
    "zero\u200bwidth\u200djoiner\ufeffbom",
    "bidi \u202eoverride\u202c \u2066isolate\u2069",
    "soft\u00adhyphen no\u00a0break thin\u2009space ideographic\u3000space",
    "vertical\x0btab form\x0cfeed next\u0085line line\u2028sep",
    "e\u0301 combining vs é precomposed",
    "İstanbul ıI ſ ß ẞ ﬁ ﬂ Ǆ",
    "ΑΒΓ Σίσυφος ΣΑΣ",
    "Привет, Ёлка",
    "שָׁלוֹם עולם",
    "مرحبا بالعالم ١٢٣",
    "हिन्दी भाषा ো ৌ",
    "한국어 테스트 각 힣 가",
    "カタカナ ひらがな が ぱ ヴ",
    "漢字かな交じり文",
    "中文,标点。全角!?「」《》",
    "𠀀𠀁 \U0002f800 豈 㐀",
    "Tiếng Việt ĐặcBiệt",
    "Å \u212b K \u212a Ω \u2126",
    "① ② ½ ² ³ № ℃ ™",
    "emoji 😀👍🏽🇨🇳 done",
    "x" * 100,
    "x" * 101,
    "é" * 101,
    "\u0301" * 150 + "a",
    "한" * 40,
    "unaffable antidisestablishmentarianism supercalifragilistic",
    "[CLS] [SEP] [MASK] [PAD] [UNK] [unused1] ##ing",
    "a" + "\u0300" * 50 + "b",
    "≠ ≮ ≯ ; · ` 〈 〉",
    "\ue000 private \U000e0001 tag \U0010ffff",
    "1234567890123456789012345678901234567890",
    "https://example.com/a?b=c&d=%20e#f",
    "‘single’ “double” – — … ‹ ›",
]


def numbers_of(lines):
    return {line: number for number, line in enumerate(lines) if line}


words = open(f"{model_dir}/vocab.txt", encoding="utf-8").read().split("\n")[:30522]
vocabulary = numbers_of(words)
tokenizer = BertWordPieceTokenizer(vocab=vocabulary, lowercase=True)
# A text that spells a marker out is a text, not a marker.
tokenizer._tokenizer.encode_special_tokens = True
pieces, rows, sign = shipped(model_dir)
of_languages = language_tokenizer(words, pieces)
of_languages._tokenizer.encode_special_tokens = True


def numbers(text):
    return (of_languages if in_languages(sign, encoded(of_languages, [text])[0]) else tokenizer).encode(text).ids


tokens = [{"text": text, "tokens": numbers(text)} for text in STRINGS]
with open(f"{out_dir}/tokens.json", "w", encoding="utf-8") as out:
    out.write("[\n" + ",\n".join(json.dumps(entry) for entry in tokens) + "\n]\n")

config = json.load(open(f"{model_dir}/config.json", encoding="utf-8"))
model = BertModel(BertConfig(**{key: config[key] for key in config if key not in ("architectures", "model_type", "transformers_version", "_name_or_path")}), add_pooling_layer=False)
weights = {name: tensor.float() for name, tensor in load_file(f"{model_dir}/model.fp16.safetensors").items()}
missing = model.load_state_dict(weights, strict=False)
assert not missing.unexpected_keys and all("position_ids" in key for key in missing.missing_keys), missing
model.eval()
tokenizer.enable_truncation(64)
of_languages.enable_truncation(64)
table = torch.cat([model.embeddings.word_embeddings.weight.detach(), torch.tensor(rows)])
for name, texts in (("vectors", TEXTS), ("languages", LANGUAGES)):
    vectors = []
    for text in texts:
        ids = torch.tensor([numbers(text)])
        with torch.no_grad():
            mean = model(inputs_embeds=table[ids], attention_mask=torch.ones_like(ids)).last_hidden_state[0].mean(0)
        vectors.append({"text": text, "mean": [round(value, 6) for value in mean.tolist()]})
    with open(f"{out_dir}/{name}.json", "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(entry) for entry in vectors) + "\n]\n")
print(len(tokens), "strings")
