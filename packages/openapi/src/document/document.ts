// An OpenAPI document as a value, and the way along its references.

import { isJsonObject, type Finding, type JsonObject, type JsonPart, type Problem } from "@callsheet/format"
import { type DocumentFile, type DocumentFiles, type OpenedFile, refuseFile } from "./document-files.ts"
import { findByAddress, schemaNamesOf } from "./schema-names.ts"
import { type Located, namePart, type PartName, readPartName, textMember, valueAt } from "./located.ts"
import { readTarget } from "./reference-target.ts"

export type OpenApiVersion = "2.0" | "3.0" | "3.1" | "3.2"

/** Before 3.1 schemas were not those of JSON Schema: what stands beside a `$ref` is ignored, for one. */
export const isOldDialect = ({ version }: Pick<OpenApiDocument, "version">): boolean =>
  version === "2.0" || version === "3.0"

export interface OpenApiDocument extends DocumentFile {
  readonly version: OpenApiVersion
  /** The tree as written. Read through `member`: a key may be named `__proto__`. */
  readonly root: JsonObject
  readonly part?: JsonPart | undefined
  /** The other files that its references lead to; absent where none can be read. */
  readonly files?: DocumentFiles | undefined
  /** Whether one of the other files may mark a value as secret; absent where that is not known. */
  readonly othersMarkSecrets?: boolean | undefined
}

/** Follows a `$ref` that stands in the file of the part `from`: by JSON pointer, `$anchor`, `$id` (3.1), or a path to another file. */
export function resolveReference(
  document: OpenApiDocument,
  reference: string,
  from: string,
): Located | undefined {
  const found = findReferenced(document, reference, from)
  return found.ok ? found.part : undefined
}

type FoundReference =
  | { readonly ok: true; readonly part: Located }
  /** `inside`: what is wrong in the file that it leads to, if that file cannot be read. */
  | { readonly ok: false; readonly problem: Finding; readonly inside?: readonly Problem[] }

/** `resolveReference`, with the reason if it leads nowhere. */
export function findReferenced(document: OpenApiDocument, reference: string, from: string): FoundReference {
  const own = document.source.file
  const holder = readPartName(from)
  const named = findNamed(document, reference, holder)
  if (named === "missing")
    return nothingAt("the schema of that address", reference.slice(reference.indexOf("#")))
  if (named !== undefined) return { ok: true, part: named }
  const read = readTarget(reference, holder.file ?? own)
  if (!read.ok) return read
  const { file, fragment } = read
  const opened = openFile(document, file)
  if (!opened.ok) return opened
  const { root } = opened.file
  const pointer =
    fragment === "" || fragment.startsWith("/") ? fragment : schemaNamesOf(root, file).anchors.get(fragment)
  const value = pointer === undefined ? undefined : valueAt(root, pointer)
  if (pointer === undefined || value === undefined)
    return nothingAt(file === own ? "the document" : file, `#${fragment}`)
  return { ok: true, part: { value, pointer: nameIn(document, file, pointer) } }
}

const nothingAt = (where: string, place: string): FoundReference => ({
  ok: false,
  problem: { code: "document-invalid", message: `${where} has nothing at ${JSON.stringify(place)}` },
})

/** By the addresses that schemas give themselves, from 3.1 on; undefined where that says nothing of the reference. */
function findNamed(
  document: OpenApiDocument,
  reference: string,
  { file = document.source.file, pointer }: PartName,
): Located | "missing" | undefined {
  if (isOldDialect(document)) return undefined
  const opened = openFile(document, file)
  if (!opened.ok) return undefined
  const found = findByAddress(reference, { file: opened.file, pointer, main: document })
  if (found === undefined || found === "missing") return found
  return { value: found.value, pointer: nameIn(document, found.file.source.file, found.pointer) }
}

export const nameIn = (document: OpenApiDocument, file: string, pointer: string): string =>
  file === document.source.file ? pointer : namePart({ file, pointer })

/** A file of the document by its path from the project root; the document's own is open already. */
export function openFile(document: OpenApiDocument, file: string): OpenedFile {
  if (file === document.source.file) return { ok: true, file: document }
  if (document.files !== undefined) return document.files.open(file)
  return refuseFile("other files cannot be read here")
}

export function partAt(document: OpenApiDocument, name: string): Located | undefined {
  const { file = document.source.file, pointer } = readPartName(name)
  const opened = openFile(document, file)
  const value = opened.ok ? valueAt(opened.file.root, pointer) : undefined
  return value === undefined ? undefined : { value, pointer: name }
}

/** A chain of references longer than this goes in a circle. */
export const MAX_HOPS = 100

/** The part itself or, where it is a `$ref`, what stands behind it. Undefined where that is nothing, or a circle. */
export function dereference(document: OpenApiDocument, part: Located): Located | undefined {
  let here: Located | undefined = part
  for (let hop = 0; hop < MAX_HOPS && here !== undefined; hop++) {
    const reference = textMember(here.value, "$ref")
    if (reference === undefined) return here
    here = resolveReference(document, reference, here.pointer)
  }
  return undefined
}

export function dereferenceObject(document: OpenApiDocument, part: Located): LocatedObject | undefined {
  const found = dereference(document, part)
  return isJsonObject(found?.value) ? { value: found.value, pointer: found.pointer } : undefined
}

export interface LocatedObject extends Located {
  readonly value: JsonObject
}
