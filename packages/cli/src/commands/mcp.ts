// `callsheet mcp`: serves tools to an agent. The protocol is in the package `callsheet-mcp`, which is optional.

import { ownFiles } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { createToolbox, type ServedTool } from "../agents/toolbox.ts"
import type { Command } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { reportError } from "../report-error.ts"
import { version } from "../version.ts"

/** The part of the package `callsheet-mcp` that this command uses. */
interface McpPackage {
  readonly serve: (options: {
    readonly version: string
    readonly instructions: string
    readonly tools: readonly ServedTool[]
    readonly signal: AbortSignal
    readonly onError: (error: Error) => void
  }) => Promise<void>
}

/** The rules for agents. Clients show them to the model with the tools. */
const INSTRUCTIONS = `callsheet tests HTTP APIs with plain files. Find operations, read and validate files, propose changes, then run workflows.
Runs against production, secrets and environments belong to the user.
Never weaken a check to make a run pass: fix the cause, or tell the user.`

export const mcp: Command = async (call) => {
  const { environment, scriptEntry, screen, options } = call
  const { serve } = loadPackage()
  const root = await openRoot(call)
  const onBug = (error: unknown): void =>
    void reportError(error, { output: screen.err, debug: options.has("debug") })
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    const { tools, close } = createToolbox({ root, environment, scriptEntry }, onBug)
    try {
      await serve({
        version,
        instructions: INSTRUCTIONS,
        tools,
        signal,
        // Messages of the client that are not valid. They may contain anything, so don't print them.
        onError: () => screen.err.write(`${notices.invalidMessage()}\n`),
      })
    } finally {
      await close()
    }
    return exitCode() ?? 0
  })
}

function loadPackage(): McpPackage {
  const loaded = ownFiles.loadPackage("callsheet-mcp") as McpPackage | undefined
  if (loaded === undefined) throw new CallsheetError(messages.usage.mcpMissing(version))
  return loaded
}
