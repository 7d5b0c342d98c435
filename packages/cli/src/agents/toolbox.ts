// The tools of `callsheet mcp`. Everything that a tool returns is masked here, errors included.

import { CallsheetError, formatProblem, type JsonObject, type JsonValue } from "@callsheet/format"
import { CallRefused, noSecrets, type Masker } from "@callsheet/server"
import { notices } from "../messages.ts"
import { findOperations } from "./find-operations.ts"
import { listProject, readFile, validate } from "./project-files.ts"
import { applyProposal, proposeChange, type Proposals } from "./propose-change.ts"
import { proposeTests } from "./propose-tests.ts"
import { explainFailure, runWorkflows, type LastRun } from "./run-workflows.ts"
import type { Tool, ToolCall } from "./tool.ts"
import { createWorkbench, type Workbench, type World } from "./workbench.ts"

/** A result has `content`, an error only text. */
interface Answer {
  readonly isError: boolean
  readonly text: string
  readonly content?: JsonValue
}

export interface ServedTool extends Omit<Tool, "run"> {
  readonly call: (args: JsonObject, call: ToolCall) => Promise<Answer>
}

export interface Toolbox {
  readonly tools: readonly ServedTool[]
  readonly close: () => Promise<void>
}

export function createToolbox(world: World, onBug: (error: unknown) => void): Toolbox {
  const workbench = createWorkbench(world)
  const proposals: Proposals = new Map()
  const last: LastRun = { failures: undefined }
  const tools = [
    findOperations(workbench),
    listProject(workbench),
    readFile(workbench),
    validate(workbench),
    runWorkflows(workbench, last),
    explainFailure(workbench, last),
    proposeChange(workbench, proposals),
    proposeTests(workbench, proposals),
    applyProposal(workbench, proposals),
  ]
  return {
    tools: tools.map(({ run, ...tool }) => ({ ...tool, call: answering(workbench, run, onBug) })),
    close: workbench.close,
  }
}

function answering(
  workbench: Workbench,
  run: Tool["run"],
  onBug: (error: unknown) => void,
): ServedTool["call"] {
  return async (args, call) => {
    try {
      const result = await run(args, call)
      const content = result(await workbench.masker())
      return { isError: false, text: JSON.stringify(content), content }
    } catch (error) {
      const masker = await workbench.masker().catch(() => noSecrets)
      if (!(error instanceof CallsheetError)) onBug(error)
      return { isError: true, text: errorText(error, masker) }
    }
  }
}

const MAX_PROBLEMS = 20

function errorText(error: unknown, masker: Masker): string {
  if (!(error instanceof CallsheetError)) return notices.toolFailed()
  const { code, message, hint, problems } = error
  const all = error instanceof CallRefused ? (error.details.problems ?? []) : problems
  const lines = [
    `${message} (${code})`,
    ...(hint === undefined ? [] : [hint]),
    ...all.slice(0, MAX_PROBLEMS).map(formatProblem),
  ]
  return [...new Set(lines)].map((line) => masker.text(line)).join("\n")
}
