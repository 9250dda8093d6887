// Asks Qwen Code's recall: a line {"query"} in, a line {"prompt"} out.
//
// usage: node qwen_recall.mjs CHUNK PROJECT

import { createInterface } from "node:readline";

const { recall } = await import(process.argv[2]);
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { prompt } = await recall(process.argv[3], JSON.parse(line).query);
  say({ prompt });
}
process.exit(0);
