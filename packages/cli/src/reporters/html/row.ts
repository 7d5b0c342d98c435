// A block or an iteration in the list of a run's blocks. A finished row is kept as markup.

import {
  innerListOf,
  isUnchecked,
  knownProblems,
  type BlockReport,
  type BlockStatus,
  type RunStatus,
} from "@callsheet/format"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { requestTitle } from "./exchange.ts"
import { markup, Markup } from "./markup.ts"

export interface Row {
  /** The number of lists around it. */
  depth: number
  children: Row[]
  /** The number of blocks and iterations inside for which the page has no room. */
  omitted: number
  iterations: number
  /** The rows of the open iterations of a loop, by index. */
  open: Map<number, Row> | undefined
  status: BlockStatus
  head: Markup
  detail: Markup | undefined
  /** The outermost skipped block around a skipped one, which lists it. */
  skippedIn: Row | undefined
  /** The markup of a row that has ended. It contains the rows of its children. */
  text: Markup | undefined
}

export const newRow = (): Row => ({
  depth: 0,
  children: [],
  omitted: 0,
  iterations: 0,
  open: undefined,
  status: "passed",
  head: markup``,
  detail: undefined,
  skippedIn: undefined,
  text: undefined,
})

/** Lists nest up to this depth, because browsers limit the depth of a page. Deeper ones follow their parent. */
const MAX_DEPTH = 12
/** Longer lists inside a passed row are folded. */
const MAX_OPEN = 20

export const icons: { readonly [S in RunStatus]: Markup } = {
  passed: markup`<span class="good" role="img" aria-label="passed">✓</span>`,
  failed: markup`<span class="bad" role="img" aria-label="failed">✗</span>`,
  error: markup`<span class="bad" role="img" aria-label="could not start">✗</span>`,
  skipped: markup`<span class="muted" role="img" aria-label="skipped">−</span>`,
}

/** Lists a row in another, unless the page has no room for it. */
export function addRow(row: Row, around: Row): void {
  row.depth = around.depth + 1
  around.children.push(row)
}

export function rowMarkup(row: Row): Markup {
  if (row.text !== undefined) return row.text
  const { head, status, detail, depth, children } = row
  const list = listMarkup(row)
  if (detail === undefined && list === undefined) return markup`<li class="${status}">${head}</li>`
  const isOpen = list !== undefined && (status === "failed" || children.length <= MAX_OPEN)
  const isFlat = depth >= MAX_DEPTH
  const folded = markup`<details${isOpen ? new Markup(" open") : undefined}><summary>${head}</summary>${detail}${isFlat ? undefined : list}</details>`
  return isFlat
    ? markup`<li class="${status}">${folded}</li>${children.map(rowMarkup)}${omittedMarkup(row)}`
    : markup`<li class="${status}">${folded}</li>`
}

export function listMarkup(row: Row): Markup | undefined {
  if (row.children.length === 0 && row.omitted === 0) return undefined
  return markup`<ol>${row.children.map(rowMarkup)}${omittedMarkup(row)}</ol>`
}

const omittedMarkup = ({ omitted }: Row): Markup | undefined =>
  omitted === 0
    ? undefined
    : markup`<li class="more">… ${omitted} more, not listed to keep this page small</li>`

/** Returns the line of a finished block. `failure` is the id of its details. */
export function headMarkup(report: BlockReport, iterations: number, failure: string | undefined): Markup {
  const { id, status, error, durationMs, requestProblems = [] } = report
  const name = shorten(id, 200)
  const violations = plural(requestProblems.length, "contract violation")
  const known = knownProblems(report).length
  return markup`${icons[status]} ${failure === undefined ? name : markup`<a href="#${failure}">${name}</a>`} ${whatMarkup(report, iterations)} <small>${formatDuration(durationMs)}</small>${requestProblems.length === 0 ? undefined : markup` <span class="warn">! ${violations}</span>`}${known === 0 ? undefined : markup` <span class="warn">~ ${plural(known, "known violation")}</span>`}${isUnchecked(report) ? markup` <span class="muted">unchecked</span>` : undefined}${status === "failed" && error !== undefined ? markup` <span class="bad">${shorten(error.message, 160)}</span>` : undefined}`
}

function whatMarkup({ type, request, response, assertions }: BlockReport, iterations: number): Markup {
  if (request !== undefined) return requestTitle(request, response)
  if (assertions !== undefined) return markup`<small>${plural(assertions.length, "assertion")}</small>`
  return markup`<small>${innerListOf(type) === "iterations" ? `${type}, ${plural(iterations, "iteration")}` : type}</small>`
}
