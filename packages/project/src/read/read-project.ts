// Reads the requested parts of a project. Synchronous, because a run can't start anything before it has the project.

import {
  apisOfFile,
  BASELINE_FILE,
  CallsheetError,
  type EnvironmentFiles,
  checkProjectFile,
  checkWorkflow,
  formatMessages,
  INBOX,
  isApiName,
  isWorkflowName,
  nameKey,
  PROJECT_FILE,
  readsInbox,
  scriptReadsInbox,
  toProblem,
  type Api,
  type BaselineFile,
  type Problem,
  type Project,
  type SettingsFile,
  type WorkflowFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { checkDocumentFolders } from "./document-folders.ts"
import {
  checkKind,
  createNameCheck,
  isInFolder,
  listFolder,
  openProjectFolder,
  readText,
  rootEntry,
  type Entry,
  type Listing,
  type ProjectFolder,
  type UnsavedTexts,
} from "./project-folder.ts"
import { readApi, readEnvironments, type DocumentMode } from "./read-api.ts"

export interface ReadRequest {
  readonly workflows: readonly string[] | "all"
  readonly apis: readonly string[] | "all" | "touched"
  /** Names more APIs for a read that is limited by `touched`, so that names from the caller can be checked. */
  readonly named?: readonly string[]
  /** By default `read`. `named` only sets `documentFile` and doesn't open documents. */
  readonly documents?: DocumentMode
  /** The result of an earlier read. Files with the same text aren't parsed again. */
  readonly previous?: Project | undefined
  /** Texts that replace those on disk. */
  readonly unsaved?: UnsavedTexts | undefined
}

/** Reads a project. Throws `project-missing`, `workflow-unknown`, `api-unknown`, `file-unreadable` and `link-outside`. */
export function readProject(root: string, request: ReadRequest): Project {
  const project = openProject(root, request.unsaved)
  const problems: Problem[] = []
  const apiNames = listApiNames(project, problems)
  const workflowFiles = listWorkflows(project, problems)
  const workflows = new Map<string, WorkflowFile>()
  const scriptNames = new Map<string, readonly string[]>()
  const wanted = request.workflows === "all" ? workflowFiles.keys() : request.workflows
  const inboxScripts = new Set<string>()
  const mayHaveScripts = createScriptsFilter(project, request)
  for (const name of wanted) {
    const entry = workflowFiles.get(name)
    if (entry === undefined)
      throw new CallsheetError(messages["workflow-unknown"].unknown(name, [...workflowFiles.keys()]))
    const scripts = mayHaveScripts(name) ? listScripts(project, name) : noScripts
    const workflow = readWorkflow(name, entry, request.previous?.workflows.get(name))
    const hasProblems = scripts.problems.length > 0
    workflows.set(
      name,
      hasProblems ? { ...workflow, problems: [...workflow.problems, ...scripts.problems] } : workflow,
    )
    scriptNames.set(name, scripts.names)
    if (apiNames.includes(INBOX) && scripts.entries.some(mentionsInbox)) inboxScripts.add(name)
  }
  const apis = new Map<string, Api>()
  for (const name of wantedApis(request, apiNames, workflows)) apis.set(name, readApi(project, name, request))
  const workflowNames = [...workflowFiles.keys()]
  const settingsFile = readSettings(project, request.previous?.settingsFile)
  const isInboxLeft = request.apis === "touched" && apiNames.includes(INBOX) && !apis.has(INBOX)
  if (isInboxLeft && (inboxScripts.size > 0 || mayReadInbox({ apis, settingsFile })))
    apis.set(INBOX, readApi(project, INBOX, request))
  const baselineFile = readBaseline(project)
  problems.push(...checkDocumentFolders(project, settingsFile))
  return {
    root: project.root,
    apiNames,
    workflowNames,
    apis,
    workflows,
    scriptNames,
    inboxScripts,
    settingsFile,
    ...(baselineFile === undefined ? {} : { baselineFile }),
    problems,
  }
}

/** Reads `callsheet.json`, if it exists. Reuses an earlier result if the text is the same. */
export function readSettings(project: ProjectFolder, previous?: SettingsFile): SettingsFile | undefined {
  const entry = rootEntry(project, PROJECT_FILE)
  if (entry === undefined) return undefined
  const read = readText(entry)
  if (!read.ok) return { file: PROJECT_FILE, text: "", problems: [read.problem] }
  // An empty text may come from an unreadable file, so don't reuse it.
  return previous !== undefined && previous.text !== "" && previous.text === read.value.text
    ? previous
    : { ...read.value, ...checkProjectFile(read.value) }
}

/** Reads the text of `callsheet.baseline.json`, if the file exists. */
export function readBaseline(project: ProjectFolder): BaselineFile | undefined {
  const entry = rootEntry(project, BASELINE_FILE)
  if (entry === undefined) return undefined
  const read = readText(entry)
  return read.ok ? read.value : { file: BASELINE_FILE, text: "", problem: read.problem }
}

/**
 * Creates a filter for workflows with scripts. Lists the parent directory once instead of one directory per workflow.
 */
function createScriptsFilter(project: ProjectFolder, { workflows }: ReadRequest): (name: string) => boolean {
  if (workflows !== "all" && workflows.length < 2) return () => true
  const { entries, problem } = listFolder(project, "apis/workflow/scripts")
  if (problem !== undefined) return () => true
  const keys = new Set(entries.map(({ name }) => nameKey(name)))
  return (name) => keys.has(nameKey(name))
}

/** Opens a project's directory. Throws `project-missing` if `root` doesn't exist. */
export function openProject(root: string, unsaved?: UnsavedTexts): ProjectFolder {
  try {
    return openProjectFolder(root, unsaved)
  } catch (error) {
    throw new CallsheetError(messages["project-missing"].missing(root), { cause: error })
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
    for (const workflow of workflows.values()) for (const api of apisOfFile(workflow)) touched.add(api)
    return known.filter((name) => touched.has(name))
  }
  for (const name of request.apis) requireApi(name, known)
  return request.apis
}

/** Returns whether a saved request or an input of a suite may read the address of the inbox. */
const mayReadInbox = ({ apis, settingsFile }: Pick<Project, "apis" | "settingsFile">): boolean =>
  readsInbox(settingsFile?.text ?? "") ||
  [...apis.values()].some(({ instances }) => [...instances.values()].some(({ text }) => readsInbox(text)))

function mentionsInbox(script: Entry): boolean {
  const read = readText(script)
  return read.ok && scriptReadsInbox(read.value.text)
}

export function requireApi(name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw new CallsheetError(formatMessages["api-unknown"].unknown(name, known))
}

export function listApiNames(project: ProjectFolder, problems: Problem[] = []): readonly string[] {
  const { entries, problem } = listFolder(project, "apis")
  if (problem !== undefined) throw new CallsheetError(problem, { problems: [problem] })
  const names: string[] = []
  for (const { name, file, kind } of entries) {
    if (name === "workflow" || (kind !== "folder" && kind !== "outside")) continue
    if (isApiName(name)) names.push(name)
    else problems.push(toProblem(messages["api-name"].invalid(name), file))
  }
  return names
}

/** Reads the environments of every API, and nothing else of the project. */
export const readEnvironmentsIn = (project: ProjectFolder): readonly EnvironmentFiles[] =>
  listApiNames(project).map((api) => readEnvironments(project, api))

export function listWorkflows(project: ProjectFolder, problems: Problem[] = []): ReadonlyMap<string, Entry> {
  const { entries, problem } = listFolder(project, "apis/workflow")
  if (problem !== undefined) problems.push(problem)
  const workflows = new Map<string, Entry>()
  const byKey = new Map<string, string>()
  for (const entry of entries) {
    if (!entry.name.endsWith(".json")) continue
    const name = entry.name.slice(0, -".json".length)
    if (!isWorkflowName(name)) {
      problems.push(toProblem(messages["workflow-name"].invalid(name), entry.file))
      continue
    }
    const twin = byKey.get(nameKey(name))
    if (twin !== undefined) problems.push(toProblem(messages["workflow-name"].twins(twin, name), entry.file))
    byKey.set(nameKey(name), name)
    workflows.set(name, entry)
  }
  return workflows
}

/** Returns the sorted names of a workflow's scripts without `.ts`: `checks/total`, `pay`. The workflow may be missing. */
export const listScriptNames = (root: string, workflow: string): readonly string[] =>
  listScripts(openProject(root), workflow).names

/** Reads and checks a workflow, whose file is `entry`. Reuses an earlier result if the text is the same. */
function readWorkflow(name: string, entry: Entry, previous?: WorkflowFile): WorkflowFile {
  const read = readText(entry)
  if (!read.ok) return { name, file: entry.file, text: "", problems: [read.problem] }
  const { file, text } = read.value
  // An empty text may come from an unreadable file, so don't reuse it.
  if (text === "" || previous?.text !== text) return { name, ...read.value, ...checkWorkflow(read.value) }
  // The scripts may be fixed by now, so drop their problems.
  const own = previous.problems.filter((problem) => problem.file === file)
  return own.length === previous.problems.length ? previous : { ...previous, problems: own }
}

interface Scripts {
  readonly names: readonly string[]
  readonly entries: readonly Entry[]
  readonly problems: readonly Problem[]
}

const noScripts: Scripts = { names: [], entries: [], problems: [] }

/** Lists the `.ts` files of a workflow's directory without opening them. Links may lead only into that directory. */
function listScripts(project: ProjectFolder, workflow: string): Scripts {
  const file = `apis/workflow/scripts/${workflow}`
  const top = listFolder(project, file)
  const scripts: Entry[] = []
  const problems: Problem[] = []
  const seen = new Set([top.realPath])
  const listings = [top]
  for (let listing = listings.pop(); listing !== undefined; listing = listings.pop()) {
    if (listing.problem !== undefined) problems.push(listing.problem)
    const checkName = createNameCheck("script-name", "a script")
    for (const entry of listing.entries) {
      if (isScriptFolder(entry)) {
        problems.push(...checkName(entry.name, entry.file))
        if (!isWithin(top, entry)) problems.push(linkedScript(entry.file))
        else if (!seen.has(entry.realPath)) listings.push(listFolder(project, entry.file))
        seen.add(entry.realPath)
      } else if (isNamedLikeScript(entry)) {
        const problem = isWithin(top, entry) ? checkKind(entry) : linkedScript(entry.file)
        problems.push(...checkName(entry.name, entry.file), ...(problem === undefined ? [] : [problem]))
        if (problem === undefined) scripts.push(entry)
      }
    }
  }
  const names = scripts.map((script) => script.file.slice(file.length + 1, -".ts".length))
  return { names: names.sort(), entries: scripts, problems }
}

// The target of a link out of the project isn't read. If the link's name has no extension, treat it as a directory.
const isScriptFolder = ({ name, kind }: Entry): boolean =>
  (kind === "folder" || (kind === "outside" && !name.includes("."))) && name !== "node_modules"

const isNamedLikeScript = ({ name }: Entry): boolean => name.endsWith(".ts") && !name.endsWith(".d.ts")

const isWithin = ({ realPath }: Listing, entry: Entry): boolean =>
  entry.kind !== "outside" && realPath !== undefined && isInFolder(realPath, entry.realPath)

const linkedScript = (file: string): Problem => toProblem(messages["link-outside"].script(), file)
