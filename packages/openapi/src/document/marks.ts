// The marks of a file: features it may contain anywhere, known without walking it. Most files need none of the extra work.

import { getOrCreate, type SourceFile, type WatchedMember } from "@callsheet/format"
import type { OpenApiDocument } from "./document.ts"

export type Mark =
  | "leadsElsewhere"
  /** An object gives itself an address, by `$id` or `$self`. */
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

/** The members of an operation (`/paths/<path>/<method>/<member>`) are the deepest level with rows. */
export const outlineOptions = { depth: 4, watched } as const

export const marksOfOutline =
  (seen: number): HasMark =>
  (mark) =>
    watched.some((one, index) => one.mark === mark && (seen & (1 << index)) !== 0)

/** JSON and YAML may write a character of a word like this. */
const escapes = /\\[uxU\r\n]/

/** The words for each mark, in a file that is read whole. YAML's `$ref` is searched for elsewhere. */
const words: { readonly [M in Mark]: RegExp } = {
  leadsElsewhere: /"\$ref"\s*:\s*"[^#"]/,
  givesAddresses: /\$id|\$self/,
  hasDynamicAnchors: /\$dynamicAnchor/,
  marksSecrets: new RegExp(`writeOnly|password|${escapes.source}`),
}

/** Returns the marks of a file by the words in its text, which is searched when a mark is first requested. */
export function marksOfText(source: Pick<SourceFile, "text">): HasMark {
  const known = new Map<Mark, boolean>()
  return (mark) => getOrCreate(known, mark, () => words[mark].test(source.text))
}

export const mayHideWords = (text: string): boolean => escapes.test(text)

/** Returns false for most documents: none of their files marks a value as secret. */
export const mayMarkSecrets = ({ hasMark, openOther, othersMarkSecrets }: OpenApiDocument): boolean =>
  hasMark("marksSecrets") || (othersMarkSecrets ?? openOther !== undefined)
