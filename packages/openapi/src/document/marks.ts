// The marks of a file: features that need extra work and may be anywhere in a file. Finds them without a walk.

import { getOrCreate, type SourceFile, type WatchedMember } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"

export type Mark =
  | "leadsElsewhere"
  /** The mark of a file in which an object gives itself an address by `$id` or `$self`. */
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

/** The options of outlines. The deepest members with rows are an operation's (`/paths/<path>/<method>/<member>`). */
export const outlineOptions = { depth: 4, watched } as const

export const marksOfOutline =
  (seen: number): HasMark =>
  (mark) =>
    watched.some((one, index) => one.mark === mark && (seen & (1 << index)) !== 0)

/** Matches escapes, which can hide a word in JSON or YAML. */
const escapes = /\\[uxU\r\n]/

/** The words for each mark in a file that is read whole. A `$ref` in YAML is found elsewhere. */
const words: { readonly [M in Mark]: RegExp } = {
  leadsElsewhere: /"\$ref"\s*:\s*"[^#"]/,
  givesAddresses: /\$id|\$self/,
  hasDynamicAnchors: /\$dynamicAnchor/,
  marksSecrets: new RegExp(`writeOnly|password|${escapes.source}`),
}

/** Returns a function that checks a file for a mark by its words. Searches once per mark. */
export function marksOfText(source: Pick<SourceFile, "text">): HasMark {
  const known = new Map<Mark, boolean>()
  return (mark) => getOrCreate(known, mark, () => words[mark].test(source.text))
}

export const mayHideWords = (text: string): boolean => escapes.test(text)

/** Returns whether a file of the document may mark a value as secret. False for most documents. */
export const mayMarkSecrets = ({ hasMark, openOther, othersMarkSecrets }: OpenApiDocument): boolean =>
  hasMark("marksSecrets") || (othersMarkSecrets ?? openOther !== undefined)
