#!/usr/bin/env python3
"""make_parallel.py OUT.jsonl.gz UI.jsonl MIRRORS [LIBREOFFICE.tar.xz]: everyday and documentation sentences, English beside fourteen languages.

UI.jsonl is what `parallel_many.py` wrote. MIRRORS holds bare git mirrors named `owner+name/repo` (see TATOEBA, ANKI, PYTHON and `documentation`; one that is not there is
left out); the archive is Debian's `libreoffice_7.4.7.orig-translations.tar.xz`. One JSON object a line: {"lang", "en", "to"}, sorted by the
English, so that an English sentence that several languages share costs few bytes. Counts a language and source go to standard output.
Sources, licences: PARALLEL.md.
"""
import collections, gzip, html, json, os, re, subprocess, sys, tarfile, zlib

CODES = dict(deu="de", fra="fr", spa="es", por="pt", ita="it", rus="ru", zho="zh", jpn="ja", kor="ko", vie="vi", nld="nl", pol="pl", ukr="uk", tur="tr")
LANGUAGES = list(CODES.values())
MOST = 27_000  # pairs of one language
# Of these no more than so many of one language, best first; what they leave of MOST is filled up with what is left over, in the same order.
SHARES = {"tatoeba": 20_800, "ui": 3_400, "libreoffice": 1_500, "python": 400, "godot": 400, "django": 200, "ntrex": 300}
LONGEST = 75  # characters of an English sentence that is taken gladly
HARDEST = 180  # and of the longest that is taken
TATOEBA = "Helsinki-NLP+Tatoeba-Challenge"
ANKI = {"xukai98+data": ("spa.txt", "es"), "devcem+NMT-on-PHP": ("tur.txt", "tr"), "DarrenCarvalho+Language-Translation": ("data/deu.txt", "de"),
        "park-cheol+NLP-Seq2Seq": ("data/kor.txt", "ko"), "datblue+vn_machine_translation": ("vie-eng/vie.txt", "vi")}
PYTHON = {"es": "3.12", "ja": "3.11", "pl": "3.13", "tr": "3.12", "fr": "3.13", "it": "3.13", "ko": "3.13", "pt-br": "3.14", "uk": "3.13", "zh-cn": "3.14"}

found = {lang: collections.defaultdict(dict) for lang in LANGUAGES}  # language, source, English: translated
SHARED = collections.Counter()  # English: how many languages have it


