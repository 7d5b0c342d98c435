// Tells that files below `apis/` may have changed: by a watch on each folder, or by looking every second where none can be had.

import { lstatSync, watch } from "node:fs"
import { platform } from "node:os"
import type { Problem } from "@callsheet/format"
import { listFolder, openProjectFolder } from "../read/project-folder.ts"
import { createFolderWatch, isPassedOver, type OpenWatch } from "./folder-watch.ts"

export type ProjectWatch = ReturnType<typeof watchProject>

export interface WatchOptions {
  readonly open?: OpenWatch
  /** Whether one watch sees a folder with all that is in it, as it does on macOS and Windows. */
  readonly seesTrees?: boolean
  readonly everyMs?: number
}

/** Programs write a file in several steps, and git many files: they are told as one change. */
const PATIENCE = { quietMs: 50, atMostMs: 500 }

/** Calls `listener` 50 ms after the last of several close changes, at most 500 ms after the first; perhaps without a change. */
export function watchProject(root: string, listener: () => void, options: WatchOptions = {}) {
  const { open = openWatch, seesTrees = platform() !== "linux", everyMs = 1000 } = options
  let limit: Problem | undefined
  let looking: { readonly close: () => void } | undefined
  const quiet = tellWhenQuiet(() => {
    settle()
    listener()
  })
  const folders = createFolderWatch({ root, open, seesTrees, onChange: quiet.note })
  /** Watches what is new before it is told, so that nothing falls between the two. */
  const settle = (): void => {
    const outcome = limit === undefined ? folders.sync() : "limited"
    if (outcome === "limited") limit ??= watchLimit
    if (outcome === "watched") {
      looking?.close()
      looking = undefined
    } else looking ??= lookRegularly(root, quiet.note, everyMs)
  }
  settle()
  return {
    /** Whether something was seen that has not been told yet: what is read now may be of two moments. */
    isPending: quiet.isPending,
    problems: (): readonly Problem[] => (limit === undefined ? [] : [limit]),
    close: (): void => {
      quiet.close()
      looking?.close()
      folders.close()
    },
  }
}

const openWatch: OpenWatch = (folder, { recursive }, listener) =>
  watch(folder, { persistent: false, recursive }, listener)

const watchLimit: Problem = {
  code: "watch-limit",
  severity: "warning",
  message: "the system lets no more folders be watched: changes of files are looked for once a second",
  hint: "on Linux, raise fs.inotify.max_user_watches or fs.inotify.max_user_instances",
}

/** Calls `tell` once for events that follow each other closely. Its timer keeps no process alive. */
function tellWhenQuiet(tell: () => void) {
  const { quietMs, atMostMs } = PATIENCE
  let timer: NodeJS.Timeout | undefined
  let latest = 0
  const tellNow = (): void => {
    timer = undefined
    tell()
  }
  return {
    note: () => {
      const now = performance.now()
      if (timer === undefined) latest = now + atMostMs
      clearTimeout(timer)
      timer = setTimeout(tellNow, Math.max(0, Math.min(quietMs, latest - now))).unref()
    },
    isPending: (): boolean => timer !== undefined,
    close: () => clearTimeout(timer),
  }
}

const MOST_OF_TIME = 0.1

function lookRegularly(root: string, onChange: () => void, everyMs: number): { close: () => void } {
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
