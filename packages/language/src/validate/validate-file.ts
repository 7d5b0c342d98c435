// What `validate` would say of one file of a project, without a look at all the others.

import {
  createProblemMaker,
  hasResponse,
  walkBlocks,
  type Api,
  type InstanceFile,
  type Problem,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import { asReported } from "./as-reported.ts"
import { checkEnvironments } from "./check-environments.ts"
import { checkInstances, type ObjectToFile } from "./check-instances.ts"
import { checkScripts, type DescribeScript } from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { checkWorkflowFile } from "./check-workflow-file.ts"

/** What stands around the file. */
export interface Surroundings {
  readonly project: Pick<Project, "root" | "apiNames" | "scriptNames" | "problems" | "workflows">
  /** At least those that the file touches, by name. */
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly describe: DescribeScript
  readonly objectToFile: ObjectToFile
}

/** `surroundings.project.scriptNames` has those of the workflow. */
export async function validateWorkflowFile(
  file: WorkflowFile,
  { project, apis, describe, objectToFile }: Surroundings,
): Promise<readonly Problem[]> {
  const problems = new Set(file.problems)
  const add = (problem: Problem): void => void problems.add(problem)
  const reported = new Set<InstanceFile>()
  for (const source of apis.values())
    for (const broken of checkInstances({ source, objectToFile, add: () => undefined })) reported.add(broken)
  checkWorkflowFile({ file, apis, apiNames: project.apiNames, reported, add })
  const problemAt = createProblemMaker(file)
  await checkScripts({ project, file, describe }, (pointer, at, finding) =>
    add(problemAt(pointer, at, finding)),
  )
  return ofFile(file.file, problems, project)
}

/** A saved request is judged by itself and by what the workflows that send it give it. */
export function validateInstanceFile(
  file: InstanceFile,
  { project, apis, objectToFile }: Surroundings,
): readonly Problem[] {
  const problems = new Set(file.problems)
  const add = (problem: Problem): void => void problems.add(problem)
  for (const source of apis.values()) {
    const instances = new Map([...source.api.instances].filter(([, other]) => other === file))
    if (instances.size === 0) continue
    const reported = checkInstances({
      source: { ...source, api: { ...source.api, instances } },
      objectToFile,
      add,
    })
    for (const workflow of senders(project.workflows, source.api, file))
      checkWorkflowFile({ file: workflow, apis, apiNames: project.apiNames, reported, add })
  }
  return ofFile(file.file, problems, project)
}

/** Workflows that may send a saved request: a token may stand for any name. */
function senders(
  workflows: ReadonlyMap<string, WorkflowFile>,
  api: Api,
  { name }: InstanceFile,
): readonly WorkflowFile[] {
  return [...workflows.values()].filter(({ readable }) => {
    for (const { block } of walkBlocks(readable?.workflow.blocks ?? [])) {
      if (!hasResponse(block) || readable?.broken.has(block) === true) continue
      if (block.request.api === api.name && block.request.instance === name) return true
    }
    return false
  })
}

/** A schema or a value file; `source` has the environments with its text in them. */
export function validateEnvironmentFile(
  file: string,
  source: ApiSource,
  project: Pick<Project, "problems">,
): readonly Problem[] {
  const problems = new Set(source.api.environments.problems)
  checkEnvironments(source, (problem) => void problems.add(problem))
  return ofFile(file, problems, project)
}

const ofFile = (
  file: string,
  problems: Iterable<Problem>,
  project: Pick<Project, "problems">,
): readonly Problem[] =>
  asReported([...project.problems, ...problems].filter((problem) => problem.file === file))
