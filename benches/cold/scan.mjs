// The scan in Node: every header, newest first, a manifest of the newest 200.
//
// usage: node scan.mjs DIR
//
// All files at once, as such a scan is usually written; a file that cannot be read is skipped.
// With more files than the limit of open ones that skips memories without a word.

import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

const LINES = 30;
const HEAD = 16 * 1024;
const NEWEST = 200;

function header(text) {
  const fields = {};
  const lines = text.split("\n", LINES);
  if (lines[0].trimEnd() !== "---") return fields;
  for (const line of lines.slice(1)) {
    if (line.trimEnd() === "---") break;
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return fields;
}

async function read(root, name) {
  const file = await open(join(root, name));
  try {
    const { mtimeMs } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return { name, mtimeMs, fields: header(buffer.toString("utf8", 0, bytesRead)) };
  } finally {
    await file.close();
  }
}

const root = process.argv[2];
const names = (await readdir(root, { recursive: true })).filter(
  (name) => name.endsWith(".md") && !/(^|\/)MEMORY\.md$/.test(name),
);
const readings = await Promise.allSettled(names.map((name) => read(root, name)));
const memories = readings.filter((one) => one.status === "fulfilled").map((one) => one.value);
memories.sort((a, b) => b.mtimeMs - a.mtimeMs);
const lines = memories.slice(0, NEWEST).map(({ name, mtimeMs, fields }) => {
  const kind = fields.type ? `[${fields.type}] ` : "";
  return `- ${kind}${name} (${new Date(mtimeMs).toISOString()}): ${fields.description ?? ""}`;
});
console.log([`${memories.length} memories`, ...lines].join("\n"));
