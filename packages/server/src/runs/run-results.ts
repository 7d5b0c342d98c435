// What a finished run says of each workflow in it, and whether the workflow's file has changed since.

import { createHash } from "node:crypto"
import {
  lastAttempts,
  parseJson,
  uncheckedErrors,
  type Project,
  type Report,
  type RunReport,
} from "@callsheet/format"
import type { RunSummary, WorkflowResult } from "../calls/index.ts"
import { readPart } from "../project/read-parts.ts"

/** Returns the result of each workflow that ran. The worst of its runs counts, without failed attempts that were repeated. */
export function resultsOf({ runs }: Report, project: Project): NonNullable<RunSummary["results"]> {
  const results = new Map<string, WorkflowResult>()
  for (const run of lastAttempts(runs)) {
    const file = project.workflows.get(run.workflow)
    if (run.status === "skipped" || file === undefined) continue
    const before = results.get(run.workflow)
    const unchecked = (before?.unchecked ?? 0) + uncheckedIn(run, file.text)
    results.set(run.workflow, {
      status: worse(before?.status, run.status),
      file: before?.file ?? hashOf(file.text),
      ...(unchecked === 0 ? {} : { unchecked }),
    })
  }
  return Object.fromEntries(results)
}

function uncheckedIn(run: RunReport, text: string): number {
  const parsed = parseJson(text)
  return parsed.ok ? uncheckedErrors(run, parsed.value).size : 0
}

type Status = WorkflowResult["status"]

const worse = (one: Status | undefined, other: Status): Status =>
  one === undefined || one === "passed" || (one === "failed" && other === "error") ? other : one

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32)

/** Finds the workflows whose file has changed since their last run. `runs` is sorted newest first. */
export class EditedWorkflows {
  readonly #root: string
  #project: Project | undefined

  constructor(root: string) {
    this.#root = root
  }

  since(runs: readonly RunSummary[]): readonly string[] {
    const last = new Map<string, string>()
    for (const { results = {} } of runs)
      for (const [workflow, { file }] of Object.entries(results))
        if (!last.has(workflow)) last.set(workflow, file)
    if (last.size === 0) return []
    this.#project = readPart(this.#root, { workflows: "all", apis: [], previous: this.#project })
    const { workflows } = this.#project
    return [...last].flatMap(([workflow, file]) => {
      const now = workflows.get(workflow)
      return now !== undefined && hashOf(now.text) !== file ? [workflow] : []
    })
  }
}
