// `callsheet.run`: runs a workflow, or a part of it, in a process of its own, and tells the user how it ended.

import { isEnvironmentName, shellWordFor, suggest, CallsheetError } from "@callsheet/format"
import { messages, outcomes } from "../messages.ts"
import { pathOf, realPathOf } from "../workspace/uris.ts"
import type { CommandCall, RunCommand } from "./command.ts"
import { withProgress } from "./progress.ts"
import { createOutcome, type RunOutcome } from "./run-outcome.ts"
import type { RunOrder, Runs } from "./runs.ts"

const expected = "{ project, workflow, until?, environments }"

export const runWorkflow: RunCommand = async (argument, call) => {
  const { context } = call
  const order = await readOrder(argument, call)
  const runs = requireRuns(call)
  const { workflow, until } = order
  const { hear, outcome } = createOutcome()
  const title = until === undefined ? `Run ${workflow}` : `Run ${workflow} to ${until}`
  const ended = await withProgress(call, title, async ({ report, signal }) => {
    const onEvent: Parameters<Runs["run"]>[1]["onEvent"] = (event) => {
      hear(event)
      if (event.type === "block.started") report(event.id)
    }
    const exitCode = await runs.run(order, { onEvent, signal })
    return { exitCode, isCancelled: signal.aborted }
  })
  const found = outcome()
  const message = ended.isCancelled ? outcomes.cancelled(workflow) : describe(order, found)
  const isPassed = ended.exitCode === 0
  context.client.notify("window/showMessage", { type: isPassed || ended.isCancelled ? 3 : 1, message })
  const { status, failed } = found
  return {
    status: ended.isCancelled ? "cancelled" : (status ?? "error"),
    exitCode: ended.exitCode,
    failed,
    message,
  }
}

export function requireRuns({ context }: CommandCall): Runs {
  const { runs } = context.options
  if (runs === undefined) throw new CallsheetError(messages.usage.noRuns())
  return runs
}

/** Checks every word, because it goes on a command line. */
async function readOrder(argument: unknown, { context }: CommandCall): Promise<RunOrder> {
  const {
    project,
    workflow,
    until,
    environments = [],
  } = { ...(argument as Record<string, unknown> | undefined) }
  const wrong = new CallsheetError(messages.usage.argument("callsheet.run", expected))
  if (typeof project !== "string" || typeof workflow !== "string") throw wrong
  if (until !== undefined && typeof until !== "string") throw wrong
  if (!Array.isArray(environments) || !environments.every(isEnvironmentChoice)) throw wrong
  const path = pathOf(project)
  const found = (await context.workspace.projects()).find(
    ({ state }) => path !== undefined && state.realRoot === realPathOf(path),
  )
  if (found === undefined) throw new CallsheetError(messages["project-missing"].none(project))
  const { workflowNames } = found.state.view().project
  if (!workflowNames.includes(workflow))
    throw new CallsheetError(messages["workflow-unknown"].unknown(workflow, suggest(workflow, workflowNames)))
  return { root: found.state.root, workflow, until, environments }
}

const isEnvironmentChoice = (choice: unknown): choice is string =>
  typeof choice === "string" && isEnvironmentName(choice.replace(/^[a-z0-9][a-z0-9_-]*=/, ""))

function describe(order: RunOrder, { status, durationMs, failed, error }: RunOutcome): string {
  const { workflow } = order
  if (status === undefined) return outcomes.silent(workflow, commandOf(order))
  if (error !== undefined) return outcomes.refused(workflow, error)
  if (failed === undefined)
    return status === "passed" ? outcomes.passed(workflow, durationMs) : outcomes.failedSomewhere(workflow)
  const { block, reason, file, line } = failed
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`
  return outcomes.failed(workflow, block, place === undefined ? reason : outcomes.at(place, reason))
}

function commandOf({ workflow, until, environments }: RunOrder): string {
  const words = [
    workflow,
    ...(until === undefined ? [] : ["--until", until]),
    ...environments.flatMap((environment) => ["--env", environment]),
  ]
  return ["callsheet run", ...words.map((word) => shellWordFor(word, false))].join(" ")
}
