// Tells Bethink what happens in OpenCode: a process for each event, none that stays.
import { spawn } from "node:child_process"

const COMMAND = "@COMMAND@"

function hook(name, payload) {
  return new Promise((resolve) => {
    let said = ""
    try {
      const child = spawn(`${COMMAND} ${name} --for opencode`, { shell: true, stdio: ["pipe", "pipe", "ignore"] })
      child.on("error", () => resolve(""))
      child.stdout.on("data", (piece) => { said += piece })
      child.on("close", () => {
        try { resolve(said ? JSON.parse(said).context ?? "" : "") } catch { resolve("") }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch { resolve("") }
  })
}

export const Bethink = async ({ directory }) => {
  const told = new Map()
  const words = (parts) => (parts ?? []).filter((each) => each.type === "text" && !each.synthetic).map((each) => each.text).join("\n")
  return {
    "chat.message": async (input, output) => {
      const session_id = input.sessionID
      const prompt = words(output.parts)
      const pieces = []
      if (!told.has(session_id)) pieces.push(await hook("start", { session_id, cwd: directory }))
      pieces.push(await hook("prompt", { session_id, cwd: directory, prompt }))
      told.set(session_id, pieces.filter(Boolean).join("\n"))
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = told.get(input.sessionID)
      if (context) output.system.push(context)
    },
    "tool.execute.after": async (input, output) => {
      await hook("tool", {
        session_id: input.sessionID, cwd: directory, tool_name: input.tool, tool_input: input.args ?? {},
        tool_use_id: input.callID, output: String(output.output ?? "").slice(0, 100000),
      })
    },
    event: async ({ event }) => {
      const session_id = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle") await hook("stop", { session_id, cwd: directory })
      if (event.type === "session.deleted") await hook("end", { session_id, cwd: directory })
    },
  }
}
