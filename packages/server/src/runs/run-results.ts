// What a finished run says of each workflow in it, and whether the files of the workflow have changed since.

import { createHash } from "node:crypto"
import {
  hasResponse,
  lastAttempts,
  parseJson,
  touchedApis,
  uncheckedErrors,
  walkBlocks,
  type Block,
  type Project,
  type Report,
  type RunReport,
  type WorkflowFile,
} from "@callsheet/format"
import { scriptFile } from "@callsheet/language"
import type { RunSummary, WorkflowResult } from "../calls/index.ts"
import { readPart } from "../project/read-parts.ts"
import { readScript } from "../project/read-script.ts"

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
      uses: before?.uses ?? hashOfUses(project, file),
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

/**
 * Returns the hash of the files that a workflow uses: its scripts and its saved requests. Without environments, whose
 * files may contain secrets: a hash would let others test guesses.
 */
function hashOfUses({ root, apis, scriptNames }: Project, { name, workflow }: WorkflowFile): string {
  const blocks = workflow?.blocks ?? []
  const instances = new Set([...walkBlocks(blocks)].flatMap(({ block }) => instanceOf(block) ?? []))
  const requests = touchedApis(blocks).flatMap((api) =>
    [...(apis.get(api)?.instances.values() ?? [])].filter((one) => instances.has(one.name)),
  )
  const scripts = (scriptNames.get(name) ?? []).map((script) => readScript(root, scriptFile(name, script)))
  return hashOf(JSON.stringify([...requests.flatMap(({ file, text }) => [file, text]), ...scripts]))
}

const instanceOf = (block: Block): string | undefined =>
  hasResponse(block) ? block.request.instance : undefined

/** Finds the workflows of which a file has changed since their last run. `runs` is sorted newest first. */
export class EditedWorkflows {
  readonly #root: string
  #project: Project | undefined

  constructor(root: string) {
    this.#root = root
  }

  since(runs: readonly RunSummary[]): readonly string[] {
    const last = new Map<string, WorkflowResult>()
    for (const { results = {} } of runs)
      for (const [workflow, result] of Object.entries(results))
        if (!last.has(workflow)) last.set(workflow, result)
    if (last.size === 0) return []
    const project = readPart(this.#root, {
      workflows: "all",
      apis: "touched",
      documents: "named",
      previous: this.#project,
    })
    this.#project = project
    return [...last].flatMap(([workflow, { file, uses }]) => {
      const now = project.workflows.get(workflow)
      if (now === undefined) return []
      const isSame = hashOf(now.text) === file && (uses === undefined || hashOfUses(project, now) === uses)
      return isSame ? [] : [workflow]
    })
  }
}
