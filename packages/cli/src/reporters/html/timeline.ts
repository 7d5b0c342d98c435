// Shows when a run sent each request, in a table with numbers and bars.

import type { OpenBlock } from "@callsheet/format"
import { formatDuration } from "../../text/measures.ts"
import { pathOf } from "../block-path.ts"
import { requestTitle } from "./exchange.ts"
import { moreOf } from "./failure.ts"
import { markup, type Budget, type Markup } from "./markup.ts"

interface TimedRequest {
  readonly cells: Markup
  readonly startMs: number
  readonly durationMs: number
}

/** Collects the requests of one run. */
export class Timeline {
  count = 0
  readonly #listed: TimedRequest[] = []

  /** `runStartMs` is when the run started, in milliseconds since 1970. */
  add<Own>(block: OpenBlock<Own>, runStartMs: number, room: Budget): void {
    const { request, response, status, durationMs: blockMs } = block.report
    if (request === undefined) return
    this.count++
    // After a request that didn't fit, add no more, because a table with gaps would mislead.
    if (block.startMs === undefined || this.#listed.length < this.count - 1) return
    const startMs = Math.max(0, block.startMs - runStartMs)
    const durationMs = response?.durationMs ?? blockMs
    const cells = markup`<tr class="${status}"><th scope="row">${pathOf(block)} ${requestTitle(request, response)}</th><td>${formatDuration(startMs)}</td><td>${formatDuration(durationMs)}</td>`
    if (room.take(markup`${cells}<td>${barMarkup(startMs, durationMs, 1)}</td></tr>`))
      this.#listed.push({ cells, startMs, durationMs })
  }

  /** Returns the table, or undefined if it is empty. */
  table(): Markup | undefined {
    const listed = this.#listed.toSorted((one, other) => one.startMs - other.startMs)
    if (listed.length === 0) return undefined
    const end = listed.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 1)
    const rows = listed.map(
      ({ cells, startMs, durationMs }) =>
        markup`${cells}<td>${barMarkup(startMs, durationMs, end)}</td></tr>`,
    )
    const head = ["Request", "Start", "Duration"].map((name) => markup`<th scope="col">${name}</th>`)
    return markup`<table class="timeline"><thead><tr>${head}<td>${axisMarkup(end)}</td></tr></thead><tbody>${rows}</tbody></table>${moreOf(this.count - listed.length, "requests, left out to keep this page small")}`
  }
}

/** The labels above the bars: their distance from the start in quarters of the line. */
const quarters = [0, 1, 2, 3, 4] as const
const anchors = ["start", "middle", "middle", "middle", "end"] as const

/** Returns the labels of a line from 0 to `end`. Their number never depends on times, which differ in every run. */
function axisMarkup(end: number): Markup {
  const labels = quarters.map(
    (quarter) =>
      markup`<text x="${quarter * 25}%" y="11" text-anchor="${anchors[quarter]}">${formatDuration((quarter * end) / 4)}</text>`,
  )
  return markup`<svg aria-hidden="true" class="axis" width="100%" height="14">${labels}</svg>`
}

const percentOf = (ms: number, end: number): string => `${Math.round((1000 * ms) / Math.max(end, 1)) / 10}%`

/** Returns a bar on a line that ends at `end`. */
export function barMarkup(startMs: number, durationMs: number, end: number): Markup {
  return markup`<svg aria-hidden="true" width="100%" height="8"><rect x="${percentOf(startMs, end)}" width="${percentOf(durationMs, end)}" height="8" rx="2" fill="currentColor"/></svg>`
}
