// Keeps the values that a run generates, so that it can be repeated: its seed, and the times that its blocks read.

import type { BlockTimes, Ports } from "../ports.ts"
import { forEachRun } from "./for-each-run.ts"

/** The maximum number of times to keep per block. */
const MAX_TIMES = 10_000
const MAX_SEED = 2 ** 48 - 1

/** Returns ports whose runs keep what they generate. */
export const recordGenerated = (ports: Ports): Ports =>
  forEachRun(ports, () => {
    const openTimes = (): BlockTimes => ({ now: ports.clock.now })
    return { generated: { seed: ports.random.integer(MAX_SEED), openTimes } }
  })

export function readTime(times: BlockTimes): number {
  const count = times.read?.length ?? 0
  const time = times.recorded?.[count] ?? times.now()
  if (count < MAX_TIMES) noteTimes(times, [time])
  return time
}

/** Adds times that the block has read. */
export function noteTimes(times: BlockTimes, more: readonly number[]): void {
  if (more.length > 0) (times.read ??= []).push(...more)
}
