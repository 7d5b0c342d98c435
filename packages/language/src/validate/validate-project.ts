// Everything that can be known to be wrong with a project without sending anything.

import { checkDocument, readDocument } from "@callsheet/openapi"
import {
  createProblemMaker,
  type Api,
  type InstanceFile,
  type Problem,
  type Project,
} from "@callsheet/format"
import { asReported } from "./as-reported.ts"
import { checkScripts, type DescribeScript } from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { checkEnvironments } from "./check-environments.ts"
import { checkInstances, type ObjectToFile } from "./check-instances.ts"
import { checkWorkflowFile } from "./check-workflow-file.ts"

export interface ValidateRequest {
  /** What is to be checked: the workflows that were read, and the APIs that were read, in full. */
  readonly project: Project
  readonly describe: DescribeScript
  /** Absent where files cannot be looked at: in a browser. */
  readonly objectToFile?: ObjectToFile
  /** Waited for between files, so that something else may be done meanwhile; what it throws ends the check. */
  readonly giveWay?: () => Promise<void>
}

/**
 * All problems of all files that were read: errors and warnings, by file and by place in the file.
 *
 * @example
 * const problems = await validateProject({ project: readProject(root, { workflows: "all", apis: "all" }), describe, objectToFile })
 */
export async function validateProject({
  project,
  describe,
  objectToFile = () => undefined,
  giveWay,
}: ValidateRequest): Promise<readonly Problem[]> {
  // A set: the same broken file is found by each block that uses it.
  const problems = new Set<Problem>(project.problems)
  const add = (found: readonly Problem[]) => {
    for (const problem of found) problems.add(problem)
  }
  const apis = new Map<string, ApiSource>()
  for (const api of project.apis.values()) {
    apis.set(api.name, await readSource(api, add))
    await giveWay?.()
  }
  const reported = new Set<InstanceFile>()
  for (const source of apis.values()) {
    checkEnvironments(source, (problem) => add([problem]))
    const broken = checkInstances({ source, objectToFile, add: (problem) => add([problem]) })
    for (const file of broken) reported.add(file)
  }
  for (const file of project.workflows.values()) {
    add(file.problems)
    checkWorkflowFile({ file, apis, apiNames: project.apiNames, reported, add: (problem) => add([problem]) })
    const problemAt = createProblemMaker(file)
    await checkScripts({ project, file, describe }, (pointer, at, finding) =>
      add([problemAt(pointer, at, finding)]),
    )
    await giveWay?.()
  }
  return asReported(problems)
}

async function readSource(api: Api, add: (found: readonly Problem[]) => void): Promise<ApiSource> {
  add(api.problems)
  add(api.environments.problems)
  for (const instance of api.instances.values()) add(instance.problems)
  const read = api.document === undefined ? undefined : await readDocument(api.document, api)
  add(read?.problems ?? [])
  if (read?.document !== undefined) add(await checkDocument(read.document))
  return { api, document: read?.document }
}
