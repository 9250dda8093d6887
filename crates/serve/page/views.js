// The other views: what changed, what would be recalled, what is wrong.

import { get, handle, post } from "/api.js";
import { $, age, button, diff, el, tag, toast, trying } from "/dom.js";
import { render } from "/markdown.js";
import { undo } from "/reader.js";
import { sentence } from "/sentence.js";

export async function timeline(file) {
  const page = await trying(() => get("history", { file }));
  if (!page) return;
  const out = [];
  if (file) out.push(el("p", { className: "soft" }, `Changes of ${file} · `, el("a", { href: "#/timeline" }, "show all")));
  let day = "";
  for (const change of page.changes) {
    const time = new Date(change.time);
    const today = time.toLocaleDateString(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
    if (today !== day) out.push(el("h2", { className: "day" }, (day = today)));
    out.push(entry(change, time));
  }
  if (!page.changes.length) out.push(el("div", { className: "none" }, el("p", null, "Nothing has changed yet."), el("p", { className: "soft" }, "Every change of a memory is kept here, with who made it, and can be taken back.")));
  $("changes").replaceChildren(...out);
}

function entry(change, time) {
  const inside = el("div", { className: "in" });
  const clock = time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  const node = el("details", { className: "change" },
    el("summary", null, el("span", { className: "age" }, clock), el("span", { className: "what" }, ...sentence(change), change.reason !== "remember" && el("span", { className: "soft" }, ` · ${change.reason}`))),
    inside);
  node.addEventListener("toggle", async () => {
    if (!node.open || inside.childElementCount) return;
    const shown = await trying(() => get("diff", { change: change.id }));
    if (!shown) return;
    inside.replaceChildren(shown.diff ? diff(shown.diff) : el("p", { className: "soft" }, "What stood there is not kept."), button("Undo this", async () => (await undo(change.id), timeline())));
  });
  return node;
}

export async function inbox() {
  const page = await trying(() => get("inbox"));
  if (!page) return;
  const decide = async (verb, proposal) => {
    const done = await trying(() => post(`inbox/${verb}`, { id: proposal.id }));
    if (!done) return;
    toast(verb === "accept" ? "Accepted" : "Dropped; nothing was changed", done.change ? { action: "Undo", run: () => undo(done.change) } : {});
    await inbox();
  };
  const cards = page.proposals.map((proposal) => {
    // One file says for itself why; of many, the whole has a reason and each its own.
    const [only, ...rest] = proposal.files;
    const title = !rest.length && only?.why ? only.why : proposal.reason;
    return el("div", { className: "card" },
      el("h3", null, title),
      el("p", { className: "meta" }, el("span", { className: `actor ${proposal.kind}` }, proposal.kind), el("span", null, new Date(proposal.created).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }))),
      rest.length > 0 && el("ul", { className: "skipped" }, ...proposal.files.map((file) => el("li", null, el("code", { className: "file" }, file.file), ` ${file.why}`))),
      diff(proposal.diff),
      el("div", { className: "actions" }, button("Accept", () => decide("accept", proposal), "main"), button("Reject", () => decide("reject", proposal), "bad")));
  });
  const nothing = el("div", { className: "none" }, el("p", null, "Nothing waits for a yes."), el("p", { className: "soft" }, "With the setting ", el("code", null, "review"), " on, what your agent learns waits here first; and so does what a dream would take away in bulk."));
  $("proposals").replaceChildren(...(cards.length ? cards : [nothing]));
}

let asked = 0;

export async function recall(open) {
  const query = $("prompt").value.trim();
  const round = (asked += 1);
  if (!query) return $("recalled").replaceChildren();
  const answer = await trying(() => post("recall", { query }));
  if (!answer || round !== asked) return;
  const out = [];
  for (const one of answer.selected) {
    const gone = one.evidence.filter((found) => found.standing !== "there");
    out.push(el("div", { className: "card" },
      el("span", { className: "score" }, one.score.toFixed(2)),
      el("h3", null, button(one.title, () => open(handle(one)), "link")),
      el("p", { className: "meta" }, tag(one.type), el("span", null, one.scope), el("span", null, age(one.age_days)), el("code", { className: "file" }, one.file)),
      one.description && el("p", null, one.description),
      el("p", { className: "why" }, one.why),
      gone.length > 0 && el("p", { className: "soft" }, gone.map((found) => `${found.name} ${found.standing}`).join(", "))));
  }
  if (!answer.selected.length) out.push(el("div", { className: "card soft" }, answer.reason ? `Nothing was looked for: ${answer.reason.replace(/\.$/, "")}.` : "Nothing would be injected: no memory clearly helps here."));
  const near = answer.skipped.filter((one) => one.near);
  if (near.length) out.push(el("h2", null, "Came near"), el("ul", { className: "skipped" }, ...near.slice(0, 20).map((one) => el("li", null, el("code", { className: "file" }, one.file), ` ${one.reason}`))));
  if (answer.reminder) out.push(el("h2", null, `What the agent reads (${answer.bytes} bytes)`), el("pre", { className: "block", tabIndex: 0 }, answer.reminder));
  $("recalled").replaceChildren(...out);
}

export async function health() {
  const checkup = await trying(() => get("doctor"));
  if (!checkup) return;
  const fixable = checkup.findings.filter((finding) => finding.fixable).length;
  const out = [];
  if (!checkup.findings.length) out.push(el("p", { className: "well" }, "All is well."));
  if (fixable) {
    out.push(el("div", { className: "actions" }, button(fixable === 1 ? "Repair what can be repaired" : `Repair ${fixable} of these`, repair, "main")));
    if (checkup.diff) out.push(el("details", { className: "change" }, el("summary", null, "What a repair would change"), el("div", { className: "in" }, diff(checkup.diff))));
  }
  for (const finding of checkup.findings.slice(0, 200)) {
    const file = finding.file && el("a", { className: "file", href: `#/memories/${encodeURIComponent(finding.file)}` }, finding.file);
    out.push(el("div", { className: "card finding" },
      el("p", null, el("span", { className: `level ${finding.level}` }, finding.level === "info" ? "note" : finding.level), " ", file, " ", finding.message),
      el("div", { className: "advice soft prose" }, finding.fixable && el("span", { className: "well small" }, "can be repaired"), render(finding.fix, () => {}))));
  }
  $("findings").replaceChildren(...out);
}

async function repair() {
  const done = await trying(() => post("doctor/fix"));
  if (!done) return;
  const [first] = done.changes;
  toast(`Repaired ${done.files.join(", ")}`, first ? { action: "Undo", run: async () => (await undo(first), health()) } : {});
  await health();
}
