#!/usr/bin/env python3
"""run.py BINARY [--directories DIR] [--mirrors DIR [--repos FILE]] [--json OUT] [--verbose] [--write]: do no harm.

Runs the program over memory that somebody else wrote and counts what automation does to it: to the directories beside this file,
or to strangers' in a folder of bare mirrors of git (of which nothing is printed but counts, unless --verbose). Each directory
is tried in fresh copies, each with a home of its own. It fails when a floor is broken.
"""
import argparse, dataclasses, json, os, pathlib, re, shutil, subprocess, tempfile, time

import cases, floors, page
from harm import INDEX, POINTER, Harm, compare, field, is_index, lost_words, missing_lines, owed_lines, split, text
from machine import Machine

HERE = pathlib.Path(__file__).resolve().parent
AWAY = "stale-evidence"  # a finding about the project, which is not there


@dataclasses.dataclass
class Trial:
    """One directory and what became of its copies."""

    case: cases.Case
    program: str
    below: str
    stages: dict = dataclasses.field(default_factory=dict)
    counts: dict = dataclasses.field(default_factory=dict)
    notes: list = dataclasses.field(default_factory=list)  # for --verbose: they quote
    secrets: set = dataclasses.field(default_factory=set)  # files that hold one, as the import says
    machines: list = dataclasses.field(default_factory=list)

    def machine(self, files=None, place="memory"):
        self.machines.append(Machine(self.program, self.below, files, place))
        return self.machines[-1]

    def copy(self):
        return self.machine(self.case.files)

    def run(self):
        self.counts["memories"] = len(self.case.memories)
        self.look()
        self.take_over()
        self.dream()
        self.repair()
        self.share()
        self.move_times()
        troubles = [trouble for machine in self.machines for trouble in machine.troubles]
        self.notes += troubles
        self.counts["commands_failed"] = len(troubles)
        for machine in self.machines:
            shutil.rmtree(machine.home)
        return self

    def look(self):
        machine = self.copy()
        listed = {one["file"] for one in machine.ask("list").get("memories", [])}
        findings = [one for one in machine.ask("doctor").get("findings", []) if one["check"] != AWAY]
        self.counts |= {"unlisted": len(set(self.case.memories) - listed), "findings": len(findings)}
        self.notes += [f"finding: {one['check']} {one.get('file')}: {one['message']}" for one in findings]

    def dream(self):
        """The first dream proposes, the next two may change a little, and at last everything that waits is said yes to."""
        machine = self.copy()
        _, self.counts["dream_seconds"] = machine.timed("dream", "--force")
        after = machine.files()
        self.stages["first dream"] = compare(self.case.files, after)
        self.counts["bytes"] = sum(self.case.files.get(name) != after.get(name) for name in {*self.case.files, *after})
        for _ in range(2):
            machine.ask("--yes", "dream", "--force")
        self.stages["two more dreams"] = compare(self.case.files, machine.files())
        waiting = machine.ask("inbox").get("proposals", [])
        for proposal in waiting:
            machine.ask("inbox", "accept", proposal["id"])
        harm = compare(self.case.files, machine.files())
        # A secret is meant to go, and what says nothing else goes with it.
        harm.words = sorted({*harm.words} - {*lost_words([self.case.files[name] for name in self.secrets], [])})
        self.stages["all accepted"] = harm
        self.counts["proposals"] = len(waiting)

    def repair(self):
        machine = self.copy()
        machine.ask("--yes", "doctor", "--fix")
        self.stages["doctor --fix"] = compare(self.case.files, machine.files())

    def take_over(self):
        """Into a fresh store. File names may change there; texts and index lines may not."""
        source, machine = self.copy(), self.machine()
        report = machine.ask("import", "claude-code", source.folder).get("imported", [])
        became = {os.path.relpath(one["origin"], source.folder): one for one in report}
        elsewhere = machine.home / ".claude/memory"  # what is the user's in every project
        landed = machine.files() | (cases.read(elsewhere) if elsewhere.is_dir() else {})
        harm, before, after = Harm(), {}, {}
        for name in self.case.memories:
            body, one = split(self.case.files[name])[1].strip(), became.get(name, {})
            if "secret" in (one.get("reason") or ""):
                self.secrets.add(name)
                continue
            now = landed.get(one.get("file"), b"")
            before[name] = said(self.case.files[name])
            if one.get("action") == "created" and split(now)[1].strip() != body:
                harm.changed.append(name)
            elif one.get("action") != "created" and body not in split(now)[1]:
                harm.removed.append(name)
            after[name] = now
        harm.dates = compare(before, {name: said(content) for name, content in after.items()}).dates
        owed = owed_lines(without_pointers(self.case.files[INDEX], self.secrets), {*self.case.files})
        harm.lines = missing_lines([renamed(line, became) for line in owed], landed.get(INDEX, b""))
        harm.words = lost_words([*before.values(), "\n".join(owed).encode()], landed.values())
        self.stages["import"] = harm
        self.counts["import_held_back"] = len(self.secrets)

    def share(self):
        """To a second machine and back. What the program names as held back may stay at home, and its pointer with it."""
        shared = tempfile.mkdtemp(dir=self.below)
        here, there = self.machine(self.case.files, "memory/team"), self.machine(place="memory/team")
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", shared], env=here.env, check=True)
        for machine in (here, there):
            machine.ask("team", "init", "--git", shared)
        synced = [machine.ask("--yes", "team", "sync") for machine in (here, there, here)]
        held = {one["file"].removeprefix("team/") for one in synced[0].get("held_back", [])}
        leaving = {name: content for name, content in self.case.files.items() if name not in held}
        leaving |= {name: without_pointers(content, held) for name, content in leaving.items() if is_index(name)}
        self.stages["team sync"] = compare(leaving, there.files()) + compare(self.case.files, here.files())
        self.counts["team_held_back"] = len(held)
        self.notes += [f"held back: {one['file']}: {one['reason']}" for one in synced[0].get("held_back", [])]
        shutil.rmtree(shared)

    def move_times(self):
        """A clone writes all files now. Another way to have got them writes each at a time of its own. The answers must be the same."""
        answers = []
        middle = self.case.files[self.case.memories[len(self.case.memories) // 2]]
        query = field(middle, "description") or field(middle, "name") or split(middle)[1].strip().split("\n")[0]
        for apart in (False, True):
            machine, now = self.copy(), time.time()
            for number, name in enumerate(self.case.memories):
                written = now - apart * 86400 * (3 + number * 37 % 400)
                os.utime(machine.folder / name, (written, written))
            listed = machine.ask("list").get("memories", [])
            chosen = machine.ask("recall", query[:300]).get("selected", [])
            answers.append(({one["file"]: one.get("age_days") for one in listed}, [one["file"] for one in chosen]))
        (ages, chosen), (ages_apart, chosen_apart) = answers
        moved = {name for name in ages if ages[name] != ages_apart.get(name)}
        dated = {name for name in self.case.memories if re.search(r"^\s*modified:", split(self.case.files[name])[0], re.M)}
        order, order_apart = ([name for name in seen if name in dated] for seen in (ages, ages_apart))
        displaced = {name for name, other in zip(order, order_apart) if name != other}
        self.counts |= {"dated": len(dated), "dated_moved": len(moved & dated | displaced),
                        "undated_moved": len(moved - dated), "recall_moved": int(chosen != chosen_apart)}


def said(content):
    """What a file says of itself and in its text; a new store has keys of its own."""
    return "\n".join([field(content, "name"), field(content, "description"), split(content)[1]]).encode()


def renamed(line, became):
    """An index line whose pointer has the name that the file has now."""
    def new_name(pointer):
        file = became.get(pointer.group(1), {}).get("file")
        return pointer.group().replace(pointer.group(1), file) if file else pointer.group()
    return POINTER.sub(new_name, line)


def without_pointers(index, files):
    kept = [line for line in text(index).splitlines(keepends=True) if not files & {*POINTER.findall(line)}]
    return "".join(kept).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--directories", type=pathlib.Path, default=HERE / "directories")
    parser.add_argument("--mirrors", type=pathlib.Path)
    parser.add_argument("--repos", type=pathlib.Path, help="a file of owner/name lines: only these mirrors")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--write", action="store_true", help="the figures into docs/robustness.md")
    asked = parser.parse_args()
    os.umask(0o022)
    only = asked.repos and {*asked.repos.read_text().split()}
    found = list(cases.in_mirrors(asked.mirrors, only) if asked.mirrors else cases.in_repository(asked.directories))
    if not found:
        raise SystemExit("no directory with an index was found")
    with tempfile.TemporaryDirectory(prefix="memdir-wild-") as below:
        trials = []
        print(page.header())
        for number, case in enumerate(found, 1):
            trials.append(Trial(case, os.path.abspath(asked.program), below).run())
            quiet = asked.mirrors and not asked.verbose
            print(page.row(f"directory {number}" if quiet else case.name, trials[-1]), flush=True)
            for note in page.details(trials[-1]) if asked.verbose else []:
                print(f"    {note}")
    measured = page.sum_up(trials)
    verdicts = floors.judge(measured)
    print(f"\n{page.table(measured)}\n\n{page.verdicts(verdicts)}")
    if asked.json:
        rows = [{**trial.counts, "stages": {name: harm.counts() for name, harm in trial.stages.items()}} for trial in trials]
        asked.json.write_text(json.dumps({**measured, "rows": rows, "floors": [{**vars(one), "holds": one.holds} for one in verdicts]}, indent=1) + "\n")
    if asked.write:
        page.write(measured, strangers=bool(asked.mirrors))
    failed = sum(not one.holds for one in verdicts)
    print(f"\n{len(verdicts) - failed} passed, {failed} failed")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
