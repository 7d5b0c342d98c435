// A project's files -> a value: as much of it as was asked for. Synchronous: a run waits for nothing else at its start.

import {
  hints,
  CallsheetError,
  isApiName,
  isWorkflowName,
  nameKey,
  suggest,
  touchedApis,
  type Api,
  type Problem,
  type Project,
  type WorkflowFile,
} from "@callsheet/format"
import { listFolder, openProjectFolder, type Entry, type ProjectFolder } from "./project-folder.ts"
import { readApi, type DocumentWish } from "./read-api.ts"
import { listScripts, readWorkflow } from "./read-workflow.ts"

export interface ReadRequest {
  readonly workflows: readonly string[] | "all"
  readonly apis: readonly string[] | "all" | "touched"
  /** With `touched`: further APIs, where the project has them (what a caller names can be checked then). */
  readonly named?: readonly string[]
  /** `named`: they are not opened, and `documentFile` alone says where they are. Default: `read`. */
  readonly documents?: DocumentWish
  /** What was read before: files that hold the same text are not parsed and checked again. */
  readonly previous?: Project | undefined
}

/**
 * Problems of files are in what they belong to; those of the project are about names and folders. Throws `project-missing`,
 * `workflow-unknown`, `api-unknown`, and `file-unreadable` or `link-outside` if `apis/` can't be read at all.
 */
export function readProject(root: string, request: ReadRequest): Project {
  const project = openProject(root)
  const problems: Problem[] = []
  const apiNames = listApiNames(project, problems)
  const workflowFiles = listWorkflows(project, problems)
  const workflows = new Map<string, WorkflowFile>()
  const scriptNames = new Map<string, readonly string[]>()
  const wanted = request.workflows === "all" ? workflowFiles.keys() : request.workflows
  const mayHaveScripts = createScriptsFilter(project, request)
  for (const name of wanted) {
    const entry = workflowFiles.get(name)
    if (entry === undefined) throw unknownName("workflow", name, workflowFiles.keys())
    const scripts = mayHaveScripts(name) ? listScripts(project, name) : { names: [], problems: [] }
    const workflow = readWorkflow(name, entry, request.previous?.workflows.get(name))
    const hasProblems = scripts.problems.length > 0
    workflows.set(
      name,
      hasProblems ? { ...workflow, problems: [...workflow.problems, ...scripts.problems] } : workflow,
    )
    scriptNames.set(name, scripts.names)
  }
  const apis = new Map<string, Api>()
  for (const name of wantedApis(request, apiNames, workflows)) apis.set(name, readApi(project, name, request))
  const workflowNames = [...workflowFiles.keys()]
  return { root: project.root, apiNames, workflowNames, apis, workflows, scriptNames, problems }
}

/** Most of many workflows have no scripts: one look at the folder of all spares one at each. */
function createScriptsFilter(project: ProjectFolder, { workflows }: ReadRequest): (name: string) => boolean {
  if (workflows !== "all") return () => true
  const { entries, problem } = listFolder(project, "apis/workflow/scripts")
  if (problem !== undefined) return () => true
  const keys = new Set(entries.map(({ name }) => nameKey(name)))
  return (name) => keys.has(nameKey(name))
}

/** Opens the folder of a project; throws `project-missing` where `root` holds no `apis/`. */
export function openProject(root: string): ProjectFolder {
  try {
    return openProjectFolder(root)
  } catch (error) {
    throw new CallsheetError("project-missing", `there is no project at ${JSON.stringify(root)}`, {
      cause: error,
    })
  }
}

function wantedApis(
  request: ReadRequest,
  known: readonly string[],
  workflows: ReadonlyMap<string, WorkflowFile>,
): readonly string[] {
  if (request.apis === "all") return known
  if (request.apis === "touched") {
    const touched = new Set<string>(request.named ?? [])
    for (const { readable } of workflows.values()) {
      for (const api of touchedApis(readable?.workflow.blocks ?? [])) touched.add(api)
    }
    return known.filter((name) => touched.has(name))
  }
  for (const name of request.apis) if (!known.includes(name)) throw unknownName("API", name, known)
  return request.apis
}

export const unknownName = (
  what: "workflow" | "API",
  name: string,
  known: Iterable<string>,
): CallsheetError =>
  new CallsheetError(
    what === "API" ? "api-unknown" : "workflow-unknown",
    `there is no ${what} ${JSON.stringify(name)}`,
    { hint: nameHint("the project has", name, [...known]) },
  )

/** The closest name, or else the first of all that `owner` ("the project has") has. */
export const nameHint = (owner: string, name: string, known: readonly string[]): string =>
  suggest(name, known) ?? `${owner} ${known.length === 0 ? "none" : known.slice(0, 20).join(", ")}`

export function listApiNames(project: ProjectFolder, problems: Problem[] = []): readonly string[] {
  const { entries, problem } = listFolder(project, "apis")
  if (problem !== undefined) throw new CallsheetError(problem.code, problem.message, { problems: [problem] })
  const names: string[] = []
  for (const { name, file, kind } of entries) {
    if (name === "workflow" || (kind !== "folder" && kind !== "outside")) continue
    if (isApiName(name)) names.push(name)
    else {
      problems.push({
        code: "api-name",
        severity: "error",
        file,
        message: `${JSON.stringify(name)} cannot be the name of an API`,
        hint: 'lower-case letters, digits, "_" and "-", the first a letter or digit; no name of a Windows device',
      })
    }
  }
  return names
}

export function listWorkflows(project: ProjectFolder, problems: Problem[] = []): ReadonlyMap<string, Entry> {
  const { entries, problem } = listFolder(project, "apis/workflow")
  if (problem !== undefined) problems.push(problem)
  const workflows = new Map<string, Entry>()
  const byLowerCase = new Map<string, string>()
  for (const entry of entries) {
    if (!entry.name.endsWith(".json")) continue
    const name = entry.name.slice(0, -".json".length)
    const twin = byLowerCase.get(name.toLowerCase())
    const message = !isWorkflowName(name)
      ? `${JSON.stringify(name)} cannot be the name of a workflow`
      : twin === undefined
        ? undefined
        : `the workflows "${twin}" and "${name}" differ in upper and lower case alone`
    if (message !== undefined) {
      const hint = twin === undefined ? hints.name : hints.twin
      problems.push({ code: "workflow-name", severity: "error", file: entry.file, message, hint })
    }
    if (!isWorkflowName(name)) continue
    byLowerCase.set(name.toLowerCase(), name)
    workflows.set(name, entry)
  }
  return workflows
}

/** The names of a workflow's scripts without `.ts`, sorted: `pay`, `checks/total`. The workflow itself need not be there. */
export const listScriptNames = (root: string, workflow: string): readonly string[] =>
  listScripts(openProject(root), workflow).names
