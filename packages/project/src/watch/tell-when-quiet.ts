// Many events -> one telling: soon after the last of them, and never long after the first.

export interface Quiet {
  /** Something has happened. */
  readonly note: () => void
  /** Whether something has happened that is not told yet. */
  readonly isPending: () => boolean
  readonly close: () => void
}

/** How long nothing may have happened before it is told, and how long telling may wait at most. */
export interface Patience {
  readonly quietMs: number
  readonly atMostMs: number
}

/** Calls `tell` once for events that follow each other closely. Its timer keeps no process alive. */
export function tellWhenQuiet(tell: () => void, { quietMs, atMostMs }: Patience): Quiet {
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
    isPending: () => timer !== undefined,
    close: () => clearTimeout(timer),
  }
}
