// `callsheet.run`: runs a workflow, or a part of it, in a process of its own, and tells the user how it ended.

import { isEnvironmentName, shellWordFor, splitProblems, suggest, CallsheetError } from "@callsheet/format"
import { noteRun } from "../known/last-run.ts"
import { messages, notes, outcomes } from "../messages.ts"
import { pathOf, realPathOf } from "../workspace/uris.ts"
import type { OpenProject } from "../workspace/workspace.ts"
import type { CommandCall, RunCommand } from "./command.ts"
import { withProgress } from "./progress.ts"
import { createOutcome, type RunOutcome } from "./run-outcome.ts"
import type { RunOrder, Runs } from "./runs.ts"

const expected = "{ project, workflow, until?, environments }"

export const runWorkflow: RunCommand = async (argument, call) => {
  const { context } = call
  const { project, ...order } = await readOrder(argument, call)
  const runs = requireRuns(call)
  const { workflow, until } = order
  const { hear, outcome } = createOutcome()
  const unsaved = context.workspace.unsavedFiles(project)
  if (unsaved.length > 0) show(call, WARNING, notes.unsaved(unsaved))
  const title = until === undefined ? `Run ${workflow}` : `Run ${workflow} to ${until}`
  const ended = await withProgress(call, title, async ({ report, signal }) => {
    const onEvent: Parameters<Runs["run"]>[1]["onEvent"] = (event) => {
      hear(event)
      if (event.type === "block.started") report(event.id)
    }
    return { ...(await runs.run(order, { onEvent, signal })), isCancelled: signal.aborted }
  })
  const { report } = ended
  if (report !== undefined) noteRun(context, order.root, { report, isWhole: until === undefined })
  const found = outcome()
  const refusals = refusalsOf(found, ended.errors).map(project.state.view().masker().text)
  const message = ended.isCancelled ? outcomes.cancelled(workflow) : describe(order, found, refusals)
  const isGood = ended.exitCode === 0 || ended.isCancelled
  show(call, isGood ? INFO : ERROR, message)
  if (!ended.isCancelled && refusals.length > 1)
    context.client.notify("window/logMessage", { type: ERROR, message: refusals.join("\n") })
  const { status, failed } = found
  return {
    status: ended.isCancelled ? "cancelled" : (status ?? "error"),
    exitCode: ended.exitCode,
    failed,
    message,
  }
}

/** The types of messages in the protocol, whose package is imported for types only. */
const [ERROR, WARNING, INFO] = [1, 2, 3]

const show = ({ context }: CommandCall, type: number, message: string): void =>
  context.client.notify("window/showMessage", { type, message })

/** A run that refuses before its first event says why only on standard error. */
const refusalsOf = ({ status, refusals = [] }: RunOutcome, errors: string): readonly string[] =>
  status === undefined ? splitProblems(errors) : refusals

export function requireRuns({ context }: CommandCall): Runs {
  const { runs } = context.options
  if (runs === undefined) throw new CallsheetError(messages.usage.noRuns())
  return runs
}

/** Checks every word, because it goes on a command line. */
async function readOrder(
  argument: unknown,
  { context }: CommandCall,
): Promise<RunOrder & { readonly project: OpenProject }> {
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
  return { project: found, root: found.state.root, workflow, until, environments }
}

const isEnvironmentChoice = (choice: unknown): choice is string =>
  typeof choice === "string" && isEnvironmentName(choice.replace(/^[a-z0-9][a-z0-9_-]*=/, ""))

function describe(
  order: RunOrder,
  { status, durationMs, failed }: RunOutcome,
  [refusal, ...others]: readonly string[],
): string {
  const { workflow } = order
  if (refusal !== undefined) return outcomes.refused(workflow, refusal, others.length)
  if (status === undefined) return outcomes.silent(workflow, commandOf(order))
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
