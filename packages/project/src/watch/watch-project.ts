// Reports changes below `apis/` and of the files in the root. If the system has no watches left, polls every second.

import { statSync, watch } from "node:fs"
import { platform } from "node:os"
import { resolve } from "node:path"
import { BASELINE_FILE, PROJECT_FILE, toProblem, type Problem } from "@callsheet/format"
import { messages } from "../messages.ts"
import { listFolder, openProjectFolder, rootEntry, type Entry } from "../read/project-folder.ts"
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
  let more: readonly string[] = []
  const paths = (): readonly string[] => more.map((file) => resolve(root, file))
  const folders = createFolderWatch({ root, open, seesTrees, onChange: quiet.note, more: paths })
  /** Watch new directories before the report, so that no change is missed. */
  const settle = (): void => {
    const outcome = limit === undefined ? folders.sync() : "limited"
    if (outcome === "limited") limit ??= toProblem(messages["watch-limit"].reached())
    if (outcome === "watched") {
      looking?.close()
      looking = undefined
    } else looking ??= lookRegularly(() => look(root, more), quiet.note, everyMs)
  }
  settle()
  return {
    /** True between the detection of a change and its report. Files may be inconsistent during this time. */
    isPending: quiet.isPending,
    /** Watches these files too, by path from the root, instead of those of an earlier call. */
    watchMore: (files: readonly string[]): void => {
      more = files
      folders.forget()
      settle()
    },
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

function lookRegularly(look: () => string, onChange: () => void, everyMs: number): { close: () => void } {
  let seen = look()
  let timer: NodeJS.Timeout | undefined
  const again = (delayMs: number): void => {
    timer = setTimeout(() => {
      const start = performance.now()
      const now = look()
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

const look = (root: string, more: readonly string[]): string => [...readStamps(root, more)].join("\n")

/**
 * Returns the state of every file that a watch reports, by its path from the root. `more` contains other paths from the
 * root. The state of a file changes with its size, times and inode.
 */
export function readStamps(root: string, more: readonly string[]): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>()
  const add = ({ file, kind, realPath }: Entry): void =>
    void stamps.set(file, `${kind} ${kind === "file" ? stampOf(realPath) : ""}`)
  try {
    const project = openProjectFolder(root)
    for (const name of [PROJECT_FILE, BASELINE_FILE]) {
      const entry = rootEntry(project, name)
      if (entry !== undefined) add(entry)
    }
    const seen = new Set<string>()
    const work = ["apis"]
    for (let file = work.pop(); file !== undefined; file = work.pop()) {
      const { entries, realPath } = listFolder(project, file)
      if (realPath === undefined || seen.has(realPath)) continue
      seen.add(realPath)
      for (const entry of entries) {
        if (isPassedOver(entry.name)) continue
        if (entry.kind === "folder") work.push(entry.file)
        add(entry)
      }
    }
    for (const file of more) if (!stamps.has(file)) stamps.set(file, readStamp(root, file))
  } catch {
    // A missing project is a state too.
  }
  return stamps
}

/** Returns the state of a file by its path from the root. */
export const readStamp = (root: string, file: string): string => stampOf(resolve(root, file))

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`
}
