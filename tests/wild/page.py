"""The figures as people read them: a line a directory, a table of all, and the part of docs/robustness.md."""
import collections, pathlib, statistics

import cases, floors

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/robustness.md"
FIGURES = {"changed": "files changed", "removed": "removed", "dates": "dates invented", "words": "words lost", "lines": "index lines changed"}
SHOWN = 8  # examples of each kind in --verbose


def header():
    return "\n".join([f"Each cell: {', '.join(FIGURES.values())}.", "", f"| directory | memories | findings | {' | '.join(floors.ZEROS)} |",
                      "|---|--:|--:" + "|---" * len(floors.ZEROS) + "|"])


def row(name, trial):
    cells = (" ".join(str(count) for count in trial.stages[stage].counts().values()) for stage in floors.ZEROS)
    return f"| {name} | {trial.counts['memories']} | {trial.counts['findings']} | {' | '.join(cells)} |"


def details(trial):
    for stage, harm in trial.stages.items():
        yield from (f"{stage}: {figure}: {example}" for figure, examples in vars(harm).items() for example in examples[:SHOWN])
    yield from trial.notes[:40]
    yield str(trial.counts)


def sum_up(trials):
    """Totals over all directories; nobody's name and nobody's text."""
    counts, stages = collections.Counter(), collections.defaultdict(collections.Counter)
    for trial in trials:
        counts.update(trial.counts)
        for stage, harm in trial.stages.items():
            stages[stage].update(harm.counts())
    seconds = [trial.counts["dream_seconds"] for trial in trials]
    del counts["dream_seconds"]
    return {"what": cases.describe([trial.case for trial in trials]), "counts": dict(counts),
            "stages": {stage: dict(stages[stage]) for stage in floors.ZEROS},
            "dream_seconds": {"median": round(statistics.median(seconds), 2), "most": round(max(seconds), 2)}}


def table(measured):
    what, counts, seconds = measured["what"], measured["counts"], measured["dream_seconds"]
    languages = ", ".join(f"{name} {count}" for name, count in what["languages"].items())
    lines = [
        f"{what['directories']} directories, {what['memories']} memories (median {what['characters_median']:,} characters, nine in ten"
        f" below {what['characters_p90']:,}, largest {what['characters_largest']:,}), {what['index_lines']} index lines; by language: {languages}.",
        "", f"| after | {' | '.join(FIGURES.values())} |", "|---" + "|--:" * len(FIGURES) + "|"]
    lines += [f"| {stage} | {' | '.join(f'{harm[figure]:,}' for figure in FIGURES)} |" for stage, harm in measured["stages"].items()]
    per_100 = 100 * counts["findings"] / what["memories"]
    lines += ["", f"Not read: {counts['unlisted']}. Findings of `doctor`: {counts['findings']} ({per_100:.0f} per 100 memories). Files that differ after the"
              f" first dream: {counts['bytes']}. Proposals: {counts['proposals']}. Held back with a reason: {counts['import_held_back']} by the import,"
              f" {counts['team_held_back']} by the team sync. Ages that the file's time changed: {counts['dated_moved']} of"
              f" {counts['dated']} memories that say their time, {counts['undated_moved']} of those that do not; recalls: {counts['recall_moved']} of"
              f" {what['directories']}. Commands that failed: {counts['commands_failed']}. The first dream took {seconds['median']:.2f} s"
              f" (median), {seconds['most']:.2f} s at most."]
    return "\n".join(lines)


def verdicts(judged):
    return "\n".join(f"{'ok  ' if one.holds else 'FAIL'} {one.what}: {one.measured:g} (at most {one.floor:g})" for one in judged)


def write(measured, strangers):
    whose = "strangers" if strangers else "our own"
    begin, end = f"<!-- measured: tests/wild/run.py --write ({whose}) -->", f"<!-- end of measured: wild ({whose}) -->"
    page = PAGE.read_text()
    before, after = page.split(begin)[0], page.split(end)[1]
    sources = f"From {measured['what']['sources']} public repositories: " if strangers else ""
    PAGE.write_text(f"{before}{begin}\n\n{sources}{table(measured)}\n\n{end}{after}")
