// The clock that reporters draw by.

import { performance } from "node:perf_hooks"
import type { ReporterClock } from "./reporter.ts"

export const systemClock: ReporterClock = {
  now: () => performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
