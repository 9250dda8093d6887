#!/usr/bin/env python3
"""make_nli.py OUT.jsonl.gz MIRRORS [UNCLEAR.jsonl.gz]: pairs of sentences and how they stand to each other, {"lang", "a", "b", "l"}.

`l` is entail, contradict, neutral (written or judged by people), paraphrase or different. MIRRORS as in `make_parallel.py`. Two Tatoeba
sentences that share a translation are a paraphrase; two that share most of their words, no translation and no difference that any
paraphrase shows, are different. UNCLEAR takes pairs whose repository states no licence for the annotations. Sources, licences: NLI.md.
"""
import collections, csv, gzip, io, itertools, json, os, random, re, sys, zipfile

import make_parallel as parallel
from make_parallel import CODES, TATOEBA, files

LABELS = {"entailment": "entail", "contradiction": "contradict", "neutral": "neutral", "e": "entail", "c": "contradict", "n": "neutral",
          "ent": "entail", "cnt": "contradict"}
PARAPHRASES = collections.defaultdict(lambda: 12_000, en=40_000)  # pairs of one language
DIFFERENT = collections.defaultdict(lambda: 9_000, en=40_000)
PRONOUNS = set("i me my you your he him his she her it its we us our they them their tom mary this that these those not no never nobody nothing".split())

pairs = collections.OrderedDict()  # (language, a, b): (label, source)


def add(source, lang, a, b, label):
    a, b = " ".join(a.split()), " ".join(b.split())
    if label and 8 <= len(a) + len(b) and min(len(a), len(b)) >= 3 and max(len(a), len(b)) <= 400 and a != b and (lang, b, a) not in pairs:
        pairs.setdefault((lang, a, b), (label, source))


def text(mirror, path):
    return next((data.decode("utf-8-sig") for _, data in files(mirror, f"^{re.escape(path)}$")), "")


def table(mirror, path, separator="\t"):
    quoting = csv.QUOTE_MINIMAL if separator == "," else csv.QUOTE_NONE
    return csv.DictReader(io.StringIO(text(mirror, path)), delimiter=separator, quoting=quoting)


def lines(mirror, path):
    return [json.loads(one) for one in text(mirror, path).splitlines() if one.strip()]


