// An OpenAPI document as a value: its own file and the files that it references.

import type { JsonObject, JsonPart } from "@callsheet/format"
import { type DocumentFile, type OpenOther, type OpenedFile, refuseFile } from "./document-files.ts"
import { readPartName } from "./located.ts"
import { messages } from "./messages.ts"

export type OpenApiVersion = "2.0" | "3.0" | "3.1" | "3.2"

/** Returns true for versions before 3.1, whose schemas aren't JSON Schema. */
export const isOldDialect = ({ version }: Pick<OpenApiDocument, "version">): boolean =>
  version === "2.0" || version === "3.0"

export interface OpenApiDocument extends DocumentFile {
  readonly version: OpenApiVersion
  /** The root object as written. Use `member` to read it, because a key may be named `__proto__`. */
  readonly root: JsonObject
  readonly part?: JsonPart | undefined
  /** Opens the files that the document references. Absent if no other file can be read. */
  readonly openOther?: OpenOther | undefined
  /** True if another file may mark a value as secret. Absent if no check was made. */
  readonly othersMarkSecrets?: boolean | undefined
}

/** Opens a file of the document by its path from the project root. The document's own file is already open. */
export function openFile(document: OpenApiDocument, file: string): OpenedFile {
  if (file === document.source.file) return { ok: true, file: document }
  return document.openOther?.(file) ?? refuseFile(messages["document-invalid"].noOtherFiles())
}

/** A position in a file of the document. A value need not exist there. */
export interface OpenPlace {
  readonly file: DocumentFile
  readonly pointer: string
}

/** Opens the location of a part by its name. Undefined if its file can't be read. */
export function openPlace(document: OpenApiDocument, name: string): OpenPlace | undefined {
  const { file = document.source.file, pointer } = readPartName(name)
  const opened = openFile(document, file)
  return opened.ok ? { file: opened.file, pointer } : undefined
}
