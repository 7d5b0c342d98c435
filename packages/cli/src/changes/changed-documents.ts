// Finds the operations of each API that differ between a commit and the working tree.

import { getOrCreate, type Api, type Project, type SourceFile } from "@callsheet/format"
import { sentOperations, type ApiSource } from "@callsheet/language"
import { changedOperations, readAhead, readDocument } from "@callsheet/openapi"
import type { OldFiles } from "@callsheet/server"

/** The files of each API's document, by API. */
export type DocumentParts = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the files that each document consists of, by their paths from the root. */
export const documentParts = ({ apis }: Project): DocumentParts =>
  new Map(
    [...apis.values()].map(({ name, document, readFile }) => [
      name,
      document === undefined || readFile === undefined
        ? new Set<string>()
        : readAhead(document, readFile).files,
    ]),
  )

interface ChangedDocuments {
  /** The files of the old and the new documents. */
  readonly parts: DocumentParts
  /** Returns whether the changes of an API's document concern a workflow. */
  readonly concerns: (workflow: string, api: string) => boolean
}

/** Compares the documents that one of the changed files may belong to. */
export async function compareDocuments(
  project: Project,
  old: OldFiles,
  changed: ReadonlySet<string>,
): Promise<ChangedDocuments> {
  const parts = new Map<string, ReadonlySet<string>>()
  const sources = new Map<string, ChangedSource>()
  for (const [name, own] of documentParts(project)) {
    const api = project.apis.get(name)
    const before = await old.document(name)
    const oldParts = before && (await old.reading(async () => readAhead(before, old.read).files))
    const files = new Set([...own, ...(oldParts ?? [])])
    parts.set(name, files)
    if (api === undefined || ![...files].some((file) => changed.has(file))) continue
    sources.set(name, await compareDocument(api, before, old))
  }
  const verdicts = new Map<string, boolean>()
  const concerns = (workflow: string, api: string): boolean =>
    getOrCreate(verdicts, JSON.stringify([workflow, api]), () => {
      const source = sources.get(api)
      if (source?.operations === undefined) return source !== undefined
      const sent = sentOperations(source, project.workflows.get(workflow)?.workflow?.blocks ?? [])
      return sent === undefined || [...source.operations].some((operation) => sent.has(operation))
    })
  return { parts, concerns }
}

interface ChangedSource extends ApiSource {
  /** The changed operations as `METHOD /path`. Undefined if one of the documents can't be read. */
  readonly operations: ReadonlySet<string> | undefined
}

async function compareDocument(
  api: Api,
  before: SourceFile | undefined,
  old: OldFiles,
): Promise<ChangedSource> {
  if (before === undefined || api.document === undefined) return { api, operations: undefined }
  const { document } = await readDocument(api.document, { readFile: api.readFile })
  const operations = await old.reading(async () => {
    const read = await readDocument(before, { readFile: old.read })
    if (document === undefined || read.document === undefined) return undefined
    return new Set(changedOperations(read.document, document))
  })
  return { api, document, operations }
}
