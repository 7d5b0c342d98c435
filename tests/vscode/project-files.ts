// Changes files of the project that is open in VS Code.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Replaces text in a file of the project. Returns the line of the new text. */
export function change(folder: string, file: string, [from, to]: readonly [string, string]): number {
  const path = join(folder, file)
  const text = readFileSync(path, "utf8")
  if (!text.includes(from)) throw new Error(`${file} doesn't contain ${from}`)
  const changed = text.replace(from, () => to)
  writeFileSync(path, changed)
  return changed.slice(0, changed.indexOf(to)).split("\n").length
}

/** Returns the line of a text in a file of the project. */
export function lineOf(folder: string, file: string, text: string): number {
  const index = readFileSync(join(folder, file), "utf8").indexOf(text)
  if (index === -1) throw new Error(`${file} doesn't contain ${text}`)
  return readFileSync(join(folder, file), "utf8").slice(0, index).split("\n").length
}
