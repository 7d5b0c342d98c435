// `callsheet types`: the types of scripts, from their workflows and the documents of their APIs.

import { CallsheetError } from "@callsheet/format"
import type { Command } from "../command.ts"
import { watchInterrupts } from "../interrupts.ts"
import { openRoot } from "../open-root.ts"
import { readWorkflows } from "../read-workflows.ts"
import { scriptedWorkflows } from "../script-types/scripted.ts"
import { writeScriptTypes } from "../script-types/write-script-types.ts"
import { plural } from "../text/measures.ts"
import { printable } from "../text/printable.ts"

/** Writes them for the workflows that are named, or for all that have scripts. Exit code 1 where one cannot be read. */
export const types: Command = async (call) => {
  const { words, cwd, screen } = call
  const root = await openRoot(call)
  const readAt = Date.now()
  const wanted = words.length > 0 ? words : "all"
  const { project, workflows } = readWorkflows({ root, cwd, wanted, named: [] })
  const scripted = scriptedWorkflows(project, workflows)
  const without = words.length > 0 ? workflows.find((name) => !scripted.includes(name)) : undefined
  if (without !== undefined) {
    throw new CallsheetError("usage", `the workflow ${JSON.stringify(without)} has no scripts`, {
      hint: `they are the files apis/workflow/scripts/${without}/<name>.ts`,
    })
  }
  const interrupts = watchInterrupts(call.exit)
  try {
    const { made, unreadable, files } = await writeScriptTypes({ project, workflows: scripted, readAt })
    for (const name of unreadable)
      screen.err.write(`${printable(name)} cannot be read: callsheet validate ${printable(name)} says why\n`)
    const changed = files.filter((file) => file.endsWith(".d.ts")).length
    const news = changed === 0 ? "they were there already" : `wrote ${plural(changed, "file")}`
    screen.err.write(`types of the scripts of ${plural(made.length, "workflow")}: ${news}\n`)
    return interrupts.exitCode() ?? (unreadable.length > 0 ? 1 : 0)
  } finally {
    interrupts.stop()
  }
}
