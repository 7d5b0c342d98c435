// The trace of a run or a block, as reports show it, with its address in the tracing system.

import type { BlockReport, RunReport, RunTrace } from "./types.ts"

interface ShownTrace {
  readonly traceId: string
  /** Absent if nobody set `traceUrl`, or if the address isn't one of the web. */
  readonly url?: string | undefined
}

type TracedRun = Pick<RunReport, "traceId" | "traceUrl">

/** Returns the fields of a traced run's report. A record may contain any address, so only one of the web is shown. */
export function tracedRun({ traceId, url = "" }: RunTrace): TracedRun {
  const traceUrl = url.replaceAll("{traceId}", () => encodeURIComponent(traceId))
  return /^https?:\/\//i.test(traceUrl) && URL.canParse(traceUrl) ? { traceId, traceUrl } : { traceId }
}

/** Returns the trace of a block. Undefined if the block has no span. */
export function traceOf(
  { traceId, traceUrl }: TracedRun,
  block: Pick<BlockReport, "spanId" | "traceId">,
): ShownTrace | undefined {
  if (traceId === undefined || block.spanId === undefined) return undefined
  if (block.traceId === undefined) return { traceId, url: traceUrl }
  const own = block.traceId
  return { traceId: own, url: traceUrl?.replaceAll(traceId, () => encodeURIComponent(own)) }
}
