// Finds script types, and checks whether they are up to date by the sizes and times of their sources. The types are the
// package `@callsheet/sdk` in a node_modules directory next to the scripts, where every editor and compiler looks
// first. Git, linters and searches ignore such directories.

import { lstatSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import {
  attempt,
  CallsheetError,
  isJsonObject,
  parseJson,
  type JsonObject,
  type Project,
  setOwn,
} from "@callsheet/format"
import { typesFolder, typesManifest } from "@callsheet/language"
import { messages } from "../messages.ts"
import { version } from "../version.ts"

/** The number of names in the path of a package of types, below the scripts. */
const PACKAGE_DEPTH = "node_modules/@callsheet/sdk".split("/").length

export const packageFiles: ReadonlyMap<string, string> = new Map([
  [".gitignore", "*\n"],
  ["index.js", `"use strict"\n`],
  ["package.json", `${JSON.stringify(typesManifest, undefined, 2)}\n`],
])

export const STAMP_FILE = "made-from.json"

/** The time in milliseconds that a finished command waits for the lock of another one. */
const WAIT_MS = 200

/** Rewrites types that are out of date. An error here never fails the command that ran before. */
export async function refreshScriptTypes(project: Project, workflows: readonly string[], readAt: number) {
  try {
    const stale = workflows.filter((workflow) => isStale(project, workflow))
    if (stale.length === 0) return
    const { writeScriptTypes } = await import("./write-script-types.ts")
    await writeScriptTypes({ project, workflows: stale, readAt, waitMs: WAIT_MS })
  } catch {
    // `callsheet types` reports an error such as a directory without write permission.
  }
}

/** If a file changes again within this time, its modification time may stay the same. */
const COARSE_MS = 2_000

/** Returns the stamp of a workflow's types. `readAt` is the `Date.now()` from before the files were read. */
export function stampOf(
  project: Project,
  workflow: string,
  made: { readonly files: ReadonlySet<string>; readonly readAt: number },
) {
  // A file that has just changed may change again unnoticed, so its stamp never matches.
  const files: Record<string, string> = {}
  for (const file of [...made.files].sort()) setOwn(files, file, markOf(project.root, file, made.readAt))
  return { callsheet: version, scripts: project.scriptNames.get(workflow) ?? [], files }
}

function markOf(root: string, file: string, readAt = Infinity): string {
  const stats = statSync(join(root, file), { throwIfNoEntry: false })
  if (stats === undefined) return "absent"
  return stats.mtimeMs > readAt - COARSE_MS ? "just changed" : `${stats.size} ${stats.mtimeMs}`
}

/** Returns whether a workflow's types are older than the files in their stamp. */
function isStale(project: Project, workflow: string): boolean {
  const folder = typesFolder(workflow)
  if (standingOf(project.root, folder) !== "ours") return false
  const stamp = attempt(() => readObject(join(project.root, folder, STAMP_FILE)))
  return stamp === undefined || !isFresh(stamp, project, workflow)
}

function isFresh(stamp: JsonObject, project: Project, workflow: string): boolean {
  const { callsheet, scripts, files } = stamp
  if (callsheet !== version || !isJsonObject(files)) return false
  if (JSON.stringify(scripts) !== JSON.stringify(project.scriptNames.get(workflow) ?? [])) return false
  const marks = Object.entries(files)
  return marks.length > 0 && marks.every(([file, mark]) => markOf(project.root, file) === mark)
}

/** Returns who owns a directory. A link or an unreadable directory is never ours. */
export function standingOf(root: string, folder: string): "nothing" | "ours" | "other" {
  const names = folder.split("/")
  try {
    for (let count = names.length - PACKAGE_DEPTH + 1; count <= names.length; count++) {
      const stats = lstatSync(join(root, ...names.slice(0, count)), { throwIfNoEntry: false })
      if (stats === undefined) return "nothing"
      if (!stats.isDirectory()) return "other"
    }
    return readObject(join(root, folder, "package.json"))["callsheetTypes"] === 1 ? "ours" : "other"
  } catch {
    return "other"
  }
}

/** Reads a file as a JSON object. Returns an empty object for other contents. Throws if the file can't be read. */
export function readObject(path: string): JsonObject {
  const parsed = parseJson(readFileSync(path, "utf8"))
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
}

export const inTheWay = (folder: string): CallsheetError =>
  new CallsheetError(messages["types-in-the-way"].foreign(folder))
