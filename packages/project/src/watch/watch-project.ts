// Reports changes below `apis/` and of `callsheet.json`. If the system has no watches left, polls every second.

import { lstatSync, watch } from "node:fs"
import { platform } from "node:os"
import { PROJECT_FILE, toProblem, type Problem } from "@callsheet/format"
import { messages } from "../messages.ts"
import { listFolder, openProjectFolder, rootEntry } from "../read/project-folder.ts"
import { createFolderWatch, isPassedOver, type OpenWatch } from "./folder-watch.ts"

export type ProjectWatch = ReturnType<typeof watchProject>

export interface WatchOptions {
  readonly open?: OpenWatch
  /** True if one watch covers a directory tree, as on macOS and Windows. */
  readonly seesTrees?: boolean
  readonly everyMs?: number
}

/**
 * The timing with which events become one change: programs write a file in several steps, and git writes many files at
 * once.
 */
const DEBOUNCE = { quietMs: 50, atMostMs: 500 }

/**
 * Calls `listener` 50 ms after the last change, and at most 500 ms after the first. Sometimes calls it without a
 * change.
 */
export function watchProject(root: string, listener: () => void, options: WatchOptions = {}) {
  const { open = openWatch, seesTrees = platform() !== "linux", everyMs = 1000 } = options
  let limit: Problem | undefined
  let looking: { readonly close: () => void } | undefined
  const quiet = debounce(() => {
    settle()
    listener()
  })
  const folders = createFolderWatch({ root, open, seesTrees, onChange: quiet.note })
  /** Watch new directories before the report, so that no change is missed. */
  const settle = (): void => {
    const outcome = limit === undefined ? folders.sync() : "limited"
    if (outcome === "limited") limit ??= toProblem(messages["watch-limit"].reached())
    if (outcome === "watched") {
      looking?.close()
      looking = undefined
    } else looking ??= lookRegularly(root, quiet.note, everyMs)
  }
  settle()
  return {
    /** True between the detection of a change and its report. Files may be inconsistent during this time. */
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

/** Calls `listener` once for events in quick succession. The timer doesn't keep the process alive. */
function debounce(listener: () => void) {
  const { quietMs, atMostMs } = DEBOUNCE
  let timer: NodeJS.Timeout | undefined
  let latest = 0
  const callNow = (): void => {
    timer = undefined
    listener()
  }
  return {
    note: () => {
      const now = performance.now()
      if (timer === undefined) latest = now + atMostMs
      clearTimeout(timer)
      timer = setTimeout(callNow, Math.max(0, Math.min(quietMs, latest - now))).unref()
    },
    isPending: (): boolean => timer !== undefined,
    close: () => clearTimeout(timer),
  }
}

/** The maximum share of time for polling. */
const MAX_LOOKING = 0.1

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
      again(Math.max(everyMs, tookMs / MAX_LOOKING))
      if (isOther) onChange()
    }, delayMs).unref()
  }
  again(everyMs)
  return { close: () => clearTimeout(timer) }
}

/** Returns a string that changes with the names, sizes, times or inodes of files. */
function look(root: string): string {
  const stamps: string[] = []
  try {
    const project = openProjectFolder(root)
    const settings = rootEntry(project, PROJECT_FILE)
    if (settings !== undefined) stamps.push(`${settings.kind} ${stampOf(settings.realPath)}`)
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
    // A missing project is a state too.
  }
  return stamps.join("\n")
}

function stampOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`
}
