// The page as a person uses it, in a real browser. Usage: test.mjs PATH_OF_MEMDIR [FOLDER_FOR_SCREENSHOTS]

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { Stage } from "./stage.mjs";

const [program, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const stage = new Stage(program);
const MANY = 20_000;

async function accessible(page, where) {
  // Through the debugger, which the page's own policy does not bind.
  await page.evaluate(`${axe}; undefined`);
  // What still fades in has other colours.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))).then(() => {}));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const bad = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(bad.map((one) => `${one.id}: ${one.nodes[0].html} ${one.nodes[0].failureSummary}`), [], where);
}

async function picture(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

const tests = {
  async "browse, read, and look at every view"() {
    const page = await stage.page();
    assert.equal(new URL(page.url()).search, "", "the token left the address bar");
    await page.waitForSelector("#reader .tile.feedback b:has-text('1')");
    await accessible(page, "the list");
    await picture(page, "list");
    await page.click("#reader .tile.feedback");
    await page.waitForFunction(() => document.querySelectorAll(".row b").length === 1);
    await page.selectOption("#type", "");
    await page.click(".row:has-text('Integration tests use a real database')");
    await page.waitForSelector("#reader h1:has-text('Integration tests')");
    assert.match(await page.textContent("#reader .prose"), /Why: mocks hid a broken migration/);
    await accessible(page, "the reader");
    await picture(page, "reader");
    await page.click("nav a[data-view=timeline]");
    await page.waitForSelector("#changes .change");
    assert.match(await page.textContent("#changes"), /You added \S/);
    await page.click(".change summary .age >> nth=0");
    await page.waitForSelector(".diff .add");
    await accessible(page, "the timeline");
    await picture(page, "timeline");
    await page.click("nav a[data-view=recall]");
    await page.fill("#prompt", "how do we write integration tests for the database?");
    await page.waitForSelector("#recalled .card .why");
    await accessible(page, "the playground");
    await picture(page, "recall");
    await page.context().close();
  },

  async "search as you type, with reasons"() {
    const page = await stage.page();
    await page.keyboard.press("/");
    await page.keyboard.type("broken migration");
    await page.waitForSelector("#found .hit mark");
    assert.match(await page.textContent("#found"), /In the text/);
    await page.click("#found .hit >> nth=0");
    await page.waitForSelector("#reader h1:has-text('Integration tests')");
    await page.fill("#search", "freeze");
    await page.waitForFunction(() => document.querySelectorAll(".row b").length === 1);
    await accessible(page, "the search");
    await page.selectOption("#type", "user");
    await page.waitForSelector("text=Nothing by that name.");
    await page.context().close();
  },

  async "a memory is one hit, however many of its lines fit"() {
    const { file } = stage.json("remember", "The kiln is fired on Mondays", "--name", "Kiln days", "--type", "project");
    stage.memdir("edit", file, "--body", "The kiln is fired on Mondays.\n\nThe kiln cools on Tuesdays.\n\nThe kiln is emptied on Wednesdays.", "-q");
    const page = await stage.page();
    await page.fill("#search", "the kiln");
    await page.waitForSelector("#found .hit:has-text('more)')");
    const names = await page.locator("#found h2:has-text('In the text') ~ .hit b").allTextContents();
    assert.deepEqual(names, ["Kiln days"]);
    stage.memdir("forget", file, "--yes", "-q");
    await page.context().close();
  },

  async "what a form is refused for stands in the form, and Ctrl-Enter saves it"() {
    const page = await stage.page();
    await page.keyboard.press("n");
    const token = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].join("");
    await page.keyboard.type(`deploy with ${token}`);
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("dialog[open] .problem:visible");
    assert.equal(await page.locator(".toast").count(), 0, "nothing is said behind the dialog");
    await accessible(page, "the form with a problem");
    await picture(page, "problem");
    await page.fill("dialog textarea", "The tea is in the second drawer");
    await page.focus("dialog select >> nth=0");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("#reader h1:has-text('tea')");
    await page.keyboard.press("p");
    await page.waitForSelector(".toast:has-text('Pinned')");
    assert.equal(await page.locator(".toast").count(), 1, "the last word is the only one");
    await page.context().close();
  },

  async "the overview in numbers"() {
    const said = { session_id: "s1", cwd: stage.project, hook_event_name: "UserPromptSubmit", prompt: "how do we write integration tests for the database?" };
    stage.hook("claude-code", said);
    const page = await stage.page();
    await page.keyboard.press("6");
    await page.waitForSelector("#numbers .plot svg[role=img] .bar.feedback");
    assert.match(await page.textContent("#numbers"), /Integration tests use a real database.*once/);
    assert.match(await page.textContent("#numbers"), /memories were not told/);
    assert.doesNotMatch(await page.textContent("#numbers"), /\b1 (memories|tokens)\b/, "one is not many");
    await page.click("#numbers .plot summary >> nth=0");
    await page.waitForSelector("#numbers table td:visible");
    await accessible(page, "the overview");
    await picture(page, "overview");
    await page.context().close();
  },

  async "what was told, and what it was worth"() {
    const session_id = "heard-1";
    const say = (prompt) => stage.hook("claude-code", { session_id, cwd: stage.project, hook_event_name: "UserPromptSubmit", prompt });
    say("how do we write integration tests for the database?");
    say("and should those integration tests really use the database?");
    const page = await stage.page();
    await page.keyboard.press("7");
    await page.waitForSelector("#told:visible h1:has-text('Told')");
    const session = page.locator("#sessions > details").first();
    assert.match(await session.textContent(), /Session heard-1.*claude-code.*At a prompt.*Integration tests use a real database.*in its title/s);
    await page.click("#sessions summary:has-text('held back')");
    await page.waitForSelector("text=this conversation has it already");
    await accessible(page, "what was told");
    await picture(page, "told");

    // By keyboard alone: the press leaves the focus where it was.
    const not = session.locator("button:has-text('Not useful here')").first();
    assert.equal(await not.getAttribute("aria-pressed"), "false");
    await not.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.textContent === "Not useful here" && document.activeElement.getAttribute("aria-pressed") === "true");
    await page.waitForSelector(".toast:has-text('not useful here') button:has-text('Undo')");
    await accessible(page, "what was said about it");
    const [newest] = stage.json("history").changes;
    assert.equal(newest.reason, "said: not useful here");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Undo");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.querySelector("#sessions [aria-pressed=true]"));

    await session.locator("button:has-text('Always')").first().click();
    await page.waitForSelector("#sessions [aria-pressed=true]:has-text('Always')");
    await page.click(".toast button:has-text('Undo')");
    await page.waitForFunction(() => !document.querySelector("#sessions [aria-pressed=true]"));
    await page.click("nav a[data-view=timeline]");
    await page.waitForSelector("#changes :text('took back a word about being told')");
    await page.context().close();
  },

  async "edit with a preview, and undo"() {
    const page = await stage.page();
    await page.click(".row:has-text('Release freeze')");
    await page.waitForSelector("#reader h1:has-text('release freeze')");
    await page.keyboard.press("e");
    const text = await page.inputValue("#reader textarea");
    await page.fill("#reader textarea", text.replaceAll("only fixes", "only **urgent** fixes"));
    await page.waitForSelector(".preview strong:has-text('urgent')");
    await accessible(page, "the editor");
    await picture(page, "edit");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("#reader .prose strong:has-text('urgent')");
    await page.click(".toast button:has-text('Undo')");
    await page.waitForFunction(() => !document.querySelector("#reader").textContent.includes("urgent"));
    await page.context().close();
  },

  async "an agent's write at the same moment is a conflict, and nothing is lost"() {
    const page = await stage.page();
    const { file } = stage.json("remember", "The deploy window is between nine and ten", "--type", "project");
    await page.click(".row:has-text('Deploy window')");
    await page.waitForSelector("#reader h1:has-text('deploy window')");
    await page.keyboard.press("e");
    const text = await page.inputValue("#reader textarea");
    await page.fill("#reader textarea", text.replaceAll("nine and ten", "ten and eleven"));
    stage.memdir("edit", file, "--body", "The deploy window is on Sundays", "-q");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".notice:has-text('Sundays')");
    assert.match(await page.inputValue("#reader textarea"), /ten and eleven/);
    assert.match(stage.memdir("show", file), /Sundays/);
    await accessible(page, "the conflict");
    await picture(page, "conflict");
    await page.click("button:has-text('Save mine over it')");
    // The preview says it at once; what is saved is read without an editor.
    await page.waitForSelector("#reader .inner .prose:has-text('ten and eleven')");
    assert.match(stage.memdir("show", file), /ten and eleven/);
    await page.context().close();
  },

  async "write, pin, move, forget, and bring back by keys"() {
    const page = await stage.page();
    await page.keyboard.press("n");
    await page.keyboard.type("Call the staging cluster heron");
    await accessible(page, "the form");
    await page.click("dialog button:has-text('Remember')");
    await page.waitForSelector("#reader h1:has-text('staging cluster')");
    await page.keyboard.press("p");
    await page.waitForSelector("#reader .pin");
    await page.click("button:has-text('Move…')");
    await page.click("dialog button:has-text('user')");
    await page.waitForSelector("#reader .meta:has-text('user')");
    assert.equal(stage.json("list").memories.find((one) => one.name?.includes("staging cluster")).scope, "user");
    await page.waitForFunction(() => location.hash.includes("user%3A"));
    await page.keyboard.press("f");
    await page.waitForSelector(".toast:has-text('Forgot')");
    assert.ok(!stage.json("list").memories.some((one) => one.name?.includes("staging cluster")));
    await page.click(".toast:has-text('Forgot') button");
    await page.waitForSelector(".row:has-text('staging cluster')");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] .keys");
    await page.context().close();
  },

  async "what others do shows by itself"() {
    const page = await stage.page();
    await page.waitForSelector(".live.on");
    stage.memdir("remember", "Lunch is at noon in the big room", "-q");
    await page.waitForSelector(".row:has-text('Lunch is at noon')");
    await page.context().close();
  },

  async "a proposal is looked at and accepted"() {
    const dir = stage.json("status").memory.dir;
    // The same thing twice: a dream proposes that one of them goes.
    const demo = "---\nname: Harbour demo\ndescription: The harbour demo is on 2026-04-14\ntype: project\n---\n\nThe harbour demo is on 2026-04-14.\n";
    writeFileSync(join(dir, "project_demo.md"), demo, { mode: 0o600 });
    writeFileSync(join(dir, "project_demo_copy.md"), demo, { mode: 0o600 });
    stage.env.MEMDIR_REVIEW = "true";
    stage.memdir("dream", "--force", "-q");
    delete stage.env.MEMDIR_REVIEW;
    const page = await stage.page();
    await page.click("nav a[data-view=inbox]");
    await page.waitForSelector("#proposals .diff .cut:has-text('2026-04-14')");
    await accessible(page, "the inbox");
    await picture(page, "inbox");
    await page.click(".card:has(.cut:has-text('2026-04-14')) button:has-text('Accept')");
    await page.waitForSelector("#proposals .cut:has-text('2026-04-14')", { state: "detached" });
    assert.match(stage.memdir("show", "project_demo.md"), /2026-04-14/);
    assert.ok(!stage.json("list").memories.some((one) => one.file === "project_demo_copy.md"));
    await page.context().close();
  },

  async "what is wrong can be repaired with a click"() {
    const dir = stage.json("status").memory.dir;
    writeFileSync(join(dir, "loose.md"), "nobody points to me\n", { mode: 0o600 });
    const page = await stage.page();
    await page.click("nav a[data-view=health]");
    await page.waitForSelector(".card:has-text('loose.md')");
    await accessible(page, "health");
    await picture(page, "health");
    await page.click("button:has-text('Repair')");
    // The click is answered when the index has the line.
    for (let tries = 0; tries < 100 && !/loose\.md/.test(stage.memdir("show", "MEMORY.md")); tries += 1) {
      await page.waitForTimeout(100);
    }
    assert.match(stage.memdir("show", "MEMORY.md"), /loose\.md/);
    await page.context().close();
  },

  async "text of a memory never becomes markup"() {
    const dir = stage.json("status").memory.dir;
    const nasty = "<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) [y](data:text/html,z) [[a\"><img src=x onerror=alert(4)>]] **<svg onload=alert(5)>**";
    writeFileSync(join(dir, "nasty.md"), `---\nname: "</b><script>alert(6)</script>"\ndescription: "<img src=x onerror=alert(7)>"\ntype: project\n---\n\n# ${nasty}\n\n- ${nasty}\n\n> ${nasty}\n\n${nasty}\n`, { mode: 0o600 });
    const page = await stage.page();
    await page.click(".row:has-text('alert(6)')");
    await page.waitForSelector("#reader .prose li");
    await page.keyboard.press("e");
    await page.waitForSelector(".preview li");
    const made = await page.evaluate(() => document.querySelectorAll("body script, body img, body svg, a[href^=javascript], a[href^=data]").length);
    assert.equal(made, 0);
    await page.fill("#search", "onerror");
    await page.waitForSelector("#found .hit");
    await page.context().close();
  },

  async "phone width and dark"() {
    const page = await stage.page({ viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true });
    const narrow = async (where) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
    await narrow("the list");
    await accessible(page, "the list on a phone");
    await picture(page, "phone-list");
    await page.tap(".row:has-text('Integration tests')");
    await page.waitForSelector("#reader h1");
    assert.ok(!(await page.isVisible("#search")));
    await narrow("the reader");
    await accessible(page, "the reader on a phone");
    await picture(page, "phone-reader");
    await page.tap(".back");
    await page.waitForSelector("#search:visible");
    for (const view of ["timeline", "inbox", "recall", "health", "overview", "told"]) {
      await page.tap(`nav a[data-view=${view}]`);
      await page.waitForSelector(`#${view}:visible`);
      await narrow(view);
      await accessible(page, `${view} on a phone`);
    }
    await page.context().close();
  },

  async "no width makes the page scroll sideways"() {
    const page = await stage.page();
    for (const width of [320, 480, 640, 761, 800, 900, 1001, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
    }
    await page.context().close();
  },

  async "a row says nothing twice"() {
    const file = join(stage.json("status").memory.dir, "demo_database.md");
    writeFileSync(file, "---\nname: Demo database\ndescription: The demo database holds no real customers\ntype: project\n---\n\nIt is made up.\n", { mode: 0o600 });
    const page = await stage.page();
    const about = page.locator(".row:has-text('Demo database') .about");
    await about.waitFor();
    assert.match(await about.textContent(), /… holds no real customers$/);
    await page.context().close();
    rmSync(file);
  },

  async "a wrong token opens nothing"() {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await page.goto(stage.url.replace(/token=.*/, "token=0000"));
    await page.waitForSelector("#locked:visible");
    assert.match(await page.textContent("#locked"), /memdir serve/);
    assert.equal(await page.locator(".toast").count(), 0, "it is said once");
    assert.equal(await page.locator(".row b").count(), 0);
    await picture(page, "locked");
    await context.close();
  },

  async "twenty thousand memories"() {
    const dir = stage.json("status").memory.dir;
    for (let at = 0; at < MANY; at += 1) {
      writeFileSync(join(dir, `note_${at}.md`), `---\nname: Note ${at}\ndescription: what was said about subject ${at}\ntype: reference\n---\n\nThe answer to question ${at} is in drawer ${at % 97}.\n`, { mode: 0o600 });
    }
    // Somebody else wrote them; the first look takes them in.
    stage.memdir("list", "-q");
    const page = await stage.page();
    await page.waitForFunction((many) => parseInt(document.querySelector("#count").textContent, 10) >= many, MANY);
    assert.ok((await page.locator(".row").count()) < 60, "only what is in sight is drawn");
    await page.evaluate(() => { const box = document.querySelector("#scroll"); box.scrollTop = box.scrollHeight / 2; });
    await page.waitForSelector(".row b");
    const began = Date.now();
    await page.fill("#search", "subject 17321");
    await page.waitForSelector(".row:has-text('Note 17321')");
    console.log(`  found one among ${MANY} in ${Date.now() - began} ms`);
    await page.click(".row:has-text('Note 17321')");
    await page.waitForSelector("#reader h1:has-text('Note 17321')");
    await page.context().close();
  },
};

stage.memdir("remember", "Integration tests use a real database, never mocks", "--type", "feedback", "--why", "mocks hid a broken migration", "--apply", "any test that touches SQL", "-q");
stage.memdir("remember", "The user knows Go well and is new to React", "--type", "user", "--scope", "user", "-q");
stage.memdir("remember", "The release freeze begins on 2026-12-04; only fixes go in after that", "--type", "project", "-q");
stage.memdir("remember", "Pipeline failures are tracked on the board INGEST", "--type", "reference", "-q");
let failed = 0;
try {
  await stage.open();
  for (const [name, test] of Object.entries(tests)) {
    stage.faults.length = 0;
    try {
      await test();
      const faults = stage.faults.filter((fault) => !(name.startsWith("a wrong token") && fault.includes("401")));
      assert.deepEqual(faults, [], "no complaint of the browser, no request elsewhere");
      console.log(`ok   ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}\n${error.stack}\n${stage.faults.join("\n")}`);
    }
  }
} finally {
  await stage.close();
}
process.exitCode = failed ? 1 : 0;
