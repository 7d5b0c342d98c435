// The rules of the server for names of scripts: directories and a name. Pure.

import { nameKey, checkFreeName } from "@callsheet/format"

/** Returns why the name is invalid. `taken` are the other scripts of the workflow. */
export function checkScriptName(script: string, taken: readonly string[]): string | undefined {
  if (script === "") return "Enter a name."
  if (script.endsWith(".ts")) return "Leave out .ts. callsheet adds it."
  if (script.endsWith(".d")) return "Names that end in .d are for declaration files."
  const names = script.split("/")
  if (names.some((name) => name === "" || name.startsWith(".") || name === "node_modules"))
    return "Separate folders with /. No part may be empty, start with a dot or be node_modules."
  const finding = names.map(checkFreeName).find((found) => found !== undefined)
  if (finding !== undefined) return `A file can't have this name: ${finding}.`
  const key = nameKey(script)
  return taken.some((other) => nameKey(other) === key) ? "A script with this name already exists." : undefined
}
