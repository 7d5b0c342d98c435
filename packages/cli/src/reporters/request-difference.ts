// Formats the differences between a request and the recorded one, one per line.

import type { RequestDifference } from "@callsheet/format"
import type { Style } from "../screen.ts"
import { shorten } from "../text/preview.ts"
import { differingTexts } from "../text/value-texts.ts"

/** The maximum number of differences to show per request. The report contains all of them. */
const MAX_SHOWN = 5

/** Formats each difference: `request body items.0.sku: recorded "A-1", now "A-2"` */
export function requestDifferenceLines(found: readonly RequestDifference[], style: Style): string[] {
  const lines = found.slice(0, MAX_SHOWN).map(({ what, path, recorded, now }) => {
    const place = path === undefined ? what : `${what} ${shorten(path, 100)}`
    const [left, right] = differingTexts(recorded, now, 200)
    const [before, after] = [style("red", left), style("green", right)]
    return `request ${place}: ${style("dim", "recorded")} ${before}${style("dim", ", now")} ${after}`
  })
  const more = found.length - MAX_SHOWN
  return more > 0 ? [...lines, `request: … ${more} more differences`] : lines
}
