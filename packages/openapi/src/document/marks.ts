// Finds marks: features that may occur anywhere in a file and need extra work. Doesn't walk the file.

import { getOrCreate, type SourceFile, type WatchedMember } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"

export type Mark =
  | "leadsElsewhere"
  /** An object in the file gives itself an address with `$id` or `$self`. */
  | "givesAddresses"
  | "hasDynamicAnchors"
  | "marksSecrets"

export type HasMark = (mark: Mark) => boolean

const watched: readonly (WatchedMember & { readonly mark: Mark })[] = [
  { mark: "leadsElsewhere", key: "$ref", starts: `"`, unless: `"#` },
  { mark: "givesAddresses", key: "$id", starts: `"` },
  { mark: "givesAddresses", key: "$self", starts: `"` },
  { mark: "hasDynamicAnchors", key: "$dynamicAnchor", starts: `"` },
  { mark: "marksSecrets", key: "format", starts: `"password"` },
  { mark: "marksSecrets", key: "writeOnly", starts: "true" },
]

/** Options of every outline. A depth of 4 includes the members of operations (`/paths/<path>/<method>/<member>`). */
export const outlineOptions = { depth: 4, watched } as const

export const marksOfOutline =
  (seen: number): HasMark =>
  (mark) =>
    watched.some((one, index) => one.mark === mark && (seen & (1 << index)) !== 0)

/** Matches escapes, which can hide a word in JSON or YAML. */
const escapes = /\\[uxU\r\n]/

/**
 * The words by which a file's text is searched for each mark. A `$ref` in YAML needs the search for references instead.
 */
const words: { readonly [M in Mark]: RegExp } = {
  leadsElsewhere: /"\$ref"\s*:\s*"[^#"]/,
  givesAddresses: /\$id|\$self/,
  hasDynamicAnchors: /\$dynamicAnchor/,
  marksSecrets: new RegExp(`writeOnly|password|${escapes.source}`),
}

/** Returns a function that looks for a mark by its words. Searches the text once per mark. */
export function marksOfText(source: Pick<SourceFile, "text">): HasMark {
  const known = new Map<Mark, boolean>()
  return (mark) => getOrCreate(known, mark, () => words[mark].test(source.text))
}

export const mayHideWords = (text: string): boolean => escapes.test(text)

/** Returns whether any file of the document may mark a value as secret. False for most documents. */
export const mayMarkSecrets = ({ hasMark, openOther, othersMarkSecrets }: OpenApiDocument): boolean =>
  hasMark("marksSecrets") || (othersMarkSecrets ?? openOther !== undefined)
