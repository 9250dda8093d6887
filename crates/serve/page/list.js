// The list of memories: only the rows in sight exist, pages are fetched when they come into it.

import { get, handle, post } from "/api.js";
import { $, age, el, tag, trying } from "/dom.js";

const ROW = 68;
const PAGE = 200;

const state = { rows: new Map(), total: 0, at: -1, asked: new Set(), round: 0 };
let open = () => {};
let searching = new AbortController();

export function start(onopen) {
  open = onopen;
  $("scroll").addEventListener("scroll", draw, { passive: true });
  // The list may be filled while another view is shown, and has no height then.
  new ResizeObserver(draw).observe($("scroll"));
  for (const id of ["type", "scope"]) $(id).addEventListener("change", () => search());
  let timer;
  $("search").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") (event.preventDefault(), $("list").focus(), step(state.at < 0 ? 1 : 0));
    if (event.key === "Escape") ($("search").value = "", search());
    if (event.key === "Enter") openAt(Math.max(state.at, 0));
  });
  $("list").addEventListener("keydown", (event) => {
    if (event.key === "Enter") openAt(state.at);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity }[event.key];
    if (by !== undefined) (event.preventDefault(), step(by));
  });
}

const filter = () => ({ q: $("search").value.trim(), type: $("type").value, scope: $("scope").value });

/** Begins anew: another search, another filter, or something changed. */
export async function search({ keep } = {}) {
  const round = (state.round += 1);
  searching.abort();
  searching = new AbortController();
  const { signal } = searching;
  const page = await trying(() => get("memories", { ...filter(), offset: 0, limit: PAGE }, signal));
  if (!page || round !== state.round) return;
  state.rows.clear();
  state.asked.clear();
  take(0, page);
  if (!keep) (state.at = -1), ($("scroll").scrollTop = 0);
  draw();
  await find(round, signal);
}

function take(offset, page) {
  state.total = page.total;
  state.asked.add(offset);
  page.memories.forEach((memory, at) => state.rows.set(offset + at, memory));
  const all = page.total === page.all;
  $("count").textContent = all ? (page.all === 1 ? "1 memory" : `${page.all} memories`) : `${page.total} of ${page.all}`;
}

/** The lines of each memory together, in the order in which the memories were found. */
function byMemory(hits) {
  const memories = new Map();
  for (const hit of hits.filter((one) => !one.file.endsWith("MEMORY.md"))) {
    const name = handle(hit);
    memories.set(name, [...(memories.get(name) ?? []), hit]);
  }
  return [...memories.values()];
}

/** What the words bring beside names: lines of text, and what recall would choose. */
async function find(round, signal) {
  const { q } = filter();
  if (q.length < 2) return $("found").replaceChildren();
  const several = q.split(/\s+/).length > 1;
  const [lines, meant] = await Promise.all([
    get("search", { term: q, limit: 30 }, signal).catch(() => ({ hits: [] })),
    several ? post("recall", { query: q }, signal).catch(() => ({ selected: [] })) : { selected: [] },
  ]);
  if (round !== state.round) return;
  const part = (title, hits) => (hits.length ? [el("h2", null, title), ...hits] : []);
  const hit = (name, memory, about) => {
    const line = el("span");
    const at = about.toLowerCase().indexOf(q.toLowerCase());
    if (at < 0) line.append(about);
    else line.append(about.slice(0, at), el("mark", null, about.slice(at, at + q.length)), about.slice(at + q.length));
    return el("button", { type: "button", className: "hit", onclick: () => open(memory) }, el("b", null, name), line);
  };
  const box = el("div", { className: "found" });
  box.append(
    ...part("By meaning", meant.selected.map((one) => hit(one.title, one, one.why))),
    ...part("In the text", byMemory(lines.hits).map(([one, ...more]) => hit(one.title ?? one.file, one, one.text.trim() + (more.length ? ` (and ${more.length} more)` : "")))),
  );
  $("found").replaceChildren(box);
}

function draw() {
  const [box, list] = [$("scroll"), $("list")];
  list.style.height = `${state.total * ROW}px`;
  const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 4);
  const last = Math.min(state.total, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 4);
  const rows = [];
  for (let at = first; at < last; at += 1) {
    const memory = state.rows.get(at);
    if (!memory) fetchPage(Math.floor(at / PAGE) * PAGE);
    rows.push(row(at, memory));
  }
  list.replaceChildren(...rows);
  const chosen = state.at >= first && state.at < last;
  if (chosen) list.setAttribute("aria-activedescendant", `row-${state.at}`);
  else list.removeAttribute("aria-activedescendant");
  if (!state.total && state.asked.size) {
    list.replaceChildren(el("div", { role: "option", "aria-disabled": "true", className: "row" }, $("search").value ? "Nothing by that name." : "No memories yet. Press n to write the first."));
    list.style.height = `${ROW}px`;
  }
}

const begins = (text, start) => text.toLowerCase().startsWith(start.toLowerCase());

function row(at, memory) {
  const node = el("div", { id: `row-${at}`, className: "row", role: "option", "aria-selected": String(at === state.at), "aria-setsize": state.total, "aria-posinset": at + 1, onclick: () => openAt(at) });
  node.style.top = `${at * ROW}px`;
  if (memory) {
    // A description that goes on where the name ends is not read twice.
    const { title } = memory;
    const start = title.replace(/…$/, "");
    const said = memory.description ?? memory.file;
    // A short word before it is an article; "no" is not, nor is its like in other languages.
    const named = /^(?![nн])\p{L}{1,3}\s/iu.test(said) && !begins(said, start) ? said.replace(/^\S+\s+/, "") : said;
    const rest = begins(named, start) ? named.slice(start.length).replace(/^[\s;,.:–-]+/, "") : said;
    const about = rest && rest !== said ? `… ${rest}` : rest;
    const name = el("div", { className: "name" }, el("b", { title: said }, title), memory.pinned && el("span", { className: "pin" }, "pinned"), el("span", { className: "age" }, age(memory.age_days)));
    node.append(name, el("div", { className: "about" }, tag(memory.type), memory.scope === "private" ? "" : ` · ${memory.scope}`, memory.from && ` · from ${memory.from}`, about && ` · ${about}`));
  }
  return node;
}

async function fetchPage(offset) {
  if (state.asked.has(offset)) return;
  state.asked.add(offset);
  const round = state.round;
  const page = await trying(() => get("memories", { ...filter(), offset, limit: PAGE }));
  if (page && round === state.round) (take(offset, page), draw());
}

export function step(by) {
  if (!state.total) return;
  state.at = Math.min(state.total - 1, Math.max(0, state.at + by));
  const box = $("scroll");
  const top = state.at * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
  draw();
}

export function openAt(at) {
  const memory = state.rows.get(at);
  if (!memory) return;
  state.at = at;
  draw();
  open(memory);
}

/** Marks the row of what is open. */
export function mark(name) {
  for (const [at, memory] of state.rows) if (handle(memory) === name) state.at = at;
  draw();
}
