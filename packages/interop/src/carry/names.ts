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

/** Returns lowercase letters, digits and dashes, such as `shop-staging` for `Shop Staging`. */
export function asciiSlug(text: string, fallback: string): string {
  const slug = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, "")
  if (slug === "") return fallback
  // Windows reserves some names for devices.
  return checkFreeName(slug) === undefined ? slug : `${slug}-1`
}

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
  const [first = "value", ...others] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
  const lower = /^[A-Z0-9]+$/.test(first)
    ? first.toLowerCase()
    : `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  return variableName(
    lower + others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(""),
  )
}

/** Returns whether a source computes the value of a variable at each use, such as that of `$guid`. */
export const isDynamic = (name: string): boolean => name.startsWith("$")
