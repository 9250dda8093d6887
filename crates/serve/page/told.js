// What agents heard, session by session, and what people say about it.

import { get, handle, post } from "/api.js";
import { $, button, el, toast, trying } from "/dom.js";
import { undo } from "/reader.js";

const EVENTS = { "session-start": "At the start", prompt: "At a prompt", "before-tool": "Before an action", "after-tool": "After an action", "agent-start": "A sub-agent started", "turn-end": "At the end of a turn" };
const BLOCKS = { manual: "how memory works", index: "the index of this project", "user-index": "your own index", "team-index": "the team's index", "agent-index": "the sub-agent's index", day: "that the day has changed", message: "a message for you", notes: "the session's notes" };
const RATINGS = [["not-useful", "Not useful here"], ["always", "Always"]];

const clock = (time, style) => new Date(time).toLocaleString(undefined, style);
const time = (moment) => clock(moment.time, { hour: "2-digit", minute: "2-digit" });
const counted = (count, one, many) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** Draws it, also when something changed meanwhile: what was open stays open, and the keyboard stays where it was. */
export async function told(at) {
  const page = await trying(() => get("told"));
  if (!page) return;
  const focused = at ?? ($("sessions").contains(document.activeElement) ? document.activeElement.dataset.place : undefined);
  const open = new Set([...$("sessions").querySelectorAll("details[open]")].map((node) => node.dataset.name));
  const first = !$("sessions").childElementCount;
  const out = page.sessions.map((session, at) => drawn(session, (name) => (first ? at === 0 && name === of(session) : open.has(name))));
  const nothing = el("div", { className: "none" }, el("p", null, "No agent has asked yet."), el("p", { className: "soft" }, "Once ", el("code", null, "memdir init"), " has wired your agent, this shows what it heard in each session, and why."));
  $("sessions").replaceChildren(...(out.length ? out : [nothing]));
  if (focused) [...$("sessions").querySelectorAll("[data-place]")].find((node) => node.dataset.place === focused)?.focus();
}

const of = (session) => `${session.host} ${session.session ?? ""}`;

function drawn(session, isOpen) {
  const about = `${session.host} · ${clock(session.first, { dateStyle: "medium", timeStyle: "short" })} · about ${counted(session.tokens, "token", "tokens")}`;
  const inside = session.moments.map((moment) => card(moment, session, isOpen));
  if (session.silent) inside.push(el("p", { className: "soft" }, `${counted(session.silent, "further call", "further calls")} with nothing to say.`));
  return el("details", { className: "change", "data-name": of(session), open: isOpen(of(session)) },
    el("summary", { "data-place": of(session) }, el("span", { className: "what" }, el("b", null, `Session ${(session.session ?? "without a name").slice(0, 40)}`), " ", el("span", { className: "soft" }, about))),
    el("div", { className: "in" }, ...inside));
}

function card(moment, session, isOpen) {
  const place = `${of(session)} ${moment.time}`;
  const heard = moment.blocks.map((block) => BLOCKS[block] ?? block);
  if (moment.left_out) heard.push(`${counted(moment.left_out, "line", "lines")} of the indexes did not fit`);
  const held = moment.held_back.length > 0 && el("details", { className: "held", "data-name": place, open: isOpen(place) },
    el("summary", { "data-place": place }, `${counted(moment.held_back.length, "memory", "memories")} held back`),
    el("ul", { className: "heard" }, ...moment.held_back.map((one) => row(one, `${place} not`))));
  return el("div", { className: "card" },
    el("h2", null, EVENTS[moment.event] ?? moment.event, " ", el("span", { className: "age" }, time(moment))),
    moment.refused && el("p", { className: "level warning" }, "The call was refused once"),
    heard.length > 0 && el("p", { className: "soft" }, heard.join(", ")),
    moment.memories.length > 0 && el("ul", { className: "heard" }, ...moment.memories.map((one) => row(one, place))),
    !heard.length && !moment.memories.length && el("p", { className: "soft" }, `Nothing: ${moment.reason ?? "there was nothing to say"}.`),
    held);
}

function row(one, place) {
  const name = one.title ? el("a", { href: `#/memories/${encodeURIComponent(handle(one))}`, "data-place": `${place} ${handle(one)}` }, one.title) : el("span", { className: "soft" }, `${one.file} (gone)`);
  const score = one.score == null ? "" : `${one.score.toFixed(2)} · `;
  return el("li", null,
    el("p", null, name),
    el("p", { className: "soft" }, `${score}${one.why ?? ""}`),
    one.title && el("div", { className: "rate", role: "group", "aria-label": `What do you say about “${one.title}”?` }, ...ratings(one, `${place} ${handle(one)}`)));
}

function ratings(one, place) {
  const buttons = RATINGS.map(([rating, words]) => {
    const said = one.rating === rating;
    const node = button(words, () => (said ? takeBack(one, place) : rate(one, rating, words, place)), said ? "said" : "");
    node.setAttribute("aria-pressed", String(said));
    node.dataset.place = `${place} ${rating}`;
    return node;
  });
  if (one.rated) {
    const node = button("Undo", () => takeBack(one, place), "link");
    node.dataset.place = `${place} undo`;
    buttons.push(node);
  }
  return buttons;
}

async function rate(one, rating, words, place) {
  const done = await trying(() => post("rate", { file: handle(one), rating }));
  if (!done) return;
  toast(`${one.title}: ${words.toLowerCase()}`, { action: "Undo", run: () => undo(done.change) });
  await told(`${place} ${rating}`);
}

async function takeBack(one, place) {
  await undo(one.rated);
  await told(`${place} ${one.rating}`);
}
