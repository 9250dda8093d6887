"""What a memory directory has lost or been given between two looks at it.

Enters: the files of a directory before and after, as bytes by name. Leaves: which memories changed, which are gone, which dates
nobody wrote, which words stand nowhere any more, which index lines are not what or where they were. Never touches a file.
"""
import dataclasses, re, unicodedata, urllib.parse

INDEX = "MEMORY.md"
SCRIPTS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u1100-\u11ff"  # kana, Han, Hangul
# Written without spaces, or with endings glued on: pairs of neighbours stand in for words.
RUN = re.compile(f"[{SCRIPTS}]+")
WORD = re.compile(r"[^\W\d_]{4,}|\d+")
MONTHS = ("jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october november"
          " december januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre"
          " octubre noviembre diciembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro janvier février"
          " mars avril juin juillet août septembre octobre novembre décembre").split()
MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
DATE = re.compile("|".join((  # the longest first: a year inside a date is no date of its own
    r"(?<![a-z0-9_])(?:19|20)\d\d[-/.][01]?\d(?:[-/.][0-3]?\d)?(?!\d)",
    r"(?<!\d)[0-3]?\d[/.][0-3]?\d[/.](?:\d{4}|\d{2})(?!\d)",
    r"(?<!\d)(?:\d{4} ?[年년] ?)?\d{1,2} ?[月월](?: ?\d{1,2} ?[日일])?",
    rf"(?<!\w)\d{{1,2}}(?:\.|st|nd|rd|th)? (?:de |of )?{MONTH}(?!\w)",
    rf"(?<!\w){MONTH}\.? \d{{1,4}}(?!\d)",
    r"(?<![a-z0-9_])(?:19|20)\d\d(?![a-z0-9_])",
)))
POINTER = re.compile(r"\]\(<?(?:\./)?((?!/|\.\./|[a-z]+:)[^)>#]+\.md)(?:#[^)>]*)?>?\)")  # into this directory, not out of it
# When a file was last written is no statement of the memory.
WRITTEN = re.compile(r"\s*modified:")
FRONTMATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?\r?\n)?---[ \t]*(?:\r?\n|\Z)", re.S)


@dataclasses.dataclass
class Harm:
    """What was done to one directory; every list may be empty, and should be."""

    changed: list = dataclasses.field(default_factory=list)  # memories that read otherwise, or that nobody wrote
    removed: list = dataclasses.field(default_factory=list)
    dates: list = dataclasses.field(default_factory=list)  # (file, date)
    words: list = dataclasses.field(default_factory=list)
    lines: list = dataclasses.field(default_factory=list)  # of an index: not there, or in another order

    def counts(self):
        return {name: len(value) for name, value in vars(self).items()}

    def __add__(self, other):
        return Harm(**{name: sorted({*value, *getattr(other, name)}) for name, value in vars(self).items()})


def is_index(name):
    return name.rsplit("/", 1)[-1] == INDEX


def is_memory(name):
    return name.endswith(".md") and not is_index(name) and not any(part.startswith(".") for part in name.split("/"))


def text(content):
    return unicodedata.normalize("NFC", content.decode("utf8", "replace"))


def split(content):
    """Frontmatter and body."""
    whole = text(content)
    head = FRONTMATTER.match(whole)
    return (head.group(1) or "", whole[head.end():]) if head else ("", whole)


def field(content, name):
    """The value of one plain frontmatter key, on one line or folded, as words."""
    said = re.search(rf"^{name}:[ \t]*(.*(?:\n[ \t]+.*)*)", split(content)[0], re.M)
    return " ".join(re.sub(r"^[>|][-+]?", "", said.group(1)).split()).strip("'\"") if said else ""


def words(content):
    """Words of four letters and more, numbers, and pairs of characters in scripts without short words."""
    low = text(content).casefold()
    found = set(WORD.findall(RUN.sub(" ", low)))
    for run in RUN.findall(low):
        found.update(run[at:at + 2] for at in range(max(1, len(run) - 1)))
    return found


def lost_words(before, after):
    stay = set().union(*map(words, after))
    return sorted(set().union(*map(words, before)) - stay)


def dates(said):
    return {" ".join(date.split()) for date in DATE.findall(said.casefold())}


def invented_dates(known, after, stood):
    """Dates of a file that are not known, in lines that stood nowhere in the directory: a line that moved whole says nothing new."""
    new = [line for line in text(after).splitlines() if line.strip() not in stood and not WRITTEN.match(line)]
    return sorted(set().union(*map(dates, new)) - known)


def owed_lines(index, files):
    """The lines of an index that must stay: all but blank ones, pointers to nothing, and a pointer that stands there twice."""
    owed, pointers = [], set()
    for line in map(str.rstrip, text(index).splitlines()):
        targets = {urllib.parse.unquote(target) for target in POINTER.findall(line)}
        if line and not (targets and (line in pointers or not targets & files)):
            owed.append(line)
        pointers |= {line} if targets else set()
    return owed


def missing_lines(owed, index):
    """Those of `owed` that are not in the index in this order (a longest common subsequence)."""
    have = [line.rstrip() for line in text(index).splitlines()]
    best = [[0] * (len(have) + 1) for _ in range(len(owed) + 1)]
    for row in reversed(range(len(owed))):
        for column in reversed(range(len(have))):
            best[row][column] = (1 + best[row + 1][column + 1] if owed[row] == have[column]
                                 else max(best[row + 1][column], best[row][column + 1]))
    missing, column = [], 0
    for row, line in enumerate(owed):
        while column < len(have) and have[column] != line and best[row][column + 1] == best[row][column]:
            column += 1
        if column < len(have) and have[column] == line and best[row][column] == 1 + best[row + 1][column + 1]:
            column += 1
        else:
            missing.append(line)
    return missing


def compare(before, after):
    """What became of a directory."""
    harm = Harm()
    stood = {line.strip() for content in before.values() for line in text(content).splitlines()}
    said = set().union(*map(dates, stood))
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        if is_memory(name):
            if now is None:
                harm.removed.append(name)
            elif now != was:
                harm.changed.append(name)
        if now is not None and now != was:
            # A new pointer may say what its memory says; a memory has no date from another.
            known = said if is_index(name) else dates(text(was or b""))
            harm.dates += [(name, date) for date in invented_dates(known, now, stood)]
        if is_index(name) and was is not None:
            folder = name[:-len(INDEX)]
            beside = {other[len(folder):] for other in before if other.startswith(folder)}
            harm.lines += missing_lines(owed_lines(was, beside), now or b"")
    harm.words = lost_words(before.values(), after.values())
    return harm
