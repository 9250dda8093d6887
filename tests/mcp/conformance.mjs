// The protocol's own tools against memdir: the conformance suite over streamable HTTP, the inspector on stdio.
// Usage: conformance.mjs PATH_OF_MEMDIR

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = process.argv[2];
const bin = (name) => new URL(`./node_modules/.bin/${name}`, import.meta.url).pathname;

// The suite's other server scenarios call tools, resources and prompts that only its own test server has
// (tools-call-*, json-schema-2020-12, resources-read-*, prompts-get-*, elicitation-*), or are about
// capabilities that memdir does not claim (logging-set-level, completion-complete).
const SCENARIOS = [
  "server-initialize", "ping", "tools-list", "prompts-list", "resources-list", "resources-subscribe", "resources-unsubscribe",
  "server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection",
];

const home = mkdtempSync(join(tmpdir(), "memdir-conformance-"));
const project = join(home, "work", "app");
mkdirSync(project, { recursive: true });
const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC", MEMDIR_NO_BACKGROUND: "1" };
const { file } = JSON.parse(execFileSync(program, ["remember", "The staging cluster is called heron", "--json"], { cwd: project, env, encoding: "utf8" }));
const server = spawn(program, ["serve", "--no-open", "--json"], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] });

async function inspect(where, ...args) {
  const { stdout } = await run(bin("mcp-inspector"), ["--cli", ...where, ...args], { cwd: project, env, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

try {
  const line = await new Promise((done, fail) => {
    createInterface(server.stdout).once("line", done);
    server.once("exit", () => fail(new Error("the server ended")));
  });
  const { port, token } = JSON.parse(line);
  const url = `http://127.0.0.1:${port}/mcp?token=${token}`;
  for (const scenario of SCENARIOS) {
    const { stdout } = await run(bin("conformance"), ["server", "--url", url, "--scenario", scenario], { cwd: home, env });
    const [, passed, all, failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(stdout) ?? [];
    assert.ok(Number(all) > 0 && passed === all && failed === "0", `${scenario}\n${stdout}`);
    console.log(`ok  ${scenario}`);
  }
  for (const [name, where] of [["stdio", [program, "mcp"]], ["http", [url, "--transport", "http"]]]) {
    const { tools } = await inspect(where, "--method", "tools/list");
    assert.equal(tools.length, 7);
    const { resources } = await inspect(where, "--method", "resources/list");
    assert.ok(resources.some((one) => one.uri === `memdir://private/${file}`));
    const { prompts } = await inspect(where, "--method", "prompts/list");
    assert.deepEqual(prompts.map((one) => one.name), ["remember", "recall", "dream"]);
    const called = await inspect(where, "--method", "tools/call", "--tool-name", "recall", "--tool-arg", "query=what is the staging cluster called?");
    assert.match(called.content[0].text, /heron/);
    console.log(`ok  inspector, ${name}`);
  }
} finally {
  const ended = new Promise((done) => (server.exitCode === null ? server.once("exit", done) : done()));
  server.kill();
  await ended;
  rmSync(home, { recursive: true, force: true });
}
