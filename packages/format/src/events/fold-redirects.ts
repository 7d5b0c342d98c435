// Folds redirects that lead to the same place again and again.

import type { RedirectView } from "./types.ts"

interface FoldedRedirect extends RedirectView {
  /** The number of times in a row. */
  readonly times: number
}

/** Joins equal redirects in a row. */
export function foldRedirects(redirects: readonly RedirectView[]): readonly FoldedRedirect[] {
  const folded: FoldedRedirect[] = []
  for (const redirect of redirects) {
    const last = folded.at(-1)
    const { status, url, method, dropped } = redirect
    const isSame =
      last?.status === status && last.url === url && method === undefined && dropped === undefined
    if (isSame) folded[folded.length - 1] = { ...last, times: last.times + 1 }
    else folded.push({ ...redirect, times: 1 })
  }
  return folded
}

/** Returns ` (3 times)`, or nothing for a single redirect. */
export const timesText = (times: number): string => (times === 1 ? "" : ` (${times} times)`)
