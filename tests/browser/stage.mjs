// A home of its own, a server on it, a browser that writes down what must not happen.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { chromium } from "playwright-core";

export class Stage {
  constructor(program) {
    this.program = program;
    this.home = mkdtempSync(join(tmpdir(), "memdir-page-"));
    this.project = join(this.home, "work", "harbour");
    mkdirSync(this.project, { recursive: true });
    this.env = { PATH: process.env.PATH, HOME: this.home, TZ: "UTC", MEMDIR_NO_BACKGROUND: "1" };
    this.faults = [];
  }

  /** Runs memdir as somebody else would, beside the page. */
  memdir(...args) {
    return execFileSync(this.program, args, { cwd: this.project, env: this.env, encoding: "utf8", maxBuffer: 2 ** 26 });
  }

  /** Calls a hook as an agent does. */
  hook(host, event) {
    return execFileSync(this.program, ["hook", host], { cwd: this.project, env: this.env, encoding: "utf8", input: JSON.stringify(event) });
  }

  json(...args) {
    return JSON.parse(this.memdir(...args, "--json"));
  }

  async open() {
    this.server = spawn(this.program, ["serve", "--no-open", "--json"], { cwd: this.project, env: this.env, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await Promise.race([
      (async () => { for await (const line of createInterface(this.server.stdout)) return [line]; })(),
      new Promise((_, fail) => this.server.once("exit", () => fail(new Error("the server ended")))),
    ]);
    this.url = JSON.parse(line).url;
    const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => {
      try { return execFileSync("test", ["-x", path]) !== null; } catch { return false; }
    });
    this.browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  }

  async page(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const origin = new URL(this.url).origin;
    page.on("console", (message) => {
      // The browser itself reports a refused request; a conflict and a refused secret are meant to be.
      if (["error", "warning"].includes(message.type()) && !/ (400|409) /.test(message.text())) this.faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.faults.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => (this.faults.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
    page.on("request", (request) => request.url().startsWith(origin) || this.faults.push(`request: ${request.url()}`));
    await page.goto(this.url);
    await page.waitForSelector(".row b");
    return page;
  }

  async close() {
    await this.browser?.close();
    if (this.server && this.server.exitCode === null) {
      const ended = new Promise((done) => this.server.once("exit", done));
      this.server.kill();
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}
