// Counts the blocks, requests and assertions of runs: live from their events, and at the end from their reports.

import type { BlockReport, RunEvent, RunReport } from "@callsheet/format"
import { isIteration, partsIn } from "./report-rows.ts"

const kinds = ["blocks", "requests", "assertions"] as const

export type Totals = {
  readonly [K in (typeof kinds)[number]]: { passed: number; failed: number }
}

export const noTotals = (): Totals => ({
  blocks: { passed: 0, failed: 0 },
  requests: { passed: 0, failed: 0 },
  assertions: { passed: 0, failed: 0 },
})

export function sumOf(all: readonly Totals[]): Totals {
  const sum = noTotals()
  for (const totals of all)
    for (const kind of kinds)
      for (const status of ["passed", "failed"] as const) sum[kind][status] += totals[kind][status]
  return sum
}

type Counted = Pick<BlockReport, "status" | "assertions"> & { readonly isRequest: boolean }

function add(totals: Totals, { status, isRequest, assertions = [] }: Counted): void {
  if (status !== "skipped") {
    totals.blocks[status]++
    if (isRequest) totals.requests[status]++
  }
  for (const { status: one } of assertions) if (one !== "undecidable") totals.assertions[one]++
}

/** Counts events as they arrive. Events that the page missed don't count. */
export function createLiveTotals() {
  const totals = noTotals()
  const sent = new Set<string>()
  const hear = (event: RunEvent): void => {
    if (event.type === "request.sent") sent.add(`${event.run} ${event.block}`)
    else if (event.type === "assertions.checked")
      add(totals, { status: "skipped", isRequest: false, assertions: event.assertions })
    else if (event.type === "block.finished")
      add(totals, { status: event.status, isRequest: sent.delete(`${event.run} ${event.block}`) })
  }
  return { totals, hear }
}

export function totalsOf(runs: readonly RunReport[]): Totals {
  const totals = noTotals()
  for (const { blocks } of runs)
    for (const { part } of partsIn(blocks))
      if (!isIteration(part)) add(totals, { ...part, isRequest: part.request !== undefined })
  return totals
}
