// One memory: reading, editing with a preview, and what else can be done with it.

import { get, handle, post } from "/api.js";
import { $, button, complain, el, show, tag, toast, trying } from "/dom.js";
import { render } from "/markdown.js";
import { draw as overview } from "/overview.js";

let shown;
let editing = false;
/** Where the text is written while it is edited. */
let draft;
let hooks;

export function start(given) {
  hooks = given;
  empty();
}

export const isEditing = () => editing;
export const current = () => shown;

export function empty() {
  shown = undefined;
  editing = false;
  $("memories").classList.remove("reading");
  overview($("reader"), { ...hooks, still: () => !shown && !editing });
}

export async function open(name, { quiet } = {}) {
  if (editing && shown && name !== handle(shown) && !confirm("Leave your changes?")) return;
  const memory = await trying(() => get("memory", { file: name }));
  if (!memory) return;
  shown = memory;
  editing = false;
  draw();
  if (!quiet) $("reader").focus({ preventScroll: true });
}

/** Something changed elsewhere: shows it, unless it would take away what is being written. */
export async function refresh(files) {
  if (!shown && !editing) return empty();
  if (editing || !files.includes(shown.file)) return;
  const memory = await get("memory", { file: handle(shown) }).catch(() => undefined);
  if (memory) (shown = memory), draw();
  else empty();
}

function draw() {
  const memory = shown;
  $("memories").classList.add("reading");
  const meta = el("p", { className: "meta" }, tag(memory.type), el("span", null, memory.scope), memory.from && el("span", null, `from ${memory.from}`), memory.pinned && el("span", { className: "pin" }, "pinned"), el("code", { className: "file" }, memory.file));
  const actions = el("div", { className: "actions" }, button("Edit", edit, "main"));
  if (!memory.index) {
    actions.append(
      button(memory.pinned ? "Unpin" : "Pin", pin),
      button("Move…", move),
      button("History", () => hooks.history(handle(memory))),
      button("Forget", forget, "bad"),
    );
  }
  const body = el("div", { className: "prose" }, render(memory.index ? memory.text : memory.body, hooks.jump));
  $("reader").replaceChildren(
    el("div", { className: "inner" },
      button("‹ All memories", () => hooks.close(), "back"),
      el("h1", null, memory.title), meta, actions,
      memory.description && !memory.body.trim().startsWith(memory.description.trim()) && el("p", { className: "soft lead" }, memory.description),
      body),
  );
  $("reader").scrollTop = 0;
}

export function edit() {
  if (!shown || editing) return;
  editing = true;
  const preview = el("div", { className: "preview prose", role: "region", "aria-label": "Preview", tabIndex: 0 });
  const text = (draft = el("textarea", { value: shown.text, spellcheck: true, "aria-label": `Text of ${shown.file}` }));
  const paint = () => preview.replaceChildren(render(text.value.replace(/^---\n[\s\S]*?\n---\n/, ""), () => {}));
  text.addEventListener("input", paint);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel(text);
  });
  paint();
  const actions = el("div", { className: "actions" }, button("Save", () => save(), "main"), button("Cancel", () => cancel(text)));
  $("reader").replaceChildren(el("div", { id: "conflict" }), el("h1", null, shown.title), el("p", { className: "meta" }, el("code", { className: "file" }, shown.file)), actions, el("div", { className: "editor" }, text, preview));
  text.focus();
  text.setSelectionRange(0, 0);
}

function cancel(text) {
  if (text.value !== shown.text && !confirm("Leave your changes?")) return;
  editing = false;
  draw();
}

export async function save() {
  try {
    const done = await post("edit", { file: handle(shown), version: shown.version, text: draft.value });
    editing = false;
    await open(handle(shown));
    told(`Saved ${shown.file}`, done.change);
  } catch (error) {
    if (error.status === 409) conflict(error.data);
    else complain(error);
  }
}

function conflict(theirs) {
  const keep = button("Save mine over it", () => {
    shown.version = theirs.version;
    save();
  });
  const take = button("Take theirs", () => {
    editing = false;
    open(handle(shown));
  });
  $("conflict").replaceChildren(
    el("div", { className: "notice", role: "alert" },
      el("p", null, "Somebody changed this memory while you were writing. Nothing of yours is lost; this is what it says now:"),
      el("pre", { className: "block", tabIndex: 0 }, theirs.text),
      el("div", { className: "actions" }, keep, take)),
  );
  $("reader").scrollTop = 0;
}

/** Says what was done, with a way back. */
export function told(words, change) {
  toast(words, change ? { action: "Undo", run: () => undo(change) } : {});
}

export async function undo(change) {
  const undone = await trying(() => post("undo", change ? { change } : {}));
  if (!undone) return;
  toast(`Took back: ${undone.files.join(", ") || "index lines"}`, undone.change ? { action: "Redo", run: () => undo(undone.change) } : {});
  await hooks.changed(undone.files);
}

export async function pin() {
  if (!shown) return;
  const done = await trying(() => post("pin", { file: handle(shown), pinned: !shown.pinned }));
  if (!done) return;
  told(done.pinned ? "Pinned: automation keeps its hands off" : "Unpinned", done.change);
  await hooks.changed([shown.file]);
}

export async function forget() {
  if (!shown) return;
  const done = await trying(() => post("forget", { file: handle(shown) }));
  if (!done) return;
  told(`Forgot ${done.files.join(", ")}`, done.change);
  hooks.close();
  await hooks.changed(done.files);
}

function move() {
  const dialog = show("Move to", el("p", { className: "soft" }, "Private: you in this project. Team: everybody in it. User: you in every project."));
  const choices = ["private", "team", "user"].filter((scope) => scope !== shown.scope);
  const to = async (scope) => {
    const done = await trying(() => post("move", { file: handle(shown), scope }));
    if (!done) return;
    dialog.close();
    told(`Moved to ${scope}`, done.change);
    await hooks.changed([]);
    await hooks.jump(handle({ scope, file: done.file }));
  };
  dialog.append(el("div", { className: "actions" }, ...choices.map((scope) => button(scope, () => to(scope))), button("Cancel", () => dialog.close(), "quiet")));
}

/** The form for a new memory. */
export function write() {
  const text = el("textarea", { rows: 4, required: true, placeholder: "One thing worth remembering" });
  const type = el("select", null, el("option", { value: "" }, "guess"), ...["user", "feedback", "project", "reference"].map((word) => el("option", null, word)));
  const scope = el("select", null, el("option", { value: "" }, "by type"), ...["private", "team", "user"].map((word) => el("option", null, word)));
  const [why, apply] = [el("input"), el("input")];
  const field = (words, node) => el("label", { className: "field" }, words, node);
  const form = el("form", { method: "dialog" },
    field("What to remember", text), el("div", { className: "pair" }, field("Type", type), field("Scope", scope)),
    field("Why", why), field("When it applies", apply),
    el("div", { className: "actions" }, el("button", { className: "main" }, "Remember"), button("Cancel", () => dialog.close())));
  const dialog = show("New memory", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = { text: text.value, type: type.value, scope: scope.value, why: why.value, apply: apply.value };
    const saved = await trying(() => post("remember", Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim()))));
    if (!saved) return;
    dialog.close();
    const did = saved.action === "created" ? "Remembered" : saved.action === "updated" ? "Added to" : "Known already:";
    told([`${did} ${saved.file}`, ...saved.warnings].join(". "), saved.change);
    await hooks.changed([saved.file]);
    await hooks.jump(handle(saved));
  });
  text.focus();
}

