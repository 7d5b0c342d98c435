// `callsheet types`: generates the types of scripts from workflows and API documents.

import { CallsheetError } from "@callsheet/format"
import type { Command } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { readWorkflows } from "../session/read-workflows.ts"
import { scriptedWorkflows } from "../script-types/scripted-workflows.ts"
import { writeScriptTypes } from "../script-types/write-script-types.ts"
import { printable } from "../text/printable.ts"

/** Writes types for the named workflows, or for all workflows with scripts. Returns 1 if a workflow can't be read. */
export const types: Command = async (call) => {
  const { words, cwd, screen } = call
  const root = await openRoot(call)
  const readAt = Date.now()
  const wanted = words.length > 0 ? words : "all"
  const { project, workflows } = readWorkflows({ root, cwd, wanted, named: [] })
  const scripted = scriptedWorkflows(project, workflows)
  const without = words.length > 0 ? workflows.find((name) => !scripted.includes(name)) : undefined
  if (without !== undefined) {
    throw new CallsheetError(messages.usage.noScripts(without))
  }
  return withInterrupts(call.exit, async ({ exitCode }) => {
    const { made, unreadable, files } = await writeScriptTypes({ project, workflows: scripted, readAt })
    for (const name of unreadable) screen.err.write(`${notices.workflowUnreadable(printable(name))}\n`)
    const changed = files.filter((file) => file.endsWith(".d.ts")).length
    screen.err.write(`${notices.typesWritten(made.length, changed)}\n`)
    return exitCode() ?? (unreadable.length > 0 ? 1 : 0)
  })
}
