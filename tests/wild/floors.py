"""What must hold, as one verdict a figure.

Style, age and language of a memory are no reason to touch it: nearly nothing may change, and nothing at all may be lost.
"""
import dataclasses

CHANGED_SHARE = 0.02  # of all memories, in one stage
FINDINGS_PER_100 = 15
# Of one stage over all directories; a stage that is not named has no floor for that figure.
ZEROS = {
    "first dream": ("changed", "removed", "dates", "words", "lines"),
    "two more dreams": ("removed", "dates", "words", "lines"),
    "all accepted": ("dates", "words"),  # a person has read it and said yes: memories may be merged and go, facts may not
    "doctor --fix": ("removed", "dates", "words", "lines"),
    "import": ("removed", "dates", "words", "lines"),
    "team sync": ("changed", "removed", "dates", "words", "lines"),
}
SHARES = ("two more dreams", "doctor --fix", "import")
COUNTS = {"unlisted": "memories that are not read", "bytes": "files that differ in any byte after the first dream",
          "commands_failed": "commands that failed", "dated_moved": "ages that a copy changed although the memory says its time",
          "recall_moved": "recalls that a copy changed"}


@dataclasses.dataclass
class Verdict:
    what: str
    measured: float
    floor: float

    @property
    def holds(self):
        return self.measured <= self.floor


def judge(measured):
    counts, memories = measured["counts"], measured["what"]["memories"]
    verdicts = [Verdict(said, counts[name], 0) for name, said in COUNTS.items()]
    verdicts.append(Verdict("findings per 100 memories", round(100 * counts["findings"] / memories, 1), FINDINGS_PER_100))
    for stage, figures in ZEROS.items():
        verdicts += [Verdict(f"{stage}: {figure}", measured["stages"][stage][figure], 0) for figure in figures]
    verdicts += [Verdict(f"{stage}: share changed", round(measured["stages"][stage]["changed"] / memories, 4), CHANGED_SHARE)
                 for stage in SHARES]
    return verdicts