def files(mirror, wanted, ref="HEAD"):
    """(path, bytes) of the files of a mirror whose path `wanted` matches. Files that did not come with the mirror are passed over."""
    where = next((one for one in (f"{MIRRORS}/{mirror}/repo/.git", f"{MIRRORS}/{mirror}/repo") if os.path.isdir(one)), None)
    if not where:
        print("not there:", mirror, flush=True)
        return
    listed = subprocess.run(["git", "-C", where, "ls-tree", "-r", ref], capture_output=True, text=True).stdout
    blobs = [(line.split("\t")[1], line.split()[2]) for line in listed.splitlines() if re.search(wanted, line.split("\t")[1])]
    with subprocess.Popen(["git", "-C", where, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        for path, blob in blobs:
            reader.stdin.write(f"{blob}\n".encode())
            reader.stdin.flush()
            head = reader.stdout.readline().split()
            if head[1] == b"blob":
                yield path, reader.stdout.read(int(head[2]) + 1)[:-1]
        reader.stdin.close()


def plain(text):
    """Without mark-up: tags, reStructuredText roles and links, placeholders, accelerators."""
    text = re.sub(r":[\w:.+-]+:`~?([^`<]*?)(?:\s*<[^>`]*>)?`|`([^`<]+?)\s*<[^>`]*>`_+", lambda one: one[1] or one[2] or "", html.unescape(text))
    text = re.sub(r"<[^>]+>|\{\{?[^}]*\}?\}|%\(?\w*\)?[sdr]|\$\[?\w+\]?|https?://\S+|[*`#|]+|\\[a-z]", " ", text)
    return " ".join(text.replace("~", "").split())


def add(source, lang, english, translated):
    english, translated = plain(english), plain(translated)
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", english)
    if not (8 <= len(english) <= 300 and 3 <= len(words) <= 40 and 3 <= len(translated) <= 300):
        return
    # Code, tables and lists of names are no sentences, and neither is what was left untranslated.
    if sum(one.isalpha() or one in " '’,.?!-" for one in english) < 0.88 * len(english) or english.lower() == translated.lower():
        return
    ratio = len(translated) / len(english) * (2.2 if lang in ("zh", "ja", "ko") else 1)
    script = {"ru": "[а-яё]", "uk": "[а-яіїєґ]", "zh": "[\u4e00-\u9fff]", "ja": "[\u3040-\u30ff\u4e00-\u9fff]", "ko": "[가-힣]"}.get(lang)
    if not 0.4 <= ratio <= 2.6 or script and len(re.findall(script, translated.lower())) < 0.3 * len(translated):
        return
    found[lang][source].setdefault(english, translated)


def gettext(source, lang, text):
    join = lambda lines: "".join(json.loads(one, strict=False) for one in re.findall(r'"(?:[^"\\]|\\.)*"', lines))
    for block in re.split(r"\n\s*\n", text):
        both = re.search(r'^msgid\s+((?:".*"\s*)+)msgstr\s+((?:".*"\s*)+)', block, re.M)
        if both and not re.search(r"^#,.*fuzzy|^#~", block, re.M):
            try:
                add(source, lang, join(both[1]), join(both[2]))
            except ValueError:
                pass


def tatoeba():
    for code, lang in CODES.items():
        for path, data in files(TATOEBA, rf"^data/(dev|test|devtest|release)/.*(eng-{code}|{code}-eng)[./].*(txt|gz)$"):
            for line in (gzip.decompress(data) if path.endswith(".gz") else data).decode("utf-8", "replace").splitlines():
                part = line.split("\t")
                if len(part) < 4:
                    continue
                if part[0] != "eng":
                    part = [part[1], part[0], part[3], part[2]]
                if part[1] == code or part[1] in ("cmn", "cmn_Hans", "jpn_Hira", "jpn_Kana"):
                    add("tatoeba", lang, part[2], part[3])
    for mirror, (path, lang) in ANKI.items():
        for _, data in files(mirror, f"^{re.escape(path)}$"):
            for line in data.decode("utf-8", "replace").splitlines():
                part = line.split("\t")
                if len(part) > 1:
                    add("tatoeba", lang, part[0], part[1])


def ntrex():
    read = {path: data.decode().splitlines() for path, data in files("MicrosoftTranslator+NTREX", r"newstest2019-(src|ref)\.")}
    english = read.get("NTREX-128/newstest2019-src.eng.txt", [])
    for code, lang in {**CODES, "por-BR": "pt", "zho-CN": "zh"}.items():
        for one, other in zip(english, read.get(f"NTREX-128/newstest2019-ref.{code}.txt", [])):
            add("ntrex", lang, one, other)


def documentation(archive):
    for code, ref in PYTHON.items():
        for _, data in files(f"python+python-docs-{code}", r"\.po$", ref):
            gettext("python", code[:2], data.decode())
    for path, data in files("godotengine+godot-docs-l10n", r"^sphinx/po/.*\.po$"):
        lang = path.split("/")[2]
        if lang[:2] in LANGUAGES and lang != "zh_TW":
            gettext("godot", lang[:2], data.decode())
    for path, data in files("django+django-docs-translations", r"^translations/\w+/.*\.po$", "stable/5.1.x"):
        lang = path.split("/")[1]
        if lang[:2] in LANGUAGES and lang not in ("zh_Hant", "zh_TW"):
            gettext("django", lang[:2], data.decode())
    if archive:
        names = {**{one: one for one in LANGUAGES}, "zh-CN": "zh", "pt-BR": "pt"}
        whole = tarfile.open(archive, "r|xz")
        for entry in whole:
            part = re.search(r"/source/([\w-]+)/helpcontent2/.*\.po$", entry.name)
            if part and part[1] in names:
                gettext("libreoffice", names[part[1]], whole.extractfile(entry).read().decode())


def chosen(lang):
    """Up to MOST pairs of a language: every source to its share, then what is left over."""
    picked, rest = {}, []
    for source, share in SHARES.items():
        # Sentences first (four words and more), and of these rather short ones: they are the more natural, and the file is small.
        # The rest of the order is chance, but the same for every language: so they share their English sentences.
        fit = [one for one in found[lang][source].items() if len(one[0]) <= HARDEST]
        order = sorted(fit, key=lambda one: (not 4 <= len(one[0].split()) <= 30, len(one[0]) > LONGEST, -SHARED[one[0]], zlib.crc32(one[0].encode())))
        ours = [one for one in order if one[0] not in picked]
        picked.update((english, (translated, source)) for english, translated in ours[:min(share, MOST - len(picked))])
        rest += [(english, translated, source) for english, translated in ours[share:]]
    for english, translated, source in rest:
        if len(picked) >= MOST:
            break
        picked.setdefault(english, (translated, source))
    return picked


def collect(interface, archive):
    for line in open(interface, encoding="utf-8"):
        one = json.loads(line)
        if len(one["en"].split()) >= 4:
            add("ui", one["lang"], one["en"], one["to"])
    tatoeba()
    ntrex()
    documentation(archive)


def write(out):
    SHARED.update(english for lang in found for source in found[lang] for english in found[lang][source])
    lines = []
    for lang in LANGUAGES:
        picked = chosen(lang)
        lines += [(english, lang, translated) for english, (translated, _) in picked.items()]
        counts = collections.Counter(source for _, source in picked.values())
        print(lang, len(picked), dict(counts), "of", {source: len(found[lang][source]) for source in SHARES}, flush=True)
    with gzip.GzipFile(out, "wb", 9, mtime=0) as file:
        for english, lang, translated in sorted(lines):
            file.write((json.dumps({"lang": lang, "en": english, "to": translated}, ensure_ascii=False, separators=(",", ":")) + "\n").encode())
    print("all", len(lines), os.path.getsize(out), "bytes")


if __name__ == "__main__":
    out, interface, MIRRORS = sys.argv[1:4]
    collect(interface, sys.argv[4] if len(sys.argv) > 4 else None)
    write(out)
