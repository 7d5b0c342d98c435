// Keeps the results of each workflow's last run, so that single blocks can run. The results contain secrets, so they
// stay in memory.

import { sizeOfResults, type Cookies, type RunResults } from "@callsheet/engine"
import type { RunOrder } from "../calls/index.ts"
import { sortedEntries } from "./production-gate.ts"

interface LastRun {
  readonly results: RunResults
  readonly cookies: Cookies
}

export type LastResults = ReturnType<typeof createLastResults>

interface Entry extends LastRun {
  readonly choices: string
  readonly bytes: number
}

interface LastResultsOptions {
  readonly maxBytes: number
  /** Estimates the size of the results in bytes. May stop at the limit. */
  readonly sizeOf?: typeof sizeOfResults
}

export function createLastResults({ maxBytes, sizeOf = sizeOfResults }: LastResultsOptions) {
  const entries = new Map<string, Entry>()
  return {
    /** Returns the results of the workflow's last run if it had the same environments and inputs. */
    of: (order: RunOrder): LastRun | undefined => {
      const entry = entries.get(order.workflow)
      if (entry === undefined || entry.choices !== choicesOf(order)) return undefined
      entries.delete(order.workflow)
      entries.set(order.workflow, entry)
      return entry
    },
    rename: (from: string, to: string): void => {
      const entry = entries.get(from)
      if (!entries.delete(from) || entry === undefined) return
      entries.set(to, entry)
    },
    /** Replaces the results of a workflow. Above the limit, drops the least recently used ones. */
    keep: (order: RunOrder, kept: LastRun): void => {
      entries.delete(order.workflow)
      const bytes = sizeOf(kept.results, maxBytes)
      if (bytes > maxBytes) return
      entries.set(order.workflow, { ...kept, choices: choicesOf(order), bytes })
      let sum = 0
      for (const [workflow, entry] of [...entries].toReversed()) {
        sum += entry.bytes
        if (sum > maxBytes) entries.delete(workflow)
      }
    },
  }
}

const choicesOf = ({ environments, inputs }: RunOrder): string =>
  JSON.stringify([environments, inputs].map(sortedEntries))
