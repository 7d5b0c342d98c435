// Finds what the changes of each document mean for the project.

import { join } from "node:path"
import { callsScripts, type Project, type SourceFile } from "@callsheet/format"
import {
  assessChanges,
  collectInputValues,
  type ImpactClass,
  type ImpactUse,
  type ScriptsOf,
} from "@callsheet/language"
import { compareDocuments, createPlaceFinder, type Change, type OpenApiDocument } from "@callsheet/openapi"
import { findScriptFiles } from "../runs/script-files.ts"
import type { Version } from "./read-versions.ts"

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

export interface ComparedVersion extends Version {
  readonly changes: readonly Change[]
}

/** Finds the changes of a document. For an API that is new or gone, its operations were added or removed. */
export function compareVersion(version: Version): ComparedVersion {
  const { before, after } = version
  const [old, current] = [before ?? (after && withoutPaths(after)), after ?? (before && withoutPaths(before))]
  const changes = old === undefined || current === undefined ? [] : compareDocuments(old, current)
  return { ...version, changes }
}

const withoutPaths = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  root: { ...document.root, paths: {} },
  part: undefined,
})

/** Decides which workflows of the project the changes break. */
export async function assessVersions(
  project: Project,
  versions: readonly ComparedVersion[],
): Promise<readonly ApiChange[]> {
  const scriptsOf = await readScripts(project)
  const valuesOf = collectInputValues(project, await readDataRows(project))
  const changes: ApiChange[] = []
  for (const { api, before, after, changes: found } of versions) {
    const places = {
      before: await placesIn(before, found, "before"),
      after: await placesIn(after, found, "after"),
    }
    const impacts = assessChanges({
      workflows: project.workflows.values(),
      versions: { before: { api, document: before }, after: { api, document: after } },
      changes: found,
      scriptsOf,
      valuesOf,
    })
    for (const { change, class: is, uses } of impacts) {
      const [old, current] = [places.before.get(change.before), places.after.get(change.after)]
      changes.push({ api: api.name, change, class: is, before: old, after: current, uses })
    }
  }
  return changes
}

/** Returns the places of the changes in one of the documents, by pointer. */
async function placesIn(
  document: OpenApiDocument | undefined,
  changes: readonly Change[],
  side: "before" | "after",
): Promise<ReadonlyMap<string | undefined, DocumentPlace>> {
  const places = new Map<string | undefined, DocumentPlace>()
  if (document === undefined) return places
  const find = createPlaceFinder(document)
  for (const pointer of new Set(changes.map((change) => change[side]))) {
    const place = pointer === undefined ? undefined : await find(pointer)
    if (place !== undefined) places.set(pointer, { file: place.file, line: place.line })
  }
  return places
}

async function readDataRows(project: Project) {
  if (Object.keys(project.settingsFile?.settings?.suites ?? {}).length === 0) return []
  return (await import("./data-rows.ts")).readDataRows(project)
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
