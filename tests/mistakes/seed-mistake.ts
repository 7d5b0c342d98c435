// Makes a mistake in a copy of a project and returns its line.

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Edit, Mistake, ProjectName } from "./mistake.ts"

const folders: Readonly<Record<ProjectName, string>> = {
  shop: fileURLToPath(new URL("../../examples/shop", import.meta.url)),
  booking: fileURLToPath(new URL("projects/booking", import.meta.url)),
  billing: fileURLToPath(new URL("projects/billing", import.meta.url)),
}

export const projectNames = Object.keys(folders) as readonly ProjectName[]

export const copyProject = (project: ProjectName, folder: string): void =>
  cpSync(folders[project], folder, { recursive: true, preserveTimestamps: true })

export const copyFile = (project: ProjectName, file: string, folder: string): void =>
  cpSync(join(folders[project], file), join(folder, file))

/** Makes all edits of a mistake and returns the line of the first, if it has one. */
export function seedMistake(mistake: Mistake, folder: string): number | undefined {
  const line = makeEdit(folder, mistake.file, mistake.edit)
  for (const { file, edit } of mistake.more ?? []) makeEdit(folder, file, edit)
  return line
}

/** The line of the edit, if it replaces a text. */
export function makeEdit(folder: string, file: string, edit: Edit): number | undefined {
  const path = join(folder, file)
  if ("remove" in edit) {
    if (!existsSync(path)) throw new Error(`${file} does not exist`)
    rmSync(path, { recursive: true })
  } else if ("rename" in edit) {
    mkdirSync(dirname(join(folder, edit.rename)), { recursive: true })
    renameSync(path, join(folder, edit.rename))
  } else if ("write" in edit) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, edit.write)
  } else {
    const text = readFileSync(path, "utf8")
    const at = onlyPlaceOf(text, edit.find, file)
    writeFileSync(path, text.slice(0, at) + edit.replace + text.slice(at + edit.find.length))
    return lineAt(text, at + firstDifference(edit.find, edit.replace))
  }
  return undefined
}

export function onlyPlaceOf(text: string, wanted: string, file: string): number {
  const at = text.indexOf(wanted)
  if (at === -1) throw new Error(`${file} does not contain ${JSON.stringify(wanted)}`)
  if (text.includes(wanted, at + 1))
    throw new Error(`${file} contains ${JSON.stringify(wanted)} more than once`)
  return at
}

function firstDifference(before: string, after: string): number {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  // A line break and indentation before the change belong to its line.
  while (/\s/.test(after[at] ?? "") && /\s/.test(before[at] ?? "")) at++
  return at
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length
