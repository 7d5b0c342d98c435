// The result of a single request: its outcome in one line, its error, and the exchange.

import type { BodyType, RunReport } from "@callsheet/format"
import { BlockFault, RunFault } from "./block-fault.tsx"
import { duration } from "./durations.ts"
import { ExchangeView } from "./exchange-view.tsx"
import type { KnownRun } from "./run-store.ts"
import { StatusMark } from "./status-mark.tsx"

interface Props {
  readonly known: KnownRun | undefined
  readonly bodyType: BodyType | undefined
}

export function SentExchange({ known, bodyType }: Props) {
  const run = known?.report?.run
  const isDone = known?.isDone === true
  if (run !== undefined) return <Sent run={run} isDone={isDone} bodyType={bodyType} />
  return <p className="send-outcome faint">{isDone ? "This request is no longer available." : "Sending…"}</p>
}

interface SentProps {
  readonly run: RunReport
  readonly isDone: boolean
  readonly bodyType: BodyType | undefined
}

function Sent({ run, isDone, bodyType }: SentProps) {
  const { error, durationMs } = run
  const [block] = run.blocks
  const status = outcomeOf(run, isDone)
  return (
    <div className="send-result" role="region" aria-label="Sent request">
      <p className="send-outcome" role="status">
        <span className={`outcome outcome-${status}`}>
          <StatusMark status={status} />
          {block?.response !== undefined && block.status === "passed"
            ? `answered with ${block.response.status}`
            : words[block?.reason === "cancelled" ? "cancelled" : status]}
        </span>
        {isDone ? <span className="run-times">{duration(durationMs)}</span> : null}
      </p>
      <RunFault error={error} />
      {block?.error === undefined ? null : <BlockFault error={block.error} />}
      {block === undefined ? null : <ExchangeView block={block} bodyType={bodyType} />}
    </div>
  )
}

/** A response with an error status isn't shown as passed, although sending it succeeded. */
function outcomeOf({ status, blocks: [block] }: RunReport, isDone: boolean) {
  if (!isDone) return "running"
  const isRefused = (block?.response?.status ?? 0) >= 400
  return status === "error" || isRefused ? "failed" : (block?.status ?? "failed")
}

const words = {
  running: "Sending…",
  passed: "answered",
  failed: "failed",
  skipped: "not sent",
  cancelled: "canceled",
} as const
