// Rules for script names: directories and a name, as the server accepts them. Pure.

import { nameKey, checkFreeName } from "@callsheet/format"

/** Returns why the name is invalid; `taken` are the other scripts of the workflow. */
export function checkScriptName(script: string, taken: readonly string[]): string | undefined {
  if (script === "") return "Give it a name."
  if (script.endsWith(".ts")) return "The name is without .ts: it is added."
  if (script.endsWith(".d")) return "A name that ends with .d is that of a declaration."
  const names = script.split("/")
  if (names.some((name) => name === "" || name.startsWith(".") || name === "node_modules"))
    return "Folders and the name are parted by /; none is empty, begins with a dot, or is node_modules."
  const finding = names.map(checkFreeName).find((found) => found !== undefined)
  if (finding !== undefined) return `A file may not be called so: ${finding}.`
  const key = nameKey(script)
  return taken.some((other) => nameKey(other) === key) ? "There is a script of that name." : undefined
}
