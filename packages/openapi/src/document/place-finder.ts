// Where in the document's files a part stands that a problem speaks of: found when one is told, never before.

import { createJsonLocator, createLineFinder, getOrCreate, type JsonPointer } from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import { type OpenApiDocument, openFile } from "./document.ts"
import { pointerSteps, readPartName, valueAt } from "./located.ts"
import { createTextReader, isYaml } from "./read-text-file.ts"

interface DocumentPlace {
  readonly schema: string
  readonly file: string
  readonly line: number
}

/** Finds the place of a part by its name, as `Part` has it; of what is not there, that of what would hold it. */
export type PlaceFinder = (name: string) => Promise<DocumentPlace | undefined>

export function createPlaceFinder(document: OpenApiDocument): PlaceFinder {
  const places = new Map<string, Promise<DocumentPlace | undefined>>()
  const lines = new Map<string, Promise<LineFinder>>()
  const find = async (name: string): Promise<DocumentPlace | undefined> => {
    const { file = document.source.file, pointer } = readPartName(name)
    const opened = openFile(document, file)
    if (!opened.ok) return undefined
    const lineOf = await getOrCreate(lines, file, () => createLineOf(opened.file))
    const schema = existing(opened.file, pointer)
    return { schema, file, line: lineOf(pointerSteps(opened.file.root, schema)) }
  }
  return (name) => getOrCreate(places, name, find)
}

function existing({ root }: DocumentFile, pointer: string): string {
  let here = pointer
  while (here !== "" && valueAt(root, here) === undefined) here = here.slice(0, here.lastIndexOf("/"))
  return here
}

type LineFinder = (pointer: JsonPointer) => number

async function createLineOf({ source }: DocumentFile): Promise<LineFinder> {
  const lineColumn = createLineFinder(source.text)
  if (!isYaml(source)) {
    const locate = createJsonLocator(source.text)
    return (pointer) => lineColumn(locate(pointer, "key")).line
  }
  const parsed = (await createTextReader(true))(source)
  return (pointer) => (parsed.ok ? lineColumn(parsed.locate(pointer)).line : 1)
}
