// A name as one word of a command line.

import { isPlain } from "./visible-text.ts"

/** Absent where no terminal should be given it. */
export function shellWord(name: string): string | undefined {
  if (!isPlain(name)) return undefined
  if (/^[\w@%+:,.][\w@%+:,./-]*$/.test(name)) return name
  return name.startsWith("-") ? undefined : `'${name.replaceAll("'", `'\\''`)}'`
}
