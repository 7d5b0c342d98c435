// Keeps the types of scripts fresh for those who have asked for them once. It never fails the command that it follows.

import type { Project } from "@callsheet/format"
import { freshnessOf } from "./freshness.ts"

/** A command that is done with its work waits for no other one. */
const WAIT_MS = 200

/** Writes the types of workflows anew where they are there and their files have changed since; `readAt` as in `stampOf`. */
export async function refreshScriptTypes(
  project: Project,
  workflows: readonly string[],
  readAt: number,
): Promise<void> {
  try {
    const stale = workflows.filter((workflow) => freshnessOf(project, workflow) === "stale")
    if (stale.length === 0) return
    const { writeScriptTypes } = await import("./write-script-types.ts")
    await writeScriptTypes({ project, workflows: stale, readAt, waitMs: WAIT_MS })
  } catch {
    // A folder that cannot be written, a document that cannot be read: `callsheet types` says what is wrong.
  }
}
