// Makes names that callsheet accepts from the names of a source.

import {
  checkFreeName,
  isApiName,
  isEnvironmentName,
  isVariableName,
  isWorkflowName,
  reservedKeys,
} from "@callsheet/format"
import { asciiLetters } from "./ascii.ts"

const MAX_LENGTH = 60
/** A file name has at most 255 bytes, with its ending and a number. */
const MAX_BYTES = 200

/**
 * Returns lowercase ASCII letters, digits and dashes, such as `shop-staging` for `Shop Staging`: for the names of APIs,
 * environments and workflows, which can't have other letters.
 */
export const asciiSlug = (text: string, fallback: string): string =>
  slugOf(asciiLetters(text), { separators: /[^a-z0-9]+/g, fallback })

/** Returns letters of any alphabet in lowercase, digits and dashes, for block ids and files. */
export const unicodeSlug = (text: string, fallback: string): string =>
  slugOf(text, {
    separators: /(?:[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point})+/gu,
    fallback,
  })

/** Returns whether a name has letters that no name of a workflow can show. */
export const isForeignText = (text: string): boolean => /[^\P{L}A-Za-z]/u.test(asciiLetters(text))

function slugOf(
  text: string,
  { separators, fallback }: { readonly separators: RegExp; readonly fallback: string },
): string {
  const made = cutAtWord(
    text
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(separators, "-")
      .replaceAll(/^-+|-+$/g, ""),
  )
  if (made === "") return fallback
  // Windows reserves some names for devices.
  return checkFreeName(made) === undefined ? made : `${made}-1`
}

/** Shortens a slug to the last whole word, or within a word that is most of it. */
function cutAtWord(made: string): string {
  if (fits(made)) return made
  let cut = ""
  for (const [letter] of made.matchAll(/\P{M}\p{M}*|\p{M}/gu)) {
    if (!fits(cut + letter)) break
    cut += letter
  }
  const end = made[cut.length] === "-" ? -1 : cut.lastIndexOf("-")
  return (end >= MAX_LENGTH / 3 ? cut.slice(0, end) : cut).replace(/-+$/, "")
}

/** A unit of UTF-16 has at most three bytes in UTF-8, so that short names need no count. */
const fits = (name: string): boolean =>
  name.length <= MAX_LENGTH &&
  (3 * name.length <= MAX_BYTES || new TextEncoder().encode(name).length <= MAX_BYTES)

/** Hands out each name once. Adds a number to a name that is taken, or that `isAllowed` refuses. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  /** The next number by wanted name, so that the same name costs the same each time. */
  readonly #next = new Map<string, number>()
  readonly #separator: string
  readonly #isAllowed: (name: string) => boolean

  constructor({
    separator = "-",
    isAllowed = () => true,
    taken = [],
  }: {
    readonly separator?: string
    readonly isAllowed?: (name: string) => boolean
    readonly taken?: Iterable<string>
  } = {}) {
    this.#separator = separator
    this.#isAllowed = isAllowed
    for (const name of taken) this.#taken.add(name.toLowerCase())
  }

  isFree = (name: string): boolean => !this.#taken.has(name.toLowerCase())

  /** File systems may ignore case, so names that differ only in case count as equal. */
  add(wanted: string): string {
    const key = wanted.toLowerCase()
    let name = wanted
    let count = this.#next.get(key) ?? 2
    for (; this.#taken.has(name.toLowerCase()) || !this.#isAllowed(name); count++)
      name = `${wanted}${this.#separator}${count}`
    if (name !== wanted) this.#next.set(key, count)
    this.#taken.add(name.toLowerCase())
    return name
  }
}

export const workflowNames = (): UniqueNames => new UniqueNames({ isAllowed: isWorkflowName })
export const environmentNames = (): UniqueNames => new UniqueNames({ isAllowed: isEnvironmentName })
export const apiNames = (taken: Iterable<string>): UniqueNames =>
  new UniqueNames({ isAllowed: isApiName, taken })

export const variableNames = (): UniqueNames =>
  new UniqueNames({ separator: "_", isAllowed: isVariableName, taken: reservedKeys })

/** Replaces the characters that a variable's name can't have. */
export function variableName(text: string): string {
  const name = asciiLetters(text)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replaceAll(/^_+(?=.)|(?<!_)_+$/g, (dashes, at) => (at === 0 && text.startsWith("_") ? dashes : ""))
  // Nothing is left of a name in another alphabet.
  if (/^_*$/.test(name) && !/^_+$/.test(text)) return "variable"
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** Returns whether a name has more than separators that a variable's name can't have, so that people look for it. */
export const isForeignName = (name: string): boolean => !/^[\w$ .:@-]*$/.test(name)

/** Returns `xApiKey` for `X-Api-Key`. */
export function camelCase(text: string): string {
  const [first = "value", ...others] = asciiLetters(text)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
  const lower = /^[A-Z0-9]+$/.test(first)
    ? first.toLowerCase()
    : `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  return variableName(
    lower + others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(""),
  )
}

const MAX_FIRST_WORDS = 24

/** Returns the first words of a name, to begin another name with. */
export function firstWords(text: string): string {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "")
  let first = words[0]?.slice(0, MAX_FIRST_WORDS) ?? ""
  for (const word of words.slice(1)) {
    if (first.length + word.length >= MAX_FIRST_WORDS) break
    first = `${first} ${word}`
  }
  return first
}

/** Returns whether a source computes the value of a variable at each use, such as that of `$guid`. */
export const isDynamic = (name: string): boolean => name.startsWith("$")
