// What there is, before anything is opened: how much of what, what happened lately, other projects.

import { chosenProject, get } from "/api.js";
import { age, button, el } from "/dom.js";
import { sentence } from "/sentence.js";

const KINDS = [
  ["user", "about you"],
  ["feedback", "how to work with you"],
  ["project", "about this project"],
  ["reference", "where to look"],
];

const days = (time) => Math.max(0, Math.floor((Date.now() - time) / 86_400_000));

/** Fills `place` unless `still()` says that something else stands there by now. */
export async function draw(place, { still, ofType, toProject }) {
  // What cannot be asked for now is left out; the list beside it says what is wrong.
  const ask = (path, query) => get(path, query).catch(() => undefined);
  const [status, history, projects] = await Promise.all([ask("status"), ask("history", { limit: 8 }), ask("projects")]);
  if (!status || !still()) return;
  const { counts } = status;
  const total = KINDS.reduce((sum, [kind]) => sum + counts[kind], 0) + counts.untyped;
  const out = [el("h1", null, "What does your agent know?")];
  if (!total) out.push(el("p", { className: "soft" }, "Nothing yet. It fills by itself while you work with your agent; ", el("kbd", null, "n"), " writes the first memory by hand."));
  else out.push(el("div", { className: "tiles" }, ...KINDS.map(([kind, words]) => tile(kind, words, counts[kind], ofType))));
  const changes = (history?.changes ?? []).filter((change) => change.files.length);
  if (changes.length) out.push(el("h2", null, "Lately"), el("ul", { className: "lately" }, ...changes.map(entry)), el("p", null, el("a", { href: "#/timeline" }, "The whole timeline")));
  const others = (projects?.projects ?? []).filter((project) => project.path !== (chosenProject() || status.project.root) && !(project.current && !chosenProject()));
  if (others.length) out.push(el("h2", null, "Other projects"), el("ul", { className: "lately" }, ...others.slice(0, 12).map((project) => other(project, toProject))));
  out.push(el("p", { className: "hints soft" }, el("kbd", null, "/"), " search ", el("kbd", null, "j"), el("kbd", null, "k"), " move ", el("kbd", null, "Enter"), " open ", el("kbd", null, "?"), " all keys"));
  place.replaceChildren(el("div", { className: "inner overview" }, ...out));
}

function tile(kind, words, count, ofType) {
  return el("button", { type: "button", className: `tile ${kind}`, onclick: () => ofType(kind) }, el("b", null, String(count)), el("span", null, words));
}

function entry(change) {
  return el("li", null,
    el("span", { className: "what" }, ...sentence(change)),
    el("span", { className: "age" }, age(days(new Date(change.time)))));
}

function other(project, toProject) {
  return el("li", null,
    button(project.path.split("/").slice(-2).join("/"), () => toProject(project.path), "link"),
    el("span", { className: "what" }),
    el("span", { className: "age" }, project.memories === 1 ? "1 memory" : `${project.memories} memories`));
}
