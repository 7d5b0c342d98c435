// An OpenAPI document as a value: its own file, and the others that its references lead to.

import type { JsonObject, JsonPart } from "@callsheet/format"
import { type DocumentFile, type OpenOther, type OpenedFile, refuseFile } from "./document-files.ts"
import { readPartName } from "./located.ts"

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
  readonly openOther?: OpenOther | undefined
  /** Whether one of the other files may mark a value as secret; absent where that is not known. */
  readonly othersMarkSecrets?: boolean | undefined
}

/** A file of the document by its path from the project root; the document's own is open already. */
export function openFile(document: OpenApiDocument, file: string): OpenedFile {
  if (file === document.source.file) return { ok: true, file: document }
  return document.openOther?.(file) ?? refuseFile("other files cannot be read here")
}

/** A place in a file of the document, be anything there or not. */
export interface OpenPlace {
  readonly file: DocumentFile
  readonly pointer: string
}

/** The place of a part by its name; undefined if its file cannot be read. */
export function openPlace(document: OpenApiDocument, name: string): OpenPlace | undefined {
  const { file = document.source.file, pointer } = readPartName(name)
  const opened = openFile(document, file)
  return opened.ok ? { file: opened.file, pointer } : undefined
}
