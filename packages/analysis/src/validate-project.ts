// Everything that can be known to be wrong with a project without sending anything.

import { readDocument } from "@callsheet/openapi"
import {
  createProblemMaker,
  walkBlocks,
  type Api,
  type Problem,
  type ProblemCode,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import type { Report } from "./report.ts"
import { checkTarget } from "./request-target.ts"
import { checkScripts, type DescribeScript } from "./scripts.ts"
import type { ApiSource } from "./target.ts"

export interface ValidateRequest {
  /** What is to be checked: the workflows that were read, and the APIs that were read, in full. */
  readonly project: Project
  readonly describe: DescribeScript
}

/**
 * All problems of all files that were read: errors and warnings, by file and by place in the file.
 *
 * @example
 * const problems = await validateProject({ project: readProject(root, { workflows: "all", apis: "all" }), describe })
 */
export async function validateProject({ project, describe }: ValidateRequest): Promise<readonly Problem[]> {
  // A set: the same broken file is found by each block that uses it.
  const problems = new Set<Problem>(project.problems)
  const add = (found: readonly Problem[]) => {
    for (const problem of found) problems.add(problem)
  }
  const apis = new Map<string, ApiSource>()
  for (const api of project.apis.values()) apis.set(api.name, await readSource(api, add))
  for (const file of project.workflows.values()) {
    add(file.problems)
    await checkWorkflowFile({ project, describe, apis, file, add })
  }
  return [...problems].map(raise).sort(byPlace)
}

async function readSource(api: Api, add: (found: readonly Problem[]) => void): Promise<ApiSource> {
  add(api.problems)
  add(api.environments.problems)
  for (const instance of api.instances.values()) add(instance.problems)
  const read = api.document === undefined ? undefined : await readDocument(api.document)
  add(read?.problems ?? [])
  return { api, ...(read?.document === undefined ? {} : { document: read.document }) }
}

interface FileCheck extends ValidateRequest {
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly file: WorkflowFile
  readonly add: (found: readonly Problem[]) => void
}

async function checkWorkflowFile({ project, describe, apis, file, add }: FileCheck): Promise<void> {
  const problemAt = createProblemMaker(file)
  const report: Report = (pointer, at, finding) => add([problemAt(pointer, at, finding)])
  for (const { block, pointer } of walkBlocks(file.workflow?.blocks ?? [])) {
    if (block.type !== "request") continue
    checkTarget({
      block,
      apis,
      apiNames: project.apiNames,
      report: (inner, at, finding) => report([...pointer(), ...inner], at, finding),
      addProblem: (problem) => add([problem]),
    })
  }
  await checkScripts({ project, file, describe }, report)
}

/** What a run only warns of. */
const raised: ReadonlySet<ProblemCode> = new Set(["secret-committed"])

const raise = (problem: Problem): Problem =>
  raised.has(problem.code) ? { ...problem, severity: "error" } : problem

const byPlace = (a: Problem, b: Problem): number =>
  compare(a.file ?? "", b.file ?? "") ||
  (a.line ?? 0) - (b.line ?? 0) ||
  (a.column ?? 0) - (b.column ?? 0) ||
  compare(a.message, b.message)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
