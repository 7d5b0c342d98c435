// Finds snapshots that are broken, and those that no request block uses any more, for `validate`.

import {
  entryOfFolder,
  escapePattern,
  getOrCreate,
  hasResponse,
  idOfFile,
  soundSettings,
  toProblem,
  walkBlocks,
  type EntryList,
  type Problem,
  type Project,
} from "@callsheet/format"
import { readSnapshots } from "@callsheet/project"
import { messages } from "../messages.ts"

/** Returns the problems of the snapshots that belong to workflows of the project. `isWhole` is true if it has them all. */
export function checkSnapshots(project: Project, isWhole: boolean): readonly Problem[] {
  const workflowsOf = createEntryFinder(project)
  const isRead = (folder: string): boolean =>
    isWhole || [...workflowsOf(entryOfFolder(folder))].some((name) => project.workflows.has(name))
  const { files, problems } = readSnapshots(project.root, isRead)
  const unused = [...files.keys()].flatMap((file) => {
    const finding = checkUse(file, project, workflowsOf)
    return finding === undefined ? [] : [toProblem(finding, file)]
  })
  return [...problems, ...unused]
}

type FindWorkflows = (entry: string) => ReadonlySet<string>

function checkUse(file: string, project: Project, workflowsOf: FindWorkflows) {
  const [, folder = "", name = ""] = file.split("/")
  const entry = entryOfFolder(folder)
  const workflows = [...workflowsOf(entry)]
  const { noEntry, noBlock } = messages["snapshot-unused"]
  if (workflows.length === 0) return hasUnknownEntries(project) ? undefined : noEntry(entry)
  const id = idOfFile(name)
  if (id === undefined) return undefined
  // A workflow that can't be read may have the block.
  const isUsed = workflows.some((workflow) => idsOf(project, workflow)?.test(id) ?? true)
  return isUsed ? undefined : noBlock(id, workflows)
}

/** Returns whether suites may have entries that nobody can read. */
const hasUnknownEntries = ({ settingsFile }: Project): boolean =>
  settingsFile !== undefined && settingsFile.settings === undefined

/** Returns a pattern of the ids of request blocks. Undefined if the workflow can't be read. */
function idsOf({ workflows }: Project, name: string): RegExp | undefined {
  const blocks = workflows.get(name)?.workflow?.blocks
  if (blocks === undefined) return undefined
  const ids = [...walkBlocks(blocks)].flatMap(({ block }) =>
    hasResponse(block) ? [patternOf(block.id)] : [],
  )
  return new RegExp(`^(?:${ids.join("|")})$`, "u")
}

/** A placeholder may have any value. */
const patternOf = (id: string): string =>
  id
    .split(/\{\{.*?\}\}/u)
    .map(escapePattern)
    .join(".*")

/** Returns a function that finds the workflows that run under the name of an entry. */
function createEntryFinder({ workflowNames, settingsFile }: Project): FindWorkflows {
  const found = new Map<string, Set<string>>()
  const add = (name: string, workflow: string) =>
    getOrCreate(found, name, () => new Set<string>()).add(workflow)
  for (const name of workflowNames) add(name, name)
  const visit = (entries: EntryList = []): void => {
    for (const entry of entries) {
      if (typeof entry === "string") continue
      if (entry.as !== undefined) add(entry.as, entry.workflow)
      visit(entry.finally)
    }
  }
  const suites = (settingsFile && soundSettings(settingsFile))?.settings.suites ?? {}
  for (const { before, workflows, finally: last } of Object.values(suites))
    for (const entries of [before, workflows, last]) visit(entries)
  return (entry) => found.get(entry) ?? nothing
}

const nothing: ReadonlySet<string> = new Set()

/** Returns the workflows whose snapshots are in the directory of a file. */
export function workflowsOfSnapshot(project: Project, file: string): ReadonlySet<string> {
  const [, folder = ""] = file.split("/")
  return createEntryFinder(project)(entryOfFolder(folder))
}
