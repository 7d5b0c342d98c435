// Checks the new name of something that is created or renamed.

import { nameKey } from "@callsheet/format"
import { UserError } from "../connection/fault-of.ts"

interface Names {
  /** The kind of thing, with an article: `a workflow`. */
  readonly what: string
  readonly isName: (name: string) => boolean
  readonly hint: string
  readonly taken: readonly string[]
  /** The current name. Only its case may change. */
  readonly own?: string | undefined
}

/** Returns the problem with the name. An empty name has no problem yet. */
export function checkNewName(name: string, { what, isName, hint, taken, own }: Names): string | undefined {
  if (name === "") return undefined
  if (!isName(name)) return `${what.slice(0, 1).toUpperCase()}${what.slice(1)} can't have this name: ${hint}.`
  const twin = taken.find((other) => other !== own && nameKey(other) === nameKey(name))
  return twin === undefined ? undefined : `"${twin}" already exists.`
}

/** Returns the error for an empty or unchanged name. Undefined for other names. */
export function missingName(name: string, own?: string): string | undefined {
  if (name === "") return "Enter a name."
  return name === own ? "Enter a different name." : undefined
}

/** Throws the error for an empty or unchanged name. Call this first in the handler of a form. */
export function needName(name: string, own?: string): void {
  const missing = missingName(name, own)
  if (missing !== undefined) throw new UserError(missing)
}
