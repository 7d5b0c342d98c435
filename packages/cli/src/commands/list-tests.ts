// What `callsheet list tests` prints: each workflow with its blocks, and each suite with its entries, with their lines.

import {
  createJsonLocator,
  createLineFinder,
  soundSettings,
  walkBlocks,
  type JsonPointer,
  type Problem,
  type Project,
  type SourceFile,
  type Workflow,
  type WorkflowFile,
} from "@callsheet/format"
import { findHelpers, suiteIn, type SuiteEntry } from "@callsheet/language"
import { readProject } from "@callsheet/project"

/** Returns what an editor shows in its list of tests. Files with problems have fewer blocks, or none. */
export async function listTests(
  root: string,
  problems: Problem[],
): Promise<readonly { readonly file?: string | undefined }[]> {
  const project = readProject(root, { workflows: "all", apis: [] })
  problems.push(...project.problems)
  const { settingsFile } = project
  const { settings } = (settingsFile && soundSettings(settingsFile)) ?? {}
  const helpers = findHelpers(settings ?? {}, project.workflowNames)
  const workflows = [...project.workflows.values()].map((file) => ({
    workflow: file.name,
    file: file.file,
    // Only true is worth a member.
    isHelper: helpers.has(file.name) || undefined,
    blocks: blocksIn(file),
  }))
  const suites = []
  const sound = { ...project, settingsFile: settingsFile && { ...settingsFile, settings } }
  for (const name of Object.keys(settings?.suites ?? {})) suites.push(await describeSuite(sound, name))
  return [...workflows, ...suites]
}

/** Returns a function that finds the line and column of a key or value. */
function createPlacer({ text }: SourceFile) {
  const locate = createJsonLocator(text)
  const lineColumn = createLineFinder(text)
  return (pointer: JsonPointer) => lineColumn(locate(pointer, "value"))
}

const readablePart = (file: WorkflowFile | undefined): Workflow | undefined =>
  file?.workflow ?? file?.readable?.workflow

/** Lists blocks one after the other, because their nesting has no limit. `in` is the id of the block around one. */
function blocksIn(file: WorkflowFile) {
  const placeOf = createPlacer(file)
  const ids = new Map<string, string>()
  return [...walkBlocks(readablePart(file)?.blocks ?? [])].map(
    ({ block: { id, type, description }, pointer: find }) => {
      const pointer = find()
      ids.set(pointer.join("/"), id)
      return {
        id,
        type,
        description,
        in: ids.get(pointer.slice(0, -2).join("/")),
        ...placeOf([...pointer, "id"]),
      }
    },
  )
}

async function describeSuite(project: Project, name: string) {
  const { settingsFile } = project
  // A project without the file has no suites.
  if (settingsFile === undefined) throw new Error("a suite has no file")
  const placeOf = createPlacer(settingsFile)
  const { suite } = suiteIn(project, name)
  const entries = []
  for (const role of ["before", "main", "finally"] as const)
    for (const entry of suite[role])
      entries.push({
        name: entry.name,
        workflow: entry.workflow,
        role,
        rows: await countRows(project, entry),
        ...placeOf(entry.pointer),
      })
  return { suite: name, file: settingsFile.file, ...placeOf(["suites", name]), entries }
}

/** Returns how many rows an entry runs with. Undefined if it has no data file, or one with problems. */
async function countRows(
  { workflows, root }: Project,
  { workflow, data, inputs }: SuiteEntry,
): Promise<number | undefined> {
  if (data === undefined) return undefined
  const { openRows } = await import("../session/open-rows.ts")
  const declarations = readablePart(workflows.get(workflow))?.inputs ?? {}
  const { count, problems } = await openRows(root, { path: data }).check({
    declarations,
    given: new Set(Object.keys(inputs)),
  })
  return problems.length > 0 ? undefined : count
}
