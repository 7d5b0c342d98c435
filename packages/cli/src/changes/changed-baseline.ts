// Finds the workflows that reach a changed entry of the baseline.

import {
  checkBaseline,
  getOrCreate,
  hasResponse,
  stringifyJson,
  walkBlocks,
  type BaselineEntry,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import { sentOperations } from "@callsheet/language"
import { readDocument } from "@callsheet/openapi"

/** Returns whether a workflow sends an operation of a changed entry. Undefined if one of the files can't be read. */
export async function reachesChanges(
  before: SourceFile | undefined,
  { baselineFile, apis, workflows }: Project,
): Promise<((workflow: string) => boolean) | undefined> {
  const [old, current] = [entriesOf(before), entriesOf(baselineFile)]
  if (old === undefined || current === undefined) return undefined
  const changed = new Map<string, Set<string>>()
  for (const [text, { api, operation }] of [...old, ...current])
    if (!old.has(text) || !current.has(text))
      getOrCreate(changed, api, () => new Set<string>()).add(operation)
  const sources = [...apis.values()].filter(({ name }) => changed.has(name))
  const documents = await Promise.all(
    sources.map(async (api) => ({
      api,
      document: api.document && (await readDocument(api.document, { readFile: api.readFile })).document,
    })),
  )
  return (workflow) => {
    const blocks = workflows.get(workflow)?.workflow?.blocks ?? []
    return documents.some((source) => {
      const isUsed = [...walkBlocks(blocks)].some(
        ({ block }) => hasResponse(block) && block.request.api === source.api.name,
      )
      const sent = sentOperations(source, blocks)
      return isUsed && [...(changed.get(source.api.name) ?? [])].some((one) => sent?.has(one) ?? true)
    })
  }
}

/** Returns the entries by their text. A file that doesn't exist has none. */
function entriesOf(file: SourceFile | undefined): ReadonlyMap<string, BaselineEntry> | undefined {
  if (file === undefined) return new Map()
  const { entries } = checkBaseline(file)
  return entries && new Map(entries.map((entry) => [stringifyJson({ ...entry }), entry]))
}
