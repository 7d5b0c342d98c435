// The baseline of a session: which violations it lists, and what its responses show about the entries.

import {
  dayOf,
  isExpired,
  requireBaseline,
  watchBaseline,
  type BaselineFile,
  type BaselineWatch,
  type ViolationPlace,
  type ViolationSubject,
} from "@callsheet/format"

export interface RunBaseline extends Pick<BaselineWatch, "observe" | "stale"> {
  /** Says how a violation counts. */
  readonly judge: (subject: ViolationSubject, place: ViolationPlace) => KnownVerdict
}

export type KnownVerdict = "known" | "new" | { readonly expired: string }

interface BaselineUse {
  /** The current time in milliseconds since 1970. */
  readonly now: number
  /** True if the session adds what the baseline doesn't list, so that it doesn't fail. */
  readonly updates: boolean
}

/** Opens the baseline. Throws the errors of its file. */
export function openBaseline(file: BaselineFile | undefined, { now, updates }: BaselineUse): RunBaseline {
  const watch = watchBaseline(file === undefined ? [] : requireBaseline(file).entries)
  const today = dayOf(now)
  return {
    ...watch,
    judge: (subject, place) => {
      const entry = watch.find(subject, place)
      if (entry === undefined) return updates ? "known" : "new"
      return entry.expires !== undefined && isExpired(entry, today) ? { expired: entry.expires } : "known"
    },
  }
}
