// Finds the violations in the events of runs, and what their responses show about the baseline.

import type { EventOf, RunEvent } from "../events/types.ts"
import type { BaselineWatch } from "./baseline-watch.ts"
import type { FoundViolation } from "./update-baseline.ts"
import { violationKey } from "./violation.ts"

interface ViolationFold {
  readonly apply: (event: RunEvent) => void
  /** The distinct violations, in the order of the events. */
  readonly found: () => readonly FoundViolation[]
  /** The number of responses whose violations the events don't contain in full. */
  readonly missed: () => number
}

/** Creates a fold. `watch` observes responses, if the events contain exchanges and coverage. */
export function foldViolations(watch?: BaselineWatch): ViolationFold {
  const received = new Map<string, EventOf<"response.received">>()
  const found = new Map<string, FoundViolation>()
  let missed = 0
  const check = (event: EventOf<"contract.checked">): void => {
    const { contract, found: kept } = event
    const isFailed = contract.problems.length > 0
    const isPartial = contract.unchecked !== undefined || kept?.isCut === true
    if (isFailed && (kept === undefined || kept.isCut === true)) missed++
    const { api, operation, status, violations = [] } = kept ?? {}
    if (api !== undefined && operation !== undefined && status !== undefined)
      for (const place of violations) {
        const key = violationKey({ api, operation, status }, place)
        found.set(key, { api, operation, status, ...place })
      }
    const { response, answers } = received.get(keyOf(event)) ?? {}
    if (watch === undefined || response === undefined || answers === undefined) return
    if (contract.status === "unavailable" || (isFailed && kept === undefined)) return
    watch.observe({
      subject: {
        api: answers.api,
        operation: `${answers.method} ${answers.path}`,
        status: response.status,
      },
      response: { headers: response.headers ?? {}, body: response.body ?? null },
      violations,
      isPartial,
    })
  }
  return {
    apply: (event) => {
      if (watch !== undefined && event.type === "response.received") received.set(keyOf(event), event)
      else if (event.type === "contract.checked") check(event)
      else if (event.type === "block.finished") received.delete(keyOf(event))
    },
    found: () => [...found.values()],
    missed: () => missed,
  }
}

const keyOf = ({ run, block }: { readonly run: number; readonly block: number }): string => `${run} ${block}`
