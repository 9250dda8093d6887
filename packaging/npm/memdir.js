#!/usr/bin/env node
// Starts the program that npm has installed for this platform. `memdir init` writes the path of that program into an
// agent's configuration, so that no hook waits for Node.

const { spawnSync } = require("node:child_process");

const PLATFORMS = require("./platforms.json");

function program() {
  const platform = `${process.platform}-${process.arch}`;
  const file = PLATFORMS[platform];
  if (!file) return fail(`there is no package for ${platform}; it can be built from source: https://github.com/memdir/memdir`);
  try {
    return require.resolve(file);
  } catch {
    return fail(`the package for ${platform} is not installed; npm leaves it out with --omit=optional`);
  }
}

function fail(words) {
  process.stderr.write(`error: ${words}\n`);
  process.exit(2);
}

// The program answers to Ctrl-C itself; this process only waits for it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const ended = spawnSync(program(), process.argv.slice(2), { stdio: "inherit" });
if (ended.error) fail(`memdir could not be started: ${ended.error.message}`);
if (ended.signal) {
  process.removeAllListeners(ended.signal);
  process.kill(process.pid, ended.signal);
}
process.exitCode = ended.status ?? 1;
