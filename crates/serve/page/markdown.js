// Markdown as DOM nodes. Text of a memory only ever becomes text: there is no way from here to markup.

const INLINE = /(`+)([\s\S]+?)\1|\*\*([\s\S]+?)\*\*|\*([^*\s][^*]*?)\*|\[\[([^\]\n]+)\]\]|\[([^\]\n]+)\]\(([^)\s]+)\)/;

/** Renders `text` into a fragment; `open(name)` is called for `[[name]]` and for links to other memories. */
export function render(text, open) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const out = document.createDocumentFragment();
  let at = 0;
  const paragraph = [];
  const flush = () => {
    if (paragraph.length) out.append(inline("p", paragraph.splice(0).join("\n"), open));
  };
  while (at < lines.length) {
    const line = lines[at];
    const fence = line.match(/^\s*(```+|~~~+)/);
    const heading = line.match(/^(#{1,6})\s+(.*)$/);
    if (fence) {
      flush();
      const body = [];
      for (at += 1; at < lines.length && !lines[at].trim().startsWith(fence[1]); at += 1) body.push(lines[at]);
      const code = document.createElement("code");
      code.textContent = body.join("\n");
      const pre = document.createElement("pre");
      pre.append(code);
      out.append(pre);
    } else if (heading) {
      flush();
      // The page's own heading is the first; those of a memory come below it.
      out.append(inline(heading[1].length < 2 ? "h2" : heading[1].length < 3 ? "h3" : "h4", heading[2], open));
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      flush();
      out.append(document.createElement("hr"));
    } else if (/^\s*>/.test(line)) {
      flush();
      const body = [];
      for (; at < lines.length && /^\s*>/.test(lines[at]); at += 1) body.push(lines[at].replace(/^\s*>\s?/, ""));
      at -= 1;
      const quote = document.createElement("blockquote");
      quote.append(inline("p", body.join("\n"), open));
      out.append(quote);
    } else if (/^\s*([-*+]|\d+[.)])\s+/.test(line)) {
      flush();
      const list = document.createElement(/^\s*\d/.test(line) ? "ol" : "ul");
      for (; at < lines.length && (/^\s*([-*+]|\d+[.)])\s+/.test(lines[at]) || /^\s{2,}\S/.test(lines[at])); at += 1) {
        const item = lines[at].match(/^\s*(?:[-*+]|\d+[.)])\s+(.*)$/);
        if (item) list.append(inline("li", item[1], open));
        else list.lastElementChild.append(" ", ...inline("span", lines[at].trim(), open).childNodes);
      }
      at -= 1;
      out.append(list);
    } else if (line.trim() === "") {
      flush();
    } else {
      paragraph.push(line);
    }
    at += 1;
  }
  flush();
  return out;
}

function inline(tag, text, open) {
  const node = document.createElement(tag);
  let rest = text;
  for (let found = rest.match(INLINE); found; found = rest.match(INLINE)) {
    lines(node, rest.slice(0, found.index));
    rest = rest.slice(found.index + found[0].length);
    if (found[2] !== undefined) {
      const code = document.createElement("code");
      code.textContent = found[2];
      node.append(code);
    } else if (found[3] !== undefined) {
      node.append(inline("strong", found[3], open));
    } else if (found[4] !== undefined) {
      node.append(inline("em", found[4], open));
    } else if (found[5] !== undefined) {
      node.append(jump(found[5], found[5], open));
    } else {
      node.append(link(found[6], found[7], open));
    }
  }
  lines(node, rest);
  return node;
}

function lines(node, text) {
  text.split("\n").forEach((line, at) => {
    if (at) node.append(document.createElement("br"));
    if (line) node.append(line);
  });
}

function link(text, target, open) {
  if (/^https?:/i.test(target)) {
    const anchor = document.createElement("a");
    anchor.href = target;
    anchor.rel = "noopener noreferrer";
    anchor.target = "_blank";
    anchor.textContent = text;
    return anchor;
  }
  // Any other scheme stays text; what has none is another memory.
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith("/")) return document.createTextNode(`${text} (${target})`);
  return jump(text, target, open);
}

function jump(text, target, open) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link";
  button.textContent = text;
  button.addEventListener("click", () => open(target));
  return button;
}
