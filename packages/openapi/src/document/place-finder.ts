// Finds the location of a part in the document's files, on demand.

import {
  createJsonLocator,
  createLineFinder,
  getOrCreate,
  jsonRangeAt,
  type JsonPointer,
} from "@callsheet/format"
import type { DocumentFile } from "./document-files.ts"
import { type OpenApiDocument, type OpenPlace, openPlace } from "./document.ts"
import { pointerSteps, valueAt } from "./located.ts"
import { createTextReader, isYaml } from "./read-text-file.ts"

/** Finds a part's location by its name (`Part.pointer`). A missing part has the location of its container. */
export type PlaceFinder = ReturnType<typeof createPlaceFinder>

/** With `isRare`, keeps no index of a JSON text, which would need four times its memory. Each search reads the text. */
export function createPlaceFinder(document: OpenApiDocument, { isRare = false } = {}) {
  const lines = new Map<DocumentFile, Promise<LineFinder>>()
  const find = async (name: string) => {
    const place = openPlace(document, name)
    if (place === undefined) return undefined
    const { root, source } = place.file
    const lineOf = await getOrCreate(lines, place.file, (file) => createLineOf(file, isRare))
    const schema = existing(place)
    return { schema, file: source.file, line: lineOf(pointerSteps(root, schema)) }
  }
  const places = new Map<string, ReturnType<typeof find>>()
  return (name: string) => getOrCreate(places, name, find)
}

function existing({ file, pointer }: OpenPlace): string {
  let here = pointer
  while (here !== "" && valueAt(file.root, here) === undefined) here = here.slice(0, here.lastIndexOf("/"))
  return here
}

type LineFinder = (pointer: JsonPointer) => number

async function createLineOf({ source }: DocumentFile, isRare: boolean): Promise<LineFinder> {
  const lineColumn = createLineFinder(source.text)
  if (!isYaml(source)) {
    if (isRare) return (pointer) => lineColumn(jsonRangeAt(source.text, pointer)?.from ?? 0).line
    const locate = createJsonLocator(source.text)
    return (pointer) => lineColumn(locate(pointer, "key")).line
  }
  const parsed = (await createTextReader(true))(source)
  return (pointer) => (parsed.ok ? lineColumn(parsed.locate(pointer)).line : 1)
}
