"""The comparison as Markdown."""

import os
import platform
import statistics

import peer as kinds
import report
from timing import Spread, ratio

BEGIN = "<!-- measured: benches/compare/run.py --write -->"
KINDS = [kinds.HOOK, kinds.SESSION, kinds.COMMAND, kinds.MCP]
AIM_SIZE = 20_000
NONE = "–"


def whole(results, absent, args, scratch, load, seconds):
    sizes = sorted({result.size for result in results})
    parts = [aims(results)]
    for size in sizes:
        at = [result for result in results if result.size == size]
        parts += [warm(size, at), cold(size, at)]
    if len(sizes) > 1:
        parts.append(growth(results, sizes))
    parts.append(failures(results, absent))
    parts.append(systems(results))
    parts.append(machine(args, scratch, load, seconds))
    return "\n\n".join(part for part in parts if part)


def rows(title, head, lines):
    marks = "|---|" + "--:|" * (len(head) - 1)
    body = ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]
    return "\n".join([title, "", "| " + " | ".join(head) + " |", marks, *body])


def warm(size, at):
    """Filling, searching and saving at one size."""
    ours = at[0]
    lines = []
    for result in at:
        times = sorted(result.searches.values())
        lines.append([
            result.peer.name + (f" ({result.reached:,} of them)" if 0 < result.reached < size else ""),
            filled(result),
            number(result.filled_cpu) if result.reached and result.peer.indexes else NONE,
            number(percentile(times, 50)),
            number(percentile(times, 95)),
            f"{number(statistics.mean(result.search_cpu.values()))}" if result.search_cpu else NONE,
            times_ours(result.searches, ours.searches),
            f"{100 * statistics.mean(result.found.values()):.0f} %" if result.found else NONE,
            number(percentile(sorted(result.saves.values()), 50)),
            f"{result.memory:.0f}" if result.memory else NONE,
            f"{result.disk:.0f}" if result.disk else NONE,
        ])
    head = ["", "filled, memories a second", "filling, CPU s", "search p50, ms", "p95, ms", "CPU, ms", "wall to memdir", "found", "save one, ms", "memory, MB", "disk, MB"]
    return rows(f"### {size:,} memories, running", head, lines)


def filled(result):
    if not result.reached:
        return NONE
    return f"{result.reached / result.filled:,.0f}" if result.peer.indexes else "in place"


def cold(size, at):
    """What starts anew for a prompt or a session, each kind against memdir's same kind."""
    lines = []
    for kind in KINDS:
        ours = at[0].colds.get(kind)
        for result in at:
            if kind in result.colds:
                wall, cpu = result.colds[kind]
                against = [times_ours(wall, ours[0]), times_ours(cpu, ours[1])] if ours else [NONE, NONE]
                lines.append([f"{kind}, {result.peer.name}", Spread.of(wall.values()), Spread.of(cpu.values()), *against])
            elif kind in result.failed:
                lines.append([f"{kind}, {result.peer.name}", result.failed[kind], NONE, NONE, NONE])
    return rows(f"### {size:,} memories, started anew", ["", "wall, ms", "CPU, ms", "wall to memdir", "CPU to memdir"], lines)


def growth(results, sizes):
    """How much more the largest store costs than the smallest."""
    lines = []
    for name in dict.fromkeys(result.peer.name for result in results):
        by_size = {result.size: result for result in results if result.peer.name == name}
        few, many = by_size.get(sizes[0]), by_size.get(sizes[-1])
        if not few or not many or few.reached < few.size or many.reached < many.size:
            continue  # part of a store says nothing about growth
        small, large = middle(few.searches), middle(many.searches)
        hooks = [middle(result.colds.get(kinds.HOOK, ({},))[0]) for result in (few, many)]
        lines.append([name, times(small, large), times(*hooks), times(few.memory, many.memory), times(few.disk, many.disk)])
    return rows(f"### Growth from {sizes[0]:,} to {sizes[-1]:,} memories", ["", "search p50", "prompt hook", "memory", "disk"], lines)


def aims(results):
    lines = []
    for size in sorted({result.size for result in results}):
        at = [result for result in results if result.size == size]
        hook = at[0].colds.get(kinds.HOOK)
        for result in at[1:]:
            if hook and kinds.HOOK in result.colds:
                wall, cpu = result.colds[kinds.HOOK]
                found = f"{times_ours(wall, hook[0])} × wall, {times_ours(cpu, hook[1])} × CPU"
                lines.append([f"prompt hook at {size:,}: {result.peer.name} to memdir", "≥ 10 ×", found])
    for result in results:
        if result.size == AIM_SIZE and result.peer.name == "memdir" and result.searches:
            ours = percentile(sorted(result.searches.values()), 95)
            others = {
                other.peer.name: percentile(sorted(other.searches.values()), 95)
                for other in results
                if other.size == AIM_SIZE == other.reached and other.searches and not other.peer.name.startswith("memdir")
            }
            best = min(others, key=others.get, default=None)
            against = f"{number(others[best])} ms, {best}" if best else "no other was filled in time"
            lines.append([f"search p95 at {AIM_SIZE:,}", f"< the best other: {against}", f"{number(ours)} ms"])
    return rows("### Aims", ["", "aim", "measured"], lines) if lines else ""


def failures(results, absent):
    lines = [f"- {name}: not measured: {reason}" for name, reason in absent.items()]
    lines += [
        f"- {result.peer.name} at {result.size:,}, {step}: {reason}"
        for result in results
        for step, reason in result.failed.items()
    ]
    return "### What did not work, or not in time\n\n" + ("\n".join(lines) if lines else "Nothing failed.")


def systems(results):
    last = {result.peer.name: result for result in results}
    lines = [f"- **{name}** {result.peer.version}: {result.peer.note}." for name, result in last.items()]
    lines += [f"- {result.peer.name} at {result.size:,}: {result.peer.remark}." for result in results if result.peer.remark]
    return "### What was asked of each\n\n" + "\n".join(lines)


def machine(args, scratch, load, seconds):
    facts = [
        f"{os.cpu_count()} × {report.processor()}, Linux {platform.release()}, {report.file_system(scratch)}, Python {platform.python_version()}",
        f"load average {load:.1f} at the start and {os.getloadavg()[0]:.1f} at the end; the whole run took {seconds / 60:.0f} minutes",
        f"up to {args.rounds} cold starts and {args.questions} searches each, in turn; slow systems get fewer; "
        f"{args.limit:.0f} s to fill one system, {args.answer:.0f} s for one answer",
        "medians with quartiles; ratios are taken within a round",
    ]
    return "### Machine of the comparison\n\n" + "\n".join(f"- {fact}" for fact in facts)


def times_ours(of, ours):
    shared = {number: value for number, value in of.items() if number in ours}
    return ratio(shared, ours) if shared else NONE


def times(small, large):
    return f"{large / small:.1f} ×" if small and large else NONE


def middle(values):
    return statistics.median(values.values()) if values else None


def percentile(ordered, share):
    """The smallest value that this share of values does not exceed."""
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else None


def number(value):
    if value is None:
        return NONE
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"
