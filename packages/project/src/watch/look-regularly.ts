// Finds changes below `apis/` by looking: for systems that give no more watches, and projects that are gone for a moment.

import { lstatSync } from "node:fs"
import { listFolder, openProjectFolder } from "../read/project-folder.ts"
import { isPassedOver } from "./watched-folders.ts"

/** A look may take this part of the time at most. */
const MOST_OF_TIME = 0.1

/** Calls `onChange` when something is other than it was when it was last looked, until it is closed. */
export function lookRegularly(root: string, onChange: () => void, everyMs: number): { close: () => void } {
  let seen = look(root)
  let timer: NodeJS.Timeout | undefined
  const again = (delayMs: number): void => {
    timer = setTimeout(() => {
      const start = performance.now()
      const now = look(root)
      const tookMs = performance.now() - start
      const isOther = now !== seen
      seen = now
      again(Math.max(everyMs, tookMs / MOST_OF_TIME))
      if (isOther) onChange()
    }, delayMs).unref()
  }
  again(everyMs)
  return { close: () => clearTimeout(timer) }
}

/** What tells one state of the files from another: their names, sizes and times, and which files they are. */
function look(root: string): string {
  const stamps: string[] = []
  try {
    const project = openProjectFolder(root)
    const seen = new Set<string>()
    const work = ["apis"]
    for (let file = work.pop(); file !== undefined; file = work.pop()) {
      const { entries, realPath } = listFolder(project, file)
      if (realPath === undefined || seen.has(realPath)) continue
      seen.add(realPath)
      for (const entry of entries) {
        if (isPassedOver(entry.name)) continue
        if (entry.kind === "folder") work.push(entry.file)
        stamps.push(`${entry.file} ${entry.kind} ${entry.kind === "file" ? stampOf(entry.realPath) : ""}`)
      }
    }
  } catch {
    // The project is not there: that is a state too.
  }
  return stamps.join("\n")
}

function stampOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`
}
