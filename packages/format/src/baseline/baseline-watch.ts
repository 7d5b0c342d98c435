// Compares the responses of runs with the baseline: which known violations appeared, and which certainly did not.

import { getOrCreate } from "../memo.ts"
import type { JsonObject } from "../json/value.ts"
import type { BaselineEntry } from "./baseline-shape.ts"
import { couldShow, violationKey, type ViolationPlace, type ViolationSubject } from "./violation.ts"

/** A response that was checked against its contract. */
interface ObservedResponse {
  readonly subject: ViolationSubject
  /** Its status, headers and body. */
  readonly response: JsonObject
  readonly violations: readonly ViolationPlace[]
  /** True if violations of the body may be missing: it wasn't checked, or had too many. */
  readonly isPartial: boolean
}

interface Watched {
  readonly entry: BaselineEntry
  readonly key: string
  isReached: boolean
  isSeen: boolean
}

export interface BaselineWatch {
  readonly find: (subject: ViolationSubject, place: ViolationPlace) => BaselineEntry | undefined
  readonly observe: (observed: ObservedResponse) => void
  /** The entries whose violation appeared. */
  readonly seen: () => readonly BaselineEntry[]
  /** The entries whose operation was reached, but whose violation didn't appear. */
  readonly stale: () => readonly BaselineEntry[]
}

const UNDOCUMENTED_STATUS = "/status"

export function watchBaseline(entries: readonly BaselineEntry[]): BaselineWatch {
  const watched = entries.map((entry): Watched => ({
    entry,
    key: violationKey(entry, entry),
    isReached: false,
    isSeen: false,
  }))
  const byKey = new Map<string, Watched[]>()
  /** The entries that no response has reached yet. */
  const waiting = new Map<string, Watched[]>()
  for (const one of watched) {
    getOrCreate(byKey, one.key, () => []).push(one)
    getOrCreate(waiting, groupOf(one.entry), () => []).push(one)
  }
  const list = (chosen: (one: Watched) => boolean): readonly BaselineEntry[] =>
    watched.filter(chosen).map(({ entry }) => entry)
  return {
    // Of equal entries, the one that holds longest counts.
    find: (subject, place) =>
      byKey
        .get(violationKey(subject, place))
        ?.map(({ entry }) => entry)
        .reduce((best, next) => ((next.expires ?? "9999") > (best.expires ?? "9999") ? next : best)),
    observe: ({ subject, response, violations, isPartial }) => {
      for (const place of violations)
        for (const one of byKey.get(violationKey(subject, place)) ?? []) one.isSeen = true
      for (const group of [groupOf(subject), groupOf({ ...subject, path: UNDOCUMENTED_STATUS })]) {
        const left = waiting.get(group)
        if (left === undefined) continue
        const still = left.filter((one) => {
          one.isReached =
            !(isPartial && one.entry.path.startsWith("/body")) && couldShow(one.entry.path, response)
          return !one.isReached
        })
        if (still.length === 0) waiting.delete(group)
        else waiting.set(group, still)
      }
    },
    seen: () => list(({ isSeen }) => isSeen),
    stale: () => list(({ isReached, isSeen }) => isReached && !isSeen),
  }
}

/** Any response of the operation shows that an undocumented status is gone; other entries wait for their status. */
const groupOf = ({ api, operation, status, path }: ViolationSubject & { readonly path?: string }): string =>
  JSON.stringify([api, operation, path === UNDOCUMENTED_STATUS ? "any" : status])