def judged():
    for one in table("felipessalvatore+NLI_datasets", "nli_datasets/mnli/dev.csv", ","):
        add("MultiNLI dev", "en", one["premise"], one["hypothesis"], LABELS.get(one["label"]))
    for one in table("felipessalvatore+NLI_datasets", "nli_datasets/snli/dev.csv", ","):
        add("SNLI dev, test", "en", one["premise"], one["hypothesis"], LABELS.get(one["label"]))
    for part in ("dev", "test"):
        for one in lines("Deltaus+sBiMPM", f"snli_1.0/snli_1.0_{part}.jsonl"):
            add("SNLI dev, test", "en", one["sentence1"], one["sentence2"], LABELS.get(one["gold_label"]))
    for part in ("train", "dev", "test"):
        for one in table("acmi-lab+counterfactually-augmented-data", f"NLI/all_combined/{part}.tsv"):
            add("SNLI counterfactual", "en", one["sentence1"], one["sentence2"], LABELS.get(one["gold_label"]))
    for path in ("adversarial_train_15k", "conj_dev", "conj_test"):
        for one in table("swarnaHub+ConjNLI", f"data/NLI/{path}.tsv"):
            add("ConjNLI", "en", one["Premise"], one["Hypothesis"], LABELS.get(one.get("Label")))
    for one in table("verypluming+MED", "MED.tsv"):
        add("MED", "en", one["sentence1"], one["sentence2"], LABELS.get(one["gold_label"]))
    for path in ("leskexppmb_and", "leskexppmb_or"):
        for one in table("verypluming+HELP", f"output_en/{path}.tsv"):
            add("HELP", "en", one["ori_sentence"].replace(" .", "."), one["new_sentence"].replace(" .", "."), LABELS.get(one["gold_label"]))
    for _, data in files("BIU-NLP+Breaking_NLI", r"breaking_nli_dataset\.zip$"):
        whole = zipfile.ZipFile(io.BytesIO(data))
        for name in whole.namelist():
            if name.endswith(".jsonl") and "MACOSX" not in name:
                for one in map(json.loads, whole.read(name).decode().splitlines()):
                    add("Breaking NLI", "en", one["sentence1"], one["sentence2"], LABELS.get(one["gold_label"]))
    for part in ("train", "valid", "test"):
        for one in lines("yahoojapan+JGLUE", f"datasets/jnli-v1.3/{part}-v1.3.json"):
            add("JGLUE JNLI", "ja", one["sentence1"], one["sentence2"], LABELS.get(one.get("label")))
    # Two-way judgements: what is not entailed may be neutral or contradict, so it is only called different.
    for one in table("verypluming+JaNLI", "janli.tsv"):
        add("JaNLI", "ja", one["sentence_A_Ja"], one["sentence_B_Ja"], "entail" if one["entailment_label_Ja"] == "entailment" else "different")
    for one in json.loads(text("KLUE-benchmark+KLUE", "klue_benchmark/klue-nli-v1.1/klue-nli-v1.1_dev.json") or "[]"):
        add("KLUE NLI dev", "ko", one["premise"], one["hypothesis"], LABELS.get(one["gold_label"]))
    for path, lang in (("train", "ja"), ("valid", "ja")):
        for one in lines("yahoojapan+JGLUE", f"datasets/jsts-v1.3/{path}-v1.3.json"):
            add("JGLUE JSTS", lang, one["sentence1"], one["sentence2"], "paraphrase" if one["label"] >= 4.4 else "different" if one["label"] <= 2.4 else None)
    for one in json.loads(text("KLUE-benchmark+KLUE", "klue_benchmark/klue-sts-v1.1/klue-sts-v1.1_dev.json") or "[]"):
        score = one["labels"]["label"]
        add("KLUE STS dev", "ko", one["sentence1"], one["sentence2"], "paraphrase" if score >= 4.0 else "different" if score <= 2.4 else None)
    # Ten ways of saying one question or command, one after another; the next ten of the same topic and act are near, but another.
    said = [line.split("\t") for line in text("warnikchow+paraKQC", "data/paraKQC_v1.txt").splitlines()]
    groups = [said[at : at + 10] for at in range(0, len(said), 10)]
    for at, group in enumerate(groups):
        for one, other in random.Random(at).sample(list(itertools.combinations(group, 2)), min(9, len(group) * (len(group) - 1) // 2)):
            add("ParaKQC", "ko", one[2], other[2], "paraphrase")
        for other in groups[at + 1 : at + 3]:
            if other[0][:2] == group[0][:2]:
                for one, two in list(zip(group, other))[:4]:
                    add("ParaKQC", "ko", one[2], two[2], "different")


def words(lang, sentence):
    sentence = sentence.lower().replace("’", "'")
    return set(re.findall(r"[\w]", sentence)) if lang in ("zh", "ja") else set(re.findall(r"[\w']+", sentence))


def tatoeba():
    translated = collections.defaultdict(lambda: collections.defaultdict(set))  # language, sentence: its translations, (language, sentence)
    for code, lang in CODES.items():
        for path, data in files(TATOEBA, rf"^data/(dev|test|release)/.*(eng-{code}|{code}-eng)[./].*(txt|gz)$"):
            for line in (gzip.decompress(data) if path.endswith(".gz") else data).decode("utf-8", "replace").splitlines():
                part = [one.strip() for one in line.split("\t")]
                if len(part) < 4:
                    continue
                if part[0] != "eng":
                    part = [part[1], part[0], part[3], part[2]]
                if part[1] in (code, "cmn", "cmn_Hans") and 10 <= len(part[2]) <= 160 and 4 <= len(part[3]) <= 160:
                    translated["en"][part[2]].add((lang, part[3]))
                    translated[lang][part[3]].add(("en", part[2]))
    chance = random.Random(7)
    for lang in sorted(translated):
        ours, there = translated[lang], collections.defaultdict(list)
        for sentence in sorted(ours):
            for other in ours[sentence]:
                there[other].append(sentence)
        shared = collections.Counter()
        for group in there.values():
            if 2 <= len(group) <= 12:
                shared.update(itertools.combinations(group, 2))
        alike, swaps = [], set()
        for (a, b), count in sorted(shared.items()):
            one, other = words(lang, a), words(lang, b)
            swaps.update((x, y) for x in one - other for y in other - one)
            swaps.update((y, x) for x in one - other for y in other - one)
            # German «sie» is she, they and you: in English who is spoken of must be the same, and two languages must agree or many words.
            sure = lang != "en" or one & PRONOUNS == other & PRONOUNS and (count >= 2 or len(one & other) >= 0.4 * len(one | other))
            if sure and one != other and len(one & other) < 0.86 * len(one | other):
                alike.append((a, b))
        chance.shuffle(alike)
        for a, b in alike[: PARAPHRASES[lang]]:
            add("Tatoeba", lang, a, b, "paraphrase")
        # Near in words, other in meaning: one or two words are others, and no paraphrase exchanges those.
        index = collections.defaultdict(list)
        for sentence in sorted(ours):
            mine = sorted(words(lang, sentence))
            if 4 <= len(mine) <= 14:
                for gone in mine:
                    index[" ".join(one for one in mine if one != gone)].append((sentence, gone))
        other = []
        for group in index.values():
            if 2 <= len(group) <= 40:
                chance.shuffle(group)
                for (a, x), (b, y) in zip(group[::2], group[1::2]):
                    if x != y and (x, y) not in swaps and not ours[a] & ours[b] and x[:4] != y[:4]:
                        other.append((a, b))
        if lang == "en":  # the same but for a negation
            plain = {" ".join(sorted(words("en", one))): one for one in ours}
            for one in sorted(ours):
                if words("en", one) & {"not", "never", "no"}:
                    without = plain.get(" ".join(sorted(words("en", one) - {"not", "never", "no"})))
                    if without:
                        add("Tatoeba", "en", without, one, "contradict")
        chance.shuffle(other)
        for a, b in other[: DIFFERENT[lang]]:
            add("Tatoeba", lang, a, b, "different")
        print(lang, "tatoeba:", len(alike), "paraphrases,", len(other), "different", flush=True)


def unclear():
    for folder in ("base_wiki", "sim_wiki", "translate_wiki"):
        for one in lines("nyu-mll+semi-automatic-nli", f"data/{folder}/train.jsonl"):
            add("semi-automatic NLI (Wikipedia)", "en", one["premise"], one["hypothesis"], LABELS.get(one["label"]))
    for one in table("venelink+inferes", "data/inferes_train.csv", ","):
        add("InferES", "es", one["Premise"], one["Hypothesis"], LABELS.get(one["Label"], one["Label"]))


def write(out):
    with gzip.GzipFile(out, "wb", 9, mtime=0) as file:
        for (lang, a, b), (label, _) in sorted(pairs.items()):
            file.write((json.dumps({"lang": lang, "a": a, "b": b, "l": label}, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
    table = collections.Counter((source, lang, label) for (lang, _, _), (label, source) in pairs.items())
    for key, count in sorted(table.items()):
        print(*key, count, sep="\t")
    print(out, len(pairs), os.path.getsize(out), "bytes", flush=True)
    pairs.clear()


if __name__ == "__main__":
    out, parallel.MIRRORS = sys.argv[1:3]
    judged()
    tatoeba()
    write(out)
    if len(sys.argv) > 3:
        unclear()
        write(sys.argv[3])
