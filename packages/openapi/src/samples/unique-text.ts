// Texts that are unique in every run, by placeholders such as `{{$uuid}}`.

import type { JsonValue } from "@callsheet/format"
import type { Part } from "../document/part.ts"
import { uuidText } from "./text-formats.ts"
import type { UniqueWanted } from "./make-value.ts"

/** The names of values that servers usually keep unique. */
const uniqueNames =
  /^(?:id|uuid|guid|slug|sku|handle|login|user_?name|email|e-?mail|sub_?domain|(?:external|client|idempotency|request|correlation|reference)_?(?:id|key|number))$/i

const isUnique = (part: Part): boolean =>
  part.member("x-unique") === true || /\bunique\b/i.test(part.text("description") ?? "")

/** Remembers which texts stand for a placeholder, so that the checked value can be turned into what a file says. */
export interface UniqueTexts {
  readonly textsFor: (wanted: UniqueWanted) => Iterable<string>
  /** Returns the text with its placeholder, or undefined if it stands for none. */
  readonly templateOf: (text: string) => string | undefined
}

/**
 * Returns what is before and after the unique part of a text like an example: `stable-` for `stable`, and `.example.com`
 * for a host.
 */
function aroundOf(hint: JsonValue): readonly (readonly [before: string, after: string])[] {
  if (typeof hint !== "string") return []
  if (/^\p{L}[\p{L} _-]{1,38}\p{L}$/u.test(hint)) return [[`${hint}${hint.includes(" ") ? " " : "-"}`, ""]]
  return /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}$/.test(hint) ? [["", `.${hint}`]] : []
}

/** `isUniqueAt` tells which texts to make unique whatever their names are. */
export function createUniqueTexts(isUniqueAt: (pointer: string) => boolean = () => false): UniqueTexts {
  const templates = new Map<string, string>()
  return {
    textsFor: function* ({ parts, hints, name, pointer, n }) {
      const formats = parts.flatMap((part) => part.text("format") ?? [])
      const isNamed = uniqueNames.test(name) || parts.some(isUnique) || isUniqueAt(pointer)
      if (!formats.includes("uuid") && !isNamed) return
      const uuid = uuidText(n)
      const isEmail = formats.includes("email") || /e-?mail$/i.test(name)
      const around = [...hints.flatMap(aroundOf), [`${name}-`, ""], ["", ""]] as const
      for (const [before, after] of isEmail ? [["", "@example.com"]] : around) {
        const text = `${before}${uuid}${after}`
        templates.set(text, `${before}{{$uuid}}${after}`)
        yield text
      }
    },
    templateOf: (text) => templates.get(text),
  }
}
