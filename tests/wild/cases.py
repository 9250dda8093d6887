"""Where the directories come from, and what they are like: those beside this file, or strangers' in bare mirrors of git.

Leaves files as bytes by name. Reads mirrors through git alone and never writes to them.
"""
import collections, dataclasses, os, pathlib, re, statistics, subprocess

from harm import INDEX, is_index, is_memory, text

SMALLEST, LARGEST = 5, 400  # files of a stranger's directory: fewer tell nothing, more are no memory
LETTERS = {"Korean": "\uac00-\ud7af", "Japanese": "\u3040-\u30ff", "Chinese": "\u4e00-\u9fff", "Russian": "\u0400-\u04ff",
           "Arabic": "\u0600-\u06ff", "Greek": "\u0370-\u03ff", "Hindi": "\u0900-\u097f", "Thai": "\u0e00-\u0e7f"}
# The commonest short words that no other language of the list has.
COMMON = {
    "English": "the and with not this that from when are before", "German": "und nicht der das ist wird auf mit für nur",
    "Spanish": "el los las por con una antes del y cuando", "Portuguese": "não uma com os são quando em do da foi",
    "French": "les des est pas une dans pour sur avec aux", "Italian": "il che non di gli della sono alla nel più",
    "Vietnamese": "và không của được là cho khi một các trong", "Dutch": "het een niet van voor zijn wordt naar bij ook",
    "Polish": "nie jest się na że dla przed przez oraz tylko", "Turkish": "ve bir için değil bu ile sonra önce olarak gibi",
}


@dataclasses.dataclass
class Case:
    """One memory directory as somebody left it."""

    name: str
    source: str  # the repository, or the folder of directories
    files: dict

    @property
    def memories(self):
        return sorted(name for name in self.files if is_memory(name))


def read(folder):
    """All files below a folder; nothing else is in a memory directory."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def in_repository(folder):
    paths = sorted(path for path in folder.iterdir() if path.is_dir())
    bare = [path.name for path in paths if not (path / INDEX).is_file()]
    if bare:
        raise SystemExit(f"no {INDEX}: {', '.join(bare)}")
    return [Case(path.name, str(folder), read(path)) for path in paths]


def in_mirrors(folder, only=None):
    """Every directory with an index in every mirror; `only` names repositories as owner/name."""
    for mirror in sorted(pathlib.Path(folder).glob("*/repo")):
        repository = mirror.parent.name.replace("+", "/", 1)
        if only is None or repository in only:
            yield from in_mirror(mirror, repository)


def in_mirror(mirror, repository):
    entries = [entry.split("\t", 1) for entry in os.fsdecode(git(mirror, "ls-tree", "-r", "-z", "HEAD")).split("\0") if entry]
    plain = {name: facts.split()[2] for facts, name in entries if facts.startswith("100") and ".." not in name.split("/")}
    for index in sorted(name for name in plain if is_index(name)):
        below = index[:-len(INDEX)]
        chosen = [name for name in plain if name.startswith(below) and name.endswith(".md")]
        if SMALLEST <= len(chosen) <= LARGEST and any(is_memory(name[len(below):]) for name in chosen):
            files = {name[len(below):]: git(mirror, "cat-file", "blob", plain[name]) for name in chosen}
            yield Case(f"{repository}/{below}", repository, files)


def git(mirror, *arguments):
    return subprocess.run(["git", "-C", mirror, *arguments], check=True, capture_output=True).stdout


def language(content):
    """The language of a text, as far as its letters and commonest words tell."""
    said = text(content).casefold()
    letters = sum(map(str.isalpha, said)) or 1
    for name, script in LETTERS.items():
        # A tenth: a syllable or a Han character says as much as several letters, and commands and paths are Latin everywhere.
        if len(re.findall(f"[{script}]", said)) > letters / 10:
            return name
    seen = collections.Counter(re.findall(r"[^\W\d_]+", said))
    scores = {name: sum(seen[word] for word in common.split()) for name, common in COMMON.items()}
    best = max(scores, key=scores.get)
    return best if scores[best] else "unknown"


def describe(cases):
    """Counts that say what was measured on, and nobody's name."""
    contents = [case.files[name] for case in cases for name in case.memories]
    sizes = sorted(len(text(content)) for content in contents) or [0]
    languages = collections.Counter(map(language, contents))
    lines = [line for case in cases for line in text(case.files[INDEX]).splitlines() if line.strip()]
    return {"sources": len({case.source for case in cases}), "directories": len(cases), "memories": len(contents),
            "characters_median": int(statistics.median(sizes)), "characters_p90": sizes[int(0.9 * (len(sizes) - 1))],
            "characters_largest": sizes[-1], "index_lines": len(lines), "languages": dict(languages.most_common())}
