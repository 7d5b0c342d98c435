// Contract coverage as tables.

import type { ApiCoverage, Coverage, OperationCoverage } from "@callsheet/format"
import { shorten } from "../../text/preview.ts"
import { shareText } from "../coverage.ts"
import { moreOf } from "./failure.ts"
import { Budget, markup, type Markup } from "./markup.ts"

/** Returns a table per API. Operations beyond `bytes` are counted. */
export function coverageMarkup({ apis }: Coverage, bytes: number): readonly Markup[] {
  const budget = new Budget(bytes)
  return apis.map((api) => apiMarkup(api, budget))
}

function apiMarkup({ api, details, operations, statuses, mediaTypes }: ApiCoverage, budget: Budget): Markup {
  const rows: Markup[] = []
  for (const operation of details) {
    const row = rowOf(operation)
    if (!budget.take(row)) break
    rows.push(row)
  }
  return markup`<h3>${shorten(api, 200)}</h3><p>Operations ${shareText(operations)}, statuses ${shareText(statuses)}, media types ${shareText(mediaTypes)}.</p><table class="coverage"><thead><tr><th scope="col">Operation</th><th scope="col">Statuses</th><th scope="col">Blocks</th></tr></thead><tbody>${rows}</tbody></table>${moreOf(details.length - rows.length, "operations")}`
}

function rowOf({ operation, method, path, blocks, answers, undocumented }: OperationCoverage): Markup {
  const target = `${method} ${path}`
  const statuses = [
    ...answers.map(({ status, blocks: by, unchecked }) =>
      by.length > 0
        ? markup`<span class="good" title="exercised">✓ ${status}</span> ${unchecked === undefined ? undefined : markup`<span class="muted">(unchecked)</span> `}`
        : markup`<span class="muted" title="not exercised">− ${status}</span> `,
    ),
    ...undocumented.map((status) => markup`<span class="warn" title="undocumented">? ${status}</span> `),
  ]
  const isUsed = blocks.length > 0
  return markup`<tr><th scope="row"><span class="${isUsed ? "good" : "muted"}">${isUsed ? "✓" : "−"}</span> ${operation === target ? undefined : markup`${shorten(operation, 200)} `}<code>${shorten(target, 200)}</code></th><td>${statuses.slice(0, 30)}</td><td>${isUsed ? shorten(blocks.slice(0, 3).join(", "), 300) : markup`<span class="muted">none</span>`}${blocks.length > 3 ? ` and ${blocks.length - 3} more` : undefined}</td></tr>`
}
