// Keeps the values that a run generates, so that it can be repeated: its seed, and the times that its blocks read.

import type { RunPlace } from "@callsheet/format"
import type { Ports } from "../ports.ts"

export interface Generated {
  readonly seed: number
  /** False if no further attempt of the run is recorded. */
  readonly hasRetry?: boolean | undefined
  readonly openTimes: (block: number) => BlockTimes
}

export interface BlockTimes {
  /** The times that the block has read. Absent until the first one, because most blocks read none. */
  read?: number[]
  /** The times that the block reads, if they come from a record. */
  readonly recorded?: readonly number[] | undefined
  /** The time to read after the last recorded one. */
  readonly now: () => number
}

/** The run that ports are opened for. */
export interface PortsPlace extends RunPlace {
  readonly workflow: string
}

/** The maximum number of times to keep per block. */
const MAX_TIMES = 10_000
const MAX_SEED = 2 ** 48 - 1

/** Returns ports whose runs keep what they generate. */
export function recordGenerated(ports: Ports): Ports {
  let isFirst = true
  return {
    ...ports,
    forRun: () => {
      const http = isFirst ? ports.http : ports.http.withOwnCookies()
      isFirst = false
      const openTimes = (): BlockTimes => ({ now: ports.clock.now })
      return { ...ports, http, generated: { seed: ports.random.integer(MAX_SEED), openTimes } }
    },
  }
}

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
