// Talking to the server: the token from the address, JSON both ways, news as they happen.

const here = new URL(location.href);
const given = here.searchParams.get("token");
if (given) {
  sessionStorage.setItem("token", given);
  // Out of the address bar and out of what could be copied from it.
  here.searchParams.delete("token");
  history.replaceState(null, "", here.pathname + here.search + here.hash);
}
const token = sessionStorage.getItem("token") ?? "";
let project = sessionStorage.getItem("project") ?? "";

export class Refused extends Error {
  constructor(status, data) {
    super(data.error ?? `the server said ${status}`);
    this.status = status;
    this.data = data;
  }
}

export function chooseProject(path) {
  project = path;
  sessionStorage.setItem("project", path);
}

export const chosenProject = () => project;

function address(path, query) {
  const url = new URL(`/api/${path}`, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== "" && value != null) url.searchParams.set(name, value);
  if (project) url.searchParams.set("project", project);
  return url;
}

let refused = () => {};
/** Calls `run` when the server does not take the token. */
export const whenRefused = (run) => (refused = run);

async function ask(url, options) {
  const reply = await fetch(url, { ...options, headers: { authorization: `Bearer ${token}`, ...options?.headers } });
  if (reply.status === 401) refused();
  const data = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(reply.status, data);
  return data;
}

export const get = (path, query, signal) => ask(address(path, query), { signal });

export const post = (path, body, signal) =>
  ask(address(path), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}), signal });

/** Calls `changed(changes)` for every change and `state(on)` when the line comes and goes. Returns how to stop. */
export function listen(changed, state) {
  const stop = new AbortController();
  (async () => {
    for (let wait = 500; !stop.signal.aborted; wait = Math.min(wait * 2, 15000)) {
      try {
        const reply = await fetch(address("events"), { headers: { authorization: `Bearer ${token}` }, signal: stop.signal });
        // Another token comes only with another address.
        if (reply.status === 401) return refused(), state(false);
        if (!reply.ok) throw new Error(String(reply.status));
        const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          state(true);
          wait = 500;
          text += piece.value;
          const events = text.split("\n\n");
          text = events.pop();
          for (const event of events) {
            const data = event.split("\n").find((line) => line.startsWith("data:"));
            if (event.includes("event: changed") && data) changed(JSON.parse(data.slice(5)).changes);
          }
        }
      } catch {
        if (stop.signal.aborted) return;
      }
      state(false);
      await new Promise((next) => setTimeout(next, wait));
    }
  })();
  return () => stop.abort();
}

/** How a memory is named so that the server finds it again. */
export const handle = (memory) => (memory.scope === "user" ? `user:${memory.file}` : memory.file);
