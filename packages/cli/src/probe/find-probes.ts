// Turns the answers to probes into findings.

import type { FindingKind, JsonValue, KnownFinding } from "@callsheet/format"
import { VALID } from "@callsheet/language"
import { judgeAnswer } from "@callsheet/openapi"
import type { Probe } from "./plan-probes.ts"
import type { SentProbe } from "./probe-fold.ts"

export interface Found {
  readonly probe: Probe
  readonly kind: FindingKind
  readonly status: number | null
}

/** What `callsheet probe --json` prints. */
export interface ProbeReport {
  readonly requests: number
  readonly findings: readonly ProbeFinding[]
}

export interface ProbeFinding {
  readonly operation: string
  readonly parameter: string
  readonly value: JsonValue
  readonly status: number | null
  readonly kind: FindingKind
  readonly workflow: string
  /** The number of its row, from 1. */
  readonly row: number
}

export function findingsIn(sent: readonly SentProbe[]): readonly Found[] {
  return sent.flatMap(({ probe, status, isValid }) => {
    const { operation } = probe.draft
    // A server that doesn't answer a valid request may not be there at all.
    if (status === undefined || (status === null && probe.rule === VALID)) return []
    const kind = judgeAnswer({ operation, isValid, status })
    return kind === undefined ? [] : [{ probe, kind, status }]
  })
}

/** Returns whether the baseline lists a finding. It names the operation as the finding does, or by method and path. */
export function isKnown(known: readonly KnownFinding[], api: string, { probe, kind }: Found): boolean {
  const { name, method, path } = probe.draft.operation
  return known.some(
    (one) =>
      one.kind === kind &&
      one.parameter === probe.parameter &&
      (one.api === undefined || one.api === api) &&
      (one.operation === name || one.operation === `${method} ${path}`),
  )
}
