// Joins the files of a split document into one.

import {
  isJsonArray,
  isJsonObject,
  type Finding,
  type JsonObject,
  type JsonValue,
  setOwn,
} from "@callsheet/format"
import { readTarget } from "./document-files.ts"
import { openFile, type OpenApiDocument } from "./document.ts"
import { findReferences, isMappedReference, type References } from "./find-references.ts"

/** The root member that holds the other files. The tools that read a document ignore unknown names that start with `x-`. */
const HOLDER = "x-files"

type Bundled =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: Finding }

/**
 * Joins the files of a document: each becomes a member of the root, and references point there. Undefined if the document
 * is a single file. Fails if a referenced file can't be read.
 */
export function bundleDocument(document: OpenApiDocument): Bundled | undefined {
  const keys = new Map<string, string>()
  const queue: string[] = []
  const rewrite = (file: string) => (reference: string) => {
    const target = readTarget(reference, file)
    // A URL is resolved by `$id`, or is broken before and after.
    if (!target.ok) return reference
    if (target.file === document.source.file) return `#${target.fragment}`
    const key = keys.get(target.file) ?? `file${keys.size + 1}`
    if (!keys.has(target.file)) {
      keys.set(target.file, key)
      queue.push(target.file)
    }
    return join(key, target.fragment)
  }
  const references = findReferences(document)
  const rewriteIn = (value: JsonValue, file: string): JsonValue =>
    rewriteReferences(value, references, rewrite(file))
  const root = rewriteIn(document.root, document.source.file) as JsonObject
  const files: Record<string, JsonValue> = {}
  // This loop also visits the files that it adds.
  for (const file of queue) {
    const opened = openFile(document, file)
    if (!opened.ok) return { ok: false, problem: opened.problem }
    setOwn(files, keys.get(file) ?? "", rewriteIn(opened.file.root, file))
  }
  return queue.length === 0 ? undefined : { ok: true, value: { ...root, [HOLDER]: files } }
}

const join = (key: string, fragment: string): string => `#/${HOLDER}/${key}${fragment}`

function rewriteReferences(
  value: JsonValue,
  references: References,
  rewrite: (reference: string) => string,
): JsonValue {
  if (isJsonArray(value)) return value.map((item) => rewriteReferences(item, references, rewrite))
  if (!isJsonObject(value)) return value
  const isHolder = references.holders.has(value)
  const isMapping = references.mappings.has(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isReference =
        typeof inner === "string" && ((isHolder && key === "$ref") || (isMapping && isMappedReference(inner)))
      return [key, isReference ? rewrite(inner) : rewriteReferences(inner, references, rewrite)]
    }),
  )
}
