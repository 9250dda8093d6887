#!/usr/bin/env python3
"""Asks memory systems the questions of evals/coding: what must not come, and what must.

usage: run.py [--only NAME…] [--set DIR] [--json FILE] [--show CATEGORY…] [--write]

Prints one table with a column a system. MEMDIR names the binary (default: target/release/memdir).
README.md says how to add a system.
"""

import argparse
import json
import shutil
import signal
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BEGIN = "<!-- measured: benches/coding/run.py --write -->"
sys.path[:0] = [str(HERE.parent / "compare"), str(HERE.parent / "cold")]

import report  # noqa: E402  (the page of benches/cold)
import system  # noqa: E402
from process import Stopped  # noqa: E402
from score import CATEGORIES, judged, totals  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", help="only systems whose name contains one of these")
    parser.add_argument("--set", type=Path, default=HERE.parent.parent / "evals" / "coding")
    parser.add_argument("--cache", type=Path, default=system.default_cache(), help="where the others are installed")
    parser.add_argument("--json", type=Path, help="write every answer and judgement here")
    parser.add_argument("--show", nargs="+", default=[], help="print the cases of these categories that do not hold")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    projects, memories, cases = (lines(args.set / f"{name}.jsonl") for name in ("projects", "memories", "cases"))
    args.cache.mkdir(parents=True, exist_ok=True)
    results, failed = {}, {}
    for kind in system.ALL:
        if args.only and not any(part in kind.name for part in args.only):
            continue
        print(f"coding: {kind.name}", file=sys.stderr, flush=True)
        try:
            results[kind] = asked(kind(), args.cache, projects, memories, cases)
        except Stopped as reason:
            failed[kind] = str(reason)
    text = table(results, failed)
    print(text)
    if args.write:
        report.write(HERE.parent.parent / "docs" / "benchmarks.md", text, BEGIN)
    for kind, (_, answers) in results.items():
        for case, judgement, shown in answers:
            if case["category"] in args.show and not judgement["holds"]:
                print(f"\n{kind.name}, {case['id']}: {case['query']}\n  {' '.join(shown.split())[:600]}")
    if args.json:
        told = {
            kind.name: {"refused": refused, "cases": [{"id": case["id"], **judgement, "text": shown} for case, judgement, shown in answers]}
            for kind, (refused, answers) in results.items()
        }
        args.json.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def asked(one, cache, projects, memories, cases):
    """(ids that were refused, [(case, judgement, text)])."""
    one.install(cache)
    home = Path(tempfile.mkdtemp(prefix="memdir-coding-"))
    try:
        one.settle(home, system.folders(home, projects))
        refused = [memory["id"] for memory in memories if not one.save(memory)]
        one.ready()
        answers = []
        for case in cases:
            text = one.ask(case["project"], case["query"])
            answers.append((case, judged(case, text, memories), text))
        return refused, answers
    finally:
        one.stop()
        shutil.rmtree(home, ignore_errors=True)


def table(results, failed):
    sums = {kind: totals([(case, judgement) for case, judgement, _ in answers]) for kind, (_, answers) in results.items()}
    rows = [["", *(kind.name for kind in results)]]
    for category in CATEGORIES:
        for question in dict.fromkeys(question for total in sums.values() for question in total[category]):
            name = category if question == "holds" else f"{category}: {question}"
            rows.append([name, *("{} of {}".format(*total[category][question]) for total in sums.values())])
    held = [[total[category]["holds"] for category in CATEGORIES if total[category]] for total in sums.values()]
    rows.append(["mean of the six", *(f"{sum(right / of for right, of in each) / len(each):.2f}" for each in held)])
    rows.append(["characters shown, mean", *(f"{sum(len(text) for *_, text in answers) / len(answers):,.0f}" for _, answers in results.values())])
    rows.append(["memories refused", *(str(len(refused)) for refused, _ in results.values())])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---|" + "--:|" * len(results))
    lines += ["", *(f"- **{kind.name}**: {kind.note}." for kind in results)]
    lines += [f"- **{kind.name}** did not run: {reason}." for kind, reason in failed.items()]
    return "\n".join(lines)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
