// Whether something that is made or renamed may have the name that was typed. Pure.

import { nameKey } from "@callsheet/format"

interface Names {
  /** With its article, as `a workflow`. */
  readonly what: string
  readonly isName: (name: string) => boolean
  /** What names may be. */
  readonly hint: string
  readonly taken: readonly string[]
  /** The name that it has: it may keep it in another spelling. */
  readonly own?: string | undefined
}

/** Undefined where it may; an empty name is not wrong yet. */
export function checkNewName(name: string, { what, isName, hint, taken, own }: Names): string | undefined {
  if (name === "") return undefined
  if (!isName(name)) return `${what.slice(0, 1).toUpperCase()}${what.slice(1)} cannot be called so: ${hint}.`
  const twin = taken.find((other) => other !== own && nameKey(other) === nameKey(name))
  return twin === undefined ? undefined : `There is ${what} "${twin}" already.`
}
