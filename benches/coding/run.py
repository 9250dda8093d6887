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
from score import CATEGORIES, scored  # noqa: E402


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
    results, failed, shown = {}, {}, {}
    for kind in system.ALL:
        if args.only and not any(part in kind.name for part in args.only):
            continue
        print(f"coding: {kind.name}", file=sys.stderr, flush=True)
        try:
            results[kind] = scored(args.set, *asked(kind(), args.cache, projects, memories, cases, shown.setdefault(kind, {})))
        except Stopped as reason:
            failed[kind] = str(reason)
    text = table(results, failed)
    print(text)
    if args.write:
        report.write(HERE.parent.parent / "docs" / "benchmarks.md", text, BEGIN)
    asked_for = {case["id"]: case for case in cases}
    for kind, told in results.items():
        for judged in told["cases"]:
            case = asked_for[judged["id"]]
            if case["category"] in args.show and not judged["holds"]:
                print(f"\n{kind.name}, {case['id']}: {case['query']}\n  {' '.join(shown[kind][case['id']].split())[:600]}")
    if args.json:
        told = {kind.name: {**told, "texts": shown[kind]} for kind, told in results.items()}
        args.json.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def asked(one, cache, projects, memories, cases, texts):
    """(ids of memories that were refused, {id of a case: text}); `texts` is filled on the way."""
    one.install(cache)
    home = Path(tempfile.mkdtemp(prefix="memdir-coding-"))
    try:
        one.settle(home, system.folders(home, projects))
        refused = [memory["id"] for memory in memories if not one.save(memory)]
        one.ready()
        for case in cases:
            texts[case["id"]] = one.ask(case["project"], case["query"])
        return refused, texts
    finally:
        one.stop()
        shutil.rmtree(home, ignore_errors=True)


def table(results, failed):
    rows = [["", *(kind.name for kind in results)]]
    for category in CATEGORIES:
        sums = [told["categories"].get(category, {}) for told in results.values()]
        for question in sorted({question for sum in sums for question in sum}, key=lambda question: question != "holds"):
            name = category if question == "holds" else f"{category}: {question}"
            rows.append([name, *("{} of {}".format(*sum[question]) for sum in sums)])
    rows.append(["mean of the six", *(f"{told['mean']:.2f}" for told in results.values())])
    rows.append(["characters shown, mean", *(f"{told['characters']:,.0f}" for told in results.values())])
    rows.append(["memories refused", *(str(len(told["refused"])) for told in results.values())])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---|" + "--:|" * len(results))
    lines += ["", *(f"- **{kind.name}**: {kind.note}." for kind in results)]
    lines += [f"- **{kind.name}** did not run: {reason}." for kind, reason in failed.items()]
    return "\n".join(lines)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
