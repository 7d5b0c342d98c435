// Reads only the used parts of a large file. A store keeps the file's outline between processes.

import {
  type JsonOutline,
  type JsonValue,
  outlinedPart,
  outlineJson,
  parseJson,
  partOf,
  type SourceFile,
  stringifyJson,
} from "@callsheet/format"
import { marksOfOutline, outlineOptions } from "./marks.ts"
import { isYaml, type Unreadable } from "./read-text-file.ts"

export interface StoredOutline {
  readonly outline: JsonOutline
  /** The JSON of a YAML file in UTF-8, to which the outline refers. Absent for a JSON file. */
  readonly json?: Uint8Array
}

export interface OutlineKey {
  readonly bytes: Uint8Array
  readonly dialect: "json" | "yaml"
}

/** Keeps outlines between processes. Never fails: callers rebuild an outline that is missing or damaged. */
export interface OutlineStore {
  readonly read: (key: OutlineKey) => StoredOutline | undefined
  readonly write: (key: OutlineKey, kept: StoredOutline) => void
}

/**
 * The minimum size in bytes: an outline doesn't speed up smaller files. YAML has no minimum, because parsing it is
 * slow.
 */
const MIN_BYTES = 256 * 1024

/** Returns a file as a part. Undefined if the file is small, broken, or YAML that the store doesn't have yet. */
export function readInParts(source: SourceFile, store: OutlineStore) {
  const { bytes } = source
  if (bytes === undefined) return undefined
  const kept = isYaml(source) ? store.read({ bytes, dialect: "yaml" }) : outlineOf(bytes, store)
  if (kept === undefined) return undefined
  const { outline, json = bytes } = kept
  return { part: outlinedPart(json, outline), hasMark: marksOfOutline(outline.seen) }
}

/** Matches anchors in YAML, and a few other texts. */
const anchor = /(?:^|[\s:,[{])&\S/

/** Returns a stored YAML file as a whole value, which is faster than parts for a caller that visits all of it. */
export function readStoredYaml(source: SourceFile, store: OutlineStore) {
  const { bytes, text } = source
  // The JSON repeats the value of an anchor, so problems in it would be reported repeatedly.
  if (bytes === undefined || !isYaml(source) || anchor.test(text)) return undefined
  const kept = store.read({ bytes, dialect: "yaml" })
  if (kept?.json === undefined) return undefined
  const parsed = parseJson(new TextDecoder().decode(kept.json), { allowDuplicateKeys: true })
  return parsed.ok ? { part: partOf(parsed.value), hasMark: marksOfOutline(kept.outline.seen) } : undefined
}

function outlineOf(bytes: Uint8Array, store: OutlineStore): StoredOutline | undefined {
  if (bytes.length < MIN_BYTES) return undefined
  const key = { bytes, dialect: "json" } as const
  const kept = store.read(key)
  if (kept !== undefined) return kept
  const outline = outlineJson(bytes, outlineOptions)
  if (outline === undefined) return undefined
  store.write(key, { outline })
  return { outline }
}

export const keepingYaml =
  <R extends { readonly ok: true; readonly value: JsonValue } | Unreadable>(
    read: (source: SourceFile) => R,
    store: OutlineStore | undefined,
  ) =>
  (source: SourceFile): R => {
    const result = read(source)
    if (result.ok && store !== undefined && isYaml(source)) keepYaml(source, result.value, store)
    return result
  }

function keepYaml({ bytes, text }: SourceFile, value: JsonValue, store: OutlineStore): void {
  // JSON can't represent infinities or NaN.
  if (bytes === undefined || /\.(?:inf|nan)/i.test(text)) return
  const json = new TextEncoder().encode(stringifyJson(value))
  const outline = outlineJson(json, outlineOptions)
  if (outline !== undefined) store.write({ bytes, dialect: "yaml" }, { outline, json })
}
