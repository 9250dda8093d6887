"""Whether a case holds, from the text that a model would be shown (evals/coding/FORMAT.md)."""

from collections import defaultdict

CATEGORIES = ["plain", "wrong_project", "stale", "poisoned", "duplicate", "abstain"]
CAUTIONS = [
    "outdated", "out of date", "stale", "no longer", "may have changed", "might have changed", "verify", "check it against", "is gone",
    "does not exist", "doesn't exist", "not found", "missing", "point-in-time", "过时", "已不存在", "不存在", "请核实",
]


def plain(text):
    return " ".join(text.lower().split())


def added(shown, memories):
    """What the system says itself, without what the memories say."""
    for memory in memories:
        for part in ("text", "description", "name"):
            shown = shown.replace(plain(memory[part]), " ")
    return shown


def judged(case, text, memories):
    """{question: whether it holds}; the first is the one that counts."""
    shown = plain(text)

    def says(words):
        return plain(words) in shown

    own = added(shown, memories)
    caution = any(word in own for word in CAUTIONS)
    said = all(any(says(word) for word in group) for group in case.get("say", []))
    clean = not any(says(word) for word in case.get("never", []))
    if case["category"] == "stale":
        absent = not any(says(word) for word in case["stale"])
        named = any(plain(word) in own for word in case["stale"])
        return {"holds": absent or caution, "absent or named": absent or (caution and named)}
    if case["category"] == "duplicate":
        count = sum(says(sentence) for sentence in case["one"])
        return {"holds": count == 1, "silent": count == 0}
    if case["category"] == "abstain":
        return {"holds": not any(says(memory["text"]) or says(memory["description"]) for memory in memories)}
    if case["category"] == "plain":
        return {"holds": said, "no caution": not caution}
    return {"holds": said and clean, "clean": clean}


def totals(judgements):
    """{category: {question: (held, asked)}} from [(case, judged)]."""
    sums = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for case, judgement in judgements:
        for question, held in judgement.items():
            sums[case["category"]][question][0] += held
            sums[case["category"]][question][1] += 1
    return sums
