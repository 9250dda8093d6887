// Plots: bars on a common scale, drawn as SVG. Each has its numbers in words and, for whoever cannot see it, as a table.

import { el } from "/dom.js";

const [WIDTH, HEIGHT, GAP] = [640, 140, 4];

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Bars side by side, each a pile of `kinds`: `[[field, words], …]`. `rows` are objects, `label(row)` names one, `unit` is the word for one and for many. */
export function bars({ title, rows, kinds, label, unit }) {
  const sum = (row) => kinds.reduce((total, [field]) => total + row[field], 0);
  const most = Math.max(0, ...rows.map(sum));
  const counted = (count) => `${count} ${count === 1 ? unit[0] : unit[1]}`;
  const wide = WIDTH / rows.length;
  const drawn = rows.flatMap((row, at) => {
    let top = HEIGHT;
    return kinds.filter(([field]) => row[field]).map(([field, words]) => {
      const tall = (row[field] / Math.max(1, most)) * HEIGHT;
      top -= tall;
      const bar = svg("rect", { class: `bar ${field}`, x: at * wide + GAP / 2, y: top, width: wide - GAP, height: tall });
      bar.append(svg("title", {}, `${label(row)}: ${row[field]} ${words}`));
      return bar;
    });
  });
  const last = rows.at(-1);
  const spoken = `${title}. At most ${counted(most)}; ${label(last)}: ${counted(sum(last))}.`;
  const base = svg("line", { class: "base", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT });
  const legend = kinds.length > 1 && el("p", { className: "legend" }, ...kinds.map(([field, words]) => el("span", { className: `tag ${field}` }, words)));
  return el("figure", { className: "plot" },
    el("figcaption", null, el("b", null, title), el("span", { className: "soft" }, ` up to ${counted(most)}`)),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 1}`, role: "img", "aria-label": spoken, preserveAspectRatio: "none" }, base, ...drawn),
    el("p", { className: "ends soft" }, el("span", null, label(rows[0])), el("span", null, label(last))),
    legend,
    table({ rows, kinds, label }));
}

function table({ rows, kinds, label }) {
  const head = el("tr", null, el("th", { scope: "col" }, "until"), ...kinds.map(([, words]) => el("th", { scope: "col" }, words)));
  const lines = rows.map((row) => el("tr", null, el("th", { scope: "row" }, label(row)), ...kinds.map(([field]) => el("td", null, String(row[field])))));
  return el("details", null, el("summary", null, "As a table"), el("table", null, el("thead", null, head), el("tbody", null, ...lines)));
}
