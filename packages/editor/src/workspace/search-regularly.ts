// Finds the projects of a workspace: at its start and, if the client doesn't report new files, from time to time.

import type { Workspace } from "./workspace.ts"

const EVERY_MS = 5_000
/** The maximum share of time for searching. */
const MAX_SEARCHING = 0.02

interface Search {
  readonly clientWatches: boolean
  /** Called when the first search ends, and when there are other projects than before. */
  readonly onFound: () => void
}

export function searchRegularly(
  workspace: Pick<Workspace, "projects" | "searchAgain">,
  { clientWatches, onFound }: Search,
): { readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const search = async (before: string | undefined): Promise<void> => {
    const start = performance.now()
    workspace.searchAgain()
    const found = (await workspace.projects()).map(({ state }) => state.root).join("\0")
    const tookMs = performance.now() - start
    if (isStopped) return
    if (found !== before) onFound()
    if (!clientWatches) again(found, Math.max(EVERY_MS, tookMs / MAX_SEARCHING))
  }
  const again = (before: string | undefined, delayMs: number): void => {
    timer = setTimeout(() => start(before), delayMs).unref()
  }
  const start = (before: string | undefined): void => {
    search(before).catch(() => again(before, EVERY_MS))
  }
  start(undefined)
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
