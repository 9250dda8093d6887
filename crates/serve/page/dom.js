// Small tools for the page: elements, messages, dialogs, words for ages.

/** An element with properties and children; text is always text. */
export function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== "role") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null && child !== false));
  return node;
}

export const $ = (id) => document.getElementById(id);

export function button(words, onclick, className) {
  return el("button", { type: "button", className: className ?? "", onclick }, words);
}

/** A message that goes by itself, with something to do about it. It takes the place of the one before: that one's way back
 * may lead somewhere else by now. */
export function toast(words, { bad, action, run } = {}) {
  const node = el("div", { className: bad ? "toast bad" : "toast" }, el("span", null, words));
  if (action) node.append(button(action, () => (node.remove(), run())));
  $("toasts").replaceChildren(node);
  setTimeout(() => node.remove(), bad || action ? 12000 : 5000);
}

/** What was said about one place is over when another is shown. */
export function dropToasts({ onlyBad } = {}) {
  for (const node of $("toasts").querySelectorAll(onlyBad ? ".bad" : ".toast")) node.remove();
}

/** Says what went wrong: in the dialog if one is open, because everything else is behind it. */
export function complain(error) {
  // Without a token the page itself says so, once.
  if (error.name === "AbortError" || error.status === 401) return;
  const place = $("dialog").open && $("dialog-problem");
  if (place) (place.textContent = error.message), (place.hidden = false);
  else toast(error.message, { bad: true });
}

/** Runs something and says so when it fails. */
export async function trying(work) {
  try {
    return await work();
  } catch (error) {
    complain(error);
    return undefined;
  }
}

export function show(title, ...children) {
  const dialog = $("dialog");
  const problem = el("p", { id: "dialog-problem", className: "problem", role: "alert", hidden: true });
  dialog.replaceChildren(el("h2", { id: "dialog-title" }, title), problem, ...children);
  dialog.showModal();
  return dialog;
}

export function age(days) {
  return days === null ? "age unknown" : days === 0 ? "today" : days === 1 ? "yesterday" : days < 60 ? `${days} days ago` : `${Math.round(days / 30)} months ago`;
}

export const tag = (type) => el("span", { className: `tag ${type ?? "none"}` }, type ?? "untyped");

export function typing(event) {
  return event.target.closest("input, textarea, select, dialog") !== null;
}

/** A unified diff: a heading a file, then its lines. */
export function diff(text) {
  const block = el("pre", { className: "block diff" });
  const lines = text.replace(/\n$/, "").split("\n");
  const bare = (line) => line.slice(4).replace(/^[ab]\//, "");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      const [before, after] = [bare(line), bare(lines[(at += 1)])];
      const what = before === "/dev/null" ? " new" : after === "/dev/null" ? " removed" : "";
      block.append(el("span", { className: "of" }, el("b", null, after === "/dev/null" ? before : after), what));
    } else if (line.startsWith("@@")) {
      // Where it is matters only between two places of one file.
      if (!block.lastChild?.classList.contains("of")) block.append(el("span", { className: "at" }, "⋯"));
    } else {
      const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "cut" : "";
      block.append(el("span", { className: kind }, line || " "));
    }
  }
  return block;
}
