// Finds what the changes of each document mean for the project.

import { join } from "node:path"
import {
  CallsheetError,
  callsScripts,
  formatMessages,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import {
  assessChanges,
  collectInputValues,
  entriesIn,
  suiteIn,
  type DataRow,
  type ImpactClass,
  type ImpactUse,
  type ScriptsOf,
} from "@callsheet/language"
import { compareDocuments, createPlaceFinder, type Change, type OpenApiDocument } from "@callsheet/openapi"
import { findScriptFiles } from "@callsheet/server"
import type { CommandCall } from "../args/command.ts"
import { compareVersions, type Version } from "./read-versions.ts"

interface DocumentPlace {
  readonly file: string
  readonly line: number
}

export interface ApiChange {
  readonly api: string
  readonly change: Change
  readonly class: ImpactClass
  readonly before: DocumentPlace | undefined
  readonly after: DocumentPlace | undefined
  readonly uses: readonly ImpactUse[]
}

export interface ProjectImpact {
  readonly against: string
  readonly changes: readonly ApiChange[]
  readonly versions: readonly Version[]
}

interface ImpactRequest {
  readonly call: CommandCall
  readonly project: Project
  readonly api: string | undefined
}

/** Compares the documents of the project. Throws the problems of documents that can't be read. */
export async function assessProject(request: ImpactRequest): Promise<ProjectImpact> {
  const { project, api } = request
  const { against, results } = await compareVersions(request, (version) => ({
    version,
    changes: changesOf(version),
  }))
  if (api !== undefined && results.length === 0)
    throw new CallsheetError(formatMessages["api-unknown"].unknown(api, project.apiNames))
  const scriptsOf = await readScripts(project)
  const valuesOf = collectInputValues(project, await readDataRows(project))
  const changes: ApiChange[] = []
  for (const { version, changes: found } of results) {
    const { api: own, before, after } = version
    const locate = { before: createLocator(before), after: createLocator(after) }
    const versions = { before: { api: own, document: before }, after: { api: own, document: after } }
    const impacts = assessChanges({
      workflows: project.workflows.values(),
      versions,
      changes: found,
      scriptsOf,
      valuesOf,
    })
    for (const { change, class: is, uses } of impacts) {
      const places = { before: await locate.before(change.before), after: await locate.after(change.after) }
      changes.push({ api: own.name, change, class: is, ...places, uses })
    }
  }
  return { against, changes, versions: results.map(({ version }) => version) }
}

/** Returns the changes. For an API that is new or gone, its operations were added or removed. */
function changesOf({ before, after }: Version): readonly Change[] {
  const [old, current] = [before ?? (after && withoutPaths(after)), after ?? (before && withoutPaths(before))]
  return old === undefined || current === undefined ? [] : compareDocuments(old, current)
}

const withoutPaths = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  root: { ...document.root, paths: {} },
  part: undefined,
})

function createLocator(document: OpenApiDocument | undefined) {
  const find = document && createPlaceFinder(document)
  return async (pointer: string | undefined): Promise<DocumentPlace | undefined> => {
    const place = pointer === undefined ? undefined : await find?.(pointer)
    return place && { file: place.file, line: place.line }
  }
}

/** The maximum number of rows of a file to look at. */
const MAX_ROWS = 10_000

/** Reads the data files of suites. Rows with problems, which `validate` reports, are left out. */
async function readDataRows(project: Project): Promise<readonly DataRow[]> {
  const { settingsFile, workflows, root } = project
  const rows: DataRow[] = []
  for (const name of Object.keys(settingsFile?.settings?.suites ?? {}))
    for (const { workflow, data, inputs } of entriesIn(suiteIn(project, name).suite)) {
      const declarations = workflows.get(workflow)?.workflow?.inputs ?? {}
      if (data === undefined) continue
      const { openRows } = await import("../session/open-rows.ts")
      let count = 0
      for await (const item of openRows(root, { path: data }).rows({
        declarations,
        given: new Set(Object.keys(inputs)),
      })) {
        if (!item.ok || count++ === MAX_ROWS) break
        rows.push({
          workflow,
          file: data,
          place: item.place?.() ?? { line: 1, column: 1 },
          inputs: item.row.inputs,
        })
      }
    }
  return rows
}

async function readScripts(project: Project): Promise<ScriptsOf> {
  const scripts = new Map<string, readonly SourceFile[]>()
  for (const [name, file] of project.workflows) {
    if (!callsScripts(file.workflow?.blocks ?? [])) continue
    const { files, contents } = await findScriptFiles({ ...project, workflows: new Map([[name, file]]) })
    const textOf = (path: string): string =>
      new TextDecoder().decode(contents.get(join(project.root, path)) ?? new Uint8Array())
    scripts.set(
      name,
      files.map(({ path }) => ({ file: path, text: textOf(path) })),
    )
  }
  return (workflow) => scripts.get(workflow) ?? []
}
