// Reads and writes the headers of W3C Trace Context level 2.

import type { RunTrace } from "@callsheet/format"

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly flags: number
}

/** Bit 0: sampled. Bit 1: the trace id is random. A receiver passes on both. */
const KNOWN_FLAGS = 0b11

/** Reads `traceparent`. A later version may have more fields (section 3.2.4). Undefined if it is invalid. */
export function readTraceParent(text: string): TraceParent | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text.trim()) ?? []
  const isZero = /^0*$/.test(traceId) || /^0*$/.test(spanId)
  if (isZero || version === "ff" || (version === "00" && more !== "")) return undefined
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS }
}

export const writeTraceParent = ({ traceId, flags }: Pick<RunTrace, "traceId" | "flags">, spanId: string) =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`

/** Returns `tracestate` if a header can carry it. An invalid one is dropped without a word (section 3.3.1.3). */
export function readTraceState(text: string | undefined): string | undefined {
  const state = text?.trim() ?? ""
  return /^[\x20-\x7e]{1,512}$/.test(state) && state.includes("=") ? state : undefined
}
