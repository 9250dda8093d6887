// memdir for opencode: recalled memories beside a prompt, what is known about an action with its result, and tools to
// look up and save. It only asks `memdir hook opencode` and names `memdir mcp`; when memdir is missing, slow or silent,
// nothing happens.
import { spawn } from "node:child_process"

const program = "memdir"
const patience = 5000

const ask = (event, said) =>
  new Promise((done) => {
    let text = ""
    const finish = () => {
      try {
        done(JSON.parse(text).additionalContext ?? "")
      } catch {
        done("")
      }
    }
    try {
      const child = spawn(program, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => {
        child.kill("SIGKILL")
        done("")
      }, patience)
      child.on("error", () => {
        clearTimeout(timer)
        done("")
      })
      child.on("close", () => {
        clearTimeout(timer)
        finish()
      })
      child.stdout.on("data", (piece) => (text += piece))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ event, ...said }))
    } catch {
      done("")
    }
  })

export const Memdir = async ({ directory }) => {
  // Conversations of sub-agents are not the user's.
  const children = new Set()
  const inputs = new Map()
  const say = (event, session, more = {}) =>
    children.has(session) ? Promise.resolve("") : ask(event, { session, cwd: directory, ...more })
  return {
    config: async (config) => {
      config.mcp ??= {}
      config.mcp.memdir ??= { type: "local", command: [program, "mcp", "--hooked"], enabled: true }
    },
    event: async ({ event }) => {
      const said = event.properties ?? {}
      if (event.type === "session.created" && said.info?.parentID) children.add(said.info.id)
      if (event.type === "session.idle") await say("turn-end", said.sessionID)
      if (event.type === "session.compacted") await say("after-compact", said.sessionID)
    },
    "chat.message": async (input, output) => {
      const own = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const text = await say("prompt", input.sessionID, { prompt: own.map((part) => part.text).join("\n") })
      if (!text) return
      output.parts.push({
        id: "prt_zzz" + Date.now(),
        sessionID: input.sessionID,
        messageID: output.message.id,
        type: "text",
        synthetic: true,
        text,
      })
    },
    "tool.execute.before": async (input, output) => {
      inputs.set(input.callID, output.args)
    },
    "tool.execute.after": async (input, output) => {
      const args = inputs.get(input.callID) ?? input.args
      inputs.delete(input.callID)
      const text = await say("after-tool", input.sessionID, { tool: input.tool, input: args })
      if (!text) return
      if (Array.isArray(output.content)) output.content.push({ type: "text", text })
      else if (typeof output.output === "string") output.output += "\n" + text
    },
  }
}
