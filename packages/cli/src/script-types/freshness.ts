// Keeps existing types of scripts up to date, by the sizes and times of their source files.

import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isJsonObject, parseJson, type JsonObject, type Project } from "@callsheet/format"
import { version } from "../version.ts"
import { standingOf, typesFolder } from "./script-types-folders.ts"

/** A finished command waits only this long for another one's lock. */
const WAIT_MS = 200

/** Rewrites stale types, if any. Never fails the command that it follows. */
export async function refreshScriptTypes(
  project: Project,
  workflows: readonly string[],
  readAt: number,
): Promise<void> {
  try {
    const stale = workflows.filter((workflow) => isStale(project, workflow))
    if (stale.length === 0) return
    const { writeScriptTypes } = await import("./write-script-types.ts")
    await writeScriptTypes({ project, workflows: stale, readAt, waitMs: WAIT_MS })
  } catch {
    // An unwritable directory, an unreadable document: `callsheet types` reports it.
  }
}

export const STAMP_FILE = "made-from.json"

/** Changes of a file within this time may not change its modification time. */
const COARSE_MS = 2_000

/** `readAt` is a time before the files were read, from `Date.now()`. */
export function stampOf(
  project: Project,
  workflow: string,
  made: { readonly files: ReadonlySet<string>; readonly readAt: number },
) {
  // A recently changed file gets a stamp that never matches.
  const files: Record<string, string> = {}
  for (const file of [...made.files].sort()) files[file] = markOf(project.root, file, made.readAt)
  return { callsheet: version, scripts: project.scriptNames.get(workflow) ?? [], files }
}

function markOf(root: string, file: string, readAt = Infinity): string {
  const stats = statSync(join(root, file), { throwIfNoEntry: false })
  if (stats === undefined) return "absent"
  return stats.mtimeMs > readAt - COARSE_MS ? "just changed" : `${stats.size} ${stats.mtimeMs}`
}

/** Returns true if a workflow has types that are out of date with its files. Checks the files that the stamp names. */
function isStale(project: Project, workflow: string): boolean {
  const folder = typesFolder(workflow)
  if (standingOf(project.root, folder) !== "ours") return false
  try {
    const parsed = parseJson(readFileSync(join(project.root, folder, STAMP_FILE), "utf8"))
    return !(parsed.ok && isJsonObject(parsed.value) && isFresh(parsed.value, project, workflow))
  } catch {
    return true
  }
}

function isFresh(stamp: JsonObject, project: Project, workflow: string): boolean {
  const { callsheet, scripts, files } = stamp
  if (callsheet !== version || files === undefined || !isJsonObject(files)) return false
  if (JSON.stringify(scripts) !== JSON.stringify(project.scriptNames.get(workflow) ?? [])) return false
  const marks = Object.entries(files)
  return marks.length > 0 && marks.every(([file, mark]) => markOf(project.root, file) === mark)
}
