// The pictures of the docs, from a real server in a real browser. Usage: pictures.mjs PATH_OF_MEMDIR FOLDER

import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Stage } from "./stage.mjs";

const [program, folder] = process.argv.slice(2);
const stage = new Stage(program);

// Name, type, days ago, text.
const MEMORIES = [
  ["Real database in integration tests", "feedback", 0, "Integration tests use a real database, never mocks.\n\n**Why:** mocks hid a broken migration until the release.\n**How to apply:** any test that touches SQL; `make db` starts one."],
  ["Release freeze", "project", 1, "From 2026-12-04 on only fixes go in; the release is on 2026-12-11.\n\n**Why:** the harbour's own launch is that week.\n**How to apply:** new features wait on `next`."],
  ["Short answers first", "user", 2, "Wants the answer in the first sentence and the reasons after it."],
  ["Latency dashboard", "reference", 3, "Latency graphs are on the dashboard *harbour / api*; look there first when the API is slow."],
  ["No new dependencies without asking", "feedback", 5, "Ask before adding a dependency.\n\n**Why:** each one is audited by hand.\n**How to apply:** `Cargo.toml`, `package.json`."],
  ["Knows Go, new to React", "user", 9, "Ten years of Go; first project with React. Explain frontend terms by Go's."],
  ["Billing needs a second pair of eyes", "project", 12, "Changes of billing are reviewed by two before they land."],
  ["Pipeline failures on the board INGEST", "reference", 20, "Failures of the pipeline are tracked on the board INGEST."],
  ["Staging is called heron", "reference", 33, "The staging cluster is called heron; `make heron` deploys to it."],
];

try {
  mkdirSync(folder, { recursive: true });
  stage.memdir("remember", "Deploys happen between nine and ten", "--type", "project", "-q");
  const dir = stage.json("status").memory.dir;
  for (const [name, type, days, text] of MEMORIES) {
    const path = join(dir, `${type}_${name.toLowerCase().replace(/[^a-z]+/g, "_")}.md`);
    writeFileSync(path, `---\nname: ${name}\ndescription: ${text.split("\n")[0].replace(/[*`]/g, "")}\ntype: ${type}\n---\n\n${text}\n`, { mode: 0o600 });
    const time = Date.now() / 1000 - days * 86_400;
    utimesSync(path, time, time);
  }
  stage.memdir("doctor", "--fix", "--yes", "-q");
  await stage.open();
  const shoot = async (page, name) => (await page.waitForTimeout(300), page.screenshot({ path: join(folder, `${name}.png`) }));
  const light = await stage.page();
  await light.click(".row:has-text('Real database')");
  await light.waitForSelector("#reader h1:has-text('Real database')");
  await light.waitForSelector(".live.on");
  await shoot(light, "page");
  // As much as fits above what names the folders of the machine.
  const dark = await stage.page({ colorScheme: "dark", viewport: { width: 1280, height: 500 } });
  await dark.waitForSelector(".live.on");
  await dark.click("nav a[data-view=recall]");
  await dark.fill("#prompt", "how do we test what talks to the database?");
  await dark.waitForSelector("#recalled .card .why");
  await shoot(dark, "recall");
} finally {
  await stage.close();
}
