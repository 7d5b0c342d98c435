// Quotes a name as one word of a command.

import { isPlain } from "./visible-text.ts"

/** Returns undefined if the name isn't safe in every terminal. */
export function shellWord(name: string): string | undefined {
  if (!isPlain(name)) return undefined
  if (/^[\w@%+:,.][\w@%+:,./=-]*$/.test(name)) return name
  return name.startsWith("-") ? undefined : `'${name.replaceAll("'", `'\\''`)}'`
}
