// The page: which view is shown, which keys do what, what to do when something changed.

import { chooseProject, chosenProject, get, handle, listen, whenRefused } from "/api.js";
import { $, dropToasts, el, show, trying, typing } from "/dom.js";
import * as list from "/list.js";
import { numbers } from "/numbers.js";
import * as reader from "/reader.js";
import { told } from "/told.js";
import * as views from "/views.js";

const VIEWS = ["memories", "timeline", "inbox", "recall", "health", "overview", "told"];

const route = () => {
  const [, view, ...rest] = location.hash.split("/");
  return { view: VIEWS.includes(view) ? view : "memories", name: decodeURIComponent(rest.join("/")) };
};
const go = (view, name) => (location.hash = name ? `#/${view}/${encodeURIComponent(name)}` : `#/${view}`);

let stop = () => {};

/** The token is missing or an old one: nothing else can be shown. */
let locked = false;
function lock() {
  if (locked) return;
  locked = true;
  stop();
  dropToasts();
  $("dialog").close();
  for (const view of VIEWS) $(view).hidden = true;
  $("locked").hidden = false;
  document.title = "Token needed · memdir";
  $("project").parentElement.hidden = true;
  $("live-word").textContent = "not connected";
}

async function draw() {
  if (locked) return;
  const { view, name } = route();
  for (const other of VIEWS) $(other).hidden = other !== view;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view[0].toUpperCase()}${view.slice(1)} · memdir`;
  if (view === "memories") {
    if (name) (await reader.open(name), list.mark(name));
    else if (!reader.isEditing()) reader.empty();
  }
  if (view === "timeline") await views.timeline(name);
  if (view === "inbox") await views.inbox();
  if (view === "health") await views.health();
  if (view === "told") await told();
  if (view === "overview") await numbers();
  if (view === "recall") $("prompt").focus();
}

/** Somebody changed something: us, an agent, an editor. */
async function changed(files) {
  await list.search({ keep: true });
  await reader.refresh(files);
  waiting();
  const { view, name } = route();
  if (view === "timeline") await views.timeline(name);
  if (view === "inbox") await views.inbox();
  if (view === "health") await views.health();
  if (view === "told") await told();
  if (view === "overview") await numbers();
  if (view === "recall") await views.recall((memory) => go("memories", memory));
}

/** How many proposals wait, beside the name of the view. */
async function waiting() {
  const page = await get("inbox").catch(() => undefined);
  const count = page?.proposals.length ?? 0;
  $("waiting").hidden = !count;
  $("waiting").textContent = count;
  $("waiting").title = count === 1 ? "1 proposal waits" : `${count} proposals wait`;
}

function follow() {
  stop();
  stop = listen(
    (changes) => changed(changes.flatMap((change) => change.files)),
    (on) => {
      $("live").classList.toggle("on", on);
      $("live-word").textContent = on ? "live" : "not connected";
    },
  );
}

async function projects() {
  const answer = await trying(() => get("projects"));
  const own = answer?.projects ?? [];
  const status = await trying(() => get("status"));
  const known = own.map((project) => project.path);
  const here = chosenProject() || status?.project.root || "";
  if (here && !known.includes(here)) known.unshift(here);
  $("project").replaceChildren(...known.map((path) => el("option", { value: path, title: path, selected: path === here }, path.split("/").slice(-2).join("/"))));
}

function keys() {
  const rows = [["/", "search"], ["j k", "next, previous"], ["Enter", "open"], ["n", "new memory"], ["e", "edit"], ["p", "pin or unpin"], ["f", "forget"], ["u", "undo the last change"], ["1 – 7", "memories, timeline, inbox, recall, health, overview, told"], ["Ctrl Enter", "save"], ["Esc", "close, cancel"]];
  const table = el("dl", { className: "keys" }, ...rows.flatMap(([key, words]) => [el("dt", null, el("kbd", null, key)), el("dd", null, words)]));
  const dialog = show("Keys", table, el("div", { className: "actions" }, el("button", { type: "button", onclick: () => dialog.close() }, "Close")));
}

const PRESSED = {
  "/": () => (go("memories"), $("search").focus(), $("search").select()),
  j: () => list.step(1),
  k: () => list.step(-1),
  Enter: () => document.activeElement === document.body && PRESSED.open(),
  open: () => document.querySelector('.row[aria-selected="true"]')?.click(),
  n: () => reader.write(),
  e: () => reader.edit(),
  p: () => reader.pin(),
  f: () => reader.forget(),
  u: () => reader.undo(),
  "?": keys,
  1: () => go("memories"),
  2: () => go("timeline"),
  3: () => go("inbox"),
  4: () => go("recall"),
  5: () => go("health"),
  6: () => go("overview"),
  7: () => go("told"),
  Escape: () => route().view === "memories" && !reader.isEditing() && go("memories"),
};

addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = $("dialog").open ? $("dialog").querySelector("form") : undefined;
    if (form) form.requestSubmit();
    else if (!$("dialog").open && reader.isEditing()) reader.save();
    else return;
    event.preventDefault();
    return;
  }
  if (locked) return;
  if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || event.key === "open") return;
  const press = PRESSED[event.key];
  if (!press || (event.key === "Enter" && event.target !== document.body)) return;
  if (event.key !== "Enter") event.preventDefault();
  press();
});
addEventListener("hashchange", () => (dropToasts({ onlyBad: true }), draw()));

list.start((memory) => go("memories", handle(memory)));
reader.start({
  jump: (name) => go("memories", name),
  close: () => go("memories"),
  history: (name) => go("timeline", name),
  changed,
  toProject,
  ofType: (type) => (($("type").value = type), list.search()),
});
$("new").addEventListener("click", () => reader.write());
$("help").addEventListener("click", keys);
function toProject(path) {
  dropToasts();
  chooseProject(path);
  $("project").value = path;
  go("memories");
  follow();
  changed([]);
}
$("project").addEventListener("change", () => toProject($("project").value));
let timer;
$("prompt").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => views.recall((name) => go("memories", name)), 200);
});

whenRefused(lock);
await projects();
if (!locked) {
  await list.search();
  await draw();
  waiting();
  follow();
}
