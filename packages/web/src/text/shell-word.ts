// Quotes a name as one word of a command line.

import { isPlain } from "./visible-text.ts"

/** Undefined if the name is not safe in any terminal. */
export function shellWord(name: string): string | undefined {
  if (!isPlain(name)) return undefined
  if (/^[\w@%+:,.][\w@%+:,./-]*$/.test(name)) return name
  return name.startsWith("-") ? undefined : `'${name.replaceAll("'", `'\\''`)}'`
}
