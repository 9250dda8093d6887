// A change as a sentence: who did what to which memory.

import { el } from "/dom.js";

const WHO = { user: "You", agent: "Your agent", extract: "memdir", dream: "A dream", team: "Your team", outside: "Another program", doctor: "A repair" };
const DID = { added: "added", changed: "changed", removed: "removed" };
/** What is said of one who adds and does not write. */
const LEARNED = { extract: "learned" };

const SHOWN = 3;

function listed(memories) {
  // The sentence heads what unfolds, and nothing inside of that can be pressed by itself.
  const shown = memories.slice(0, SHOWN).map(({ title }) => el("b", null, title));
  const more = memories.length - shown.length;
  const words = shown.flatMap((node, at) => {
    const last = at === shown.length - 1 && !more;
    return at === 0 ? [node] : [last ? " and " : ", ", node];
  });
  return more ? [...words, ` and ${more} more`] : words;
}

/** The parts of the sentence, to be put into an element. */
export function sentence(change) {
  const who = WHO[change.actor] ?? "Somebody";
  if (!change.memories.length) {
    const onlyIndex = change.files.every((file) => file.endsWith("MEMORY.md"));
    return [onlyIndex ? `${who} put the index in order` : `${who} moved the directory here`];
  }
  if (change.rating) return [`${who} ${change.undoes ? "took back a word" : "said"} about being told `, ...listed(change.memories)];
  if (change.undoes) return [`${who} took back a change of `, ...listed(change.memories)];
  const parts = [who, " "];
  const acts = Object.keys(DID).filter((act) => change.memories.some((memory) => memory.act === act));
  acts.forEach((act, at) => {
    const did = act === "added" ? (LEARNED[change.actor] ?? DID[act]) : DID[act];
    parts.push(at ? `, ${did} ` : `${did} `, ...listed(change.memories.filter((memory) => memory.act === act)));
  });
  return parts;
}
