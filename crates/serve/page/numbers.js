// The overview: how memory grew, what agents were told and how often, what never, and what that cost.

import { get, handle } from "/api.js";
import { $, el, trying } from "/dom.js";
import { bars } from "/plots.js";

const TYPES = [["user", "user"], ["feedback", "feedback"], ["project", "project"], ["reference", "reference"], ["untyped", "untyped"]];

const day = (date) => new Date(`${date}T12:00:00`).toLocaleDateString(undefined, { month: "short", day: "numeric" });
const when = (time) => new Date(time).toLocaleDateString(undefined, { dateStyle: "medium" });
const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);
const link = (memory) => el("a", { href: `#/memories/${encodeURIComponent(handle(memory))}` }, memory.title);

export async function numbers() {
  const sums = await trying(() => get("overview"));
  if (!sums) return;
  const out = [bars({ title: "Memories by type, week by week", rows: sums.weeks, kinds: TYPES, label: (week) => day(week.until), unit: ["memory", "memories"] })];
  if (!sums.since) {
    out.push(el("div", { className: "none" }, el("p", null, "No agent has asked yet."), el("p", { className: "soft" }, "Once ", el("code", null, "memdir init"), " has wired your agent, this shows what it was told and what that cost.")));
    $("numbers").replaceChildren(...out);
    return;
  }
  out.push(
    bars({ title: "Tokens put before agents, day by day", rows: sums.days, kinds: [["tokens", "tokens"]], label: (one) => day(one.date), unit: ["token", "tokens"] }),
    el("h2", null, "Told most often"), el("p", { className: "soft" }, `Known since ${when(sums.since)}.`),
    sums.told.length
      ? el("ul", { className: "lately" }, ...sums.told.map((one) => el("li", null, el("span", { className: "what" }, link(one)), el("span", { className: "age" }, `${times(one.times)}, last on ${when(one.last)}`))))
      : el("p", null, "No memory of today."),
    el("h2", null, sums.never === 0 ? "Every memory was told" : sums.never === 1 ? "1 memory was not told" : `${sums.never} memories were not told`),
    sums.never > 0 && el("p", { className: "soft" }, "A memory that nobody needed yet may still be right. The oldest first:"),
    el("ul", { className: "lately" }, ...sums.never_told.map((one) => el("li", null, el("span", { className: "what" }, link(one))))));
  $("numbers").replaceChildren(...out.filter(Boolean));
}
