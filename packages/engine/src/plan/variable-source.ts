// Names where the value of a variable comes from, if no file sets it.

import { processVariableName, type ResolvedVariable } from "@callsheet/format"

/** Returns the option or the process variable that sets a variable. Undefined for a value of a file. */
export function sourceOutside(api: string, { name, from }: ResolvedVariable): string | undefined {
  if (from === "override") return `--var ${api}.${name}`
  return from === "process" ? processVariableName(api, name) : undefined
}
