// The outcome of a run in one line, with the reason if it was aborted.

import { OutcomeMark, PartTag } from "../marks/status-mark.tsx"
import { useEffect, useState } from "react"
import type { ReportWarning, RunReport, RunSkipReason } from "@callsheet/format"
import type { RunPart } from "@callsheet/server/calls"
import { useConnection } from "../../connection/connection.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { RunFault } from "../marks/block-fault.tsx"
import { blockCounts } from "./failures.ts"
import { ProblemList } from "../../files/problem-list.tsx"
import { clock, count, duration } from "../../ui/formats.ts"

interface Props {
  readonly report: RunReport
  readonly isDone: boolean
  readonly isStopped: boolean
  readonly part: RunPart | undefined
  /** True if the list of runs beside it shows the environments of this run. */
  readonly isListed?: boolean
}

export function RunSummary({ report, isDone, isStopped, part, isListed = false }: Props) {
  const { status, counts, durationMs, startedAt, environments, inputs, error, reason } = report
  return (
    <>
      <div className="run-summary">
        <OutcomeMark status={isDone ? status : "running"} isStopped={isStopped} />
        <PartTag part={part} />
        {reason === undefined ? null : <span>{skipWords[reason]}</span>}
        <span>{countWords(isDone ? blockCounts(report) : counts)}</span>
        <span className="run-times">{isDone ? duration(durationMs) : <Elapsed since={startedAt} />}</span>
        <span className="run-times">{clock(startedAt)}</span>
        {isListed
          ? null
          : Object.entries(environments).map(([api, { name, service }]) =>
              service?.is === "inbox" ? null : (
                <span key={api} className="tag">
                  <ShownText text={`${api}: ${name}`} />
                </span>
              ),
            )}
        {Object.entries(environments).map(([api, { service, baseUrl }]) =>
          service?.is === "inbox" && baseUrl !== undefined ? (
            <span key={api} className="tag" title="Where the inbox receives messages during this run">
              <ShownText text={`${api} at ${baseUrl}`} />
            </span>
          ) : null,
        )}
        {Object.entries(inputs).map(([name, value]) => (
          <span key={name} className="tag run-input">
            <ShownText text={`${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`} />
          </span>
        ))}
      </div>
      <RunFault error={error} />
    </>
  )
}

/** The warnings of a session, folded if there are several. */
export function RunWarnings({ warnings }: { readonly warnings: readonly ReportWarning[] }) {
  if (warnings.length === 0) return null
  return (
    <details className="run-warnings" open={warnings.length <= 3}>
      <summary>{count(warnings.length, "warning")}</summary>
      <ProblemList
        problems={warnings.map((warning) => ({ ...warning, severity: "warning" as const }))}
        showsFiles
      />
    </details>
  )
}

const skipWords: { readonly [R in RunSkipReason]: string } = {
  unresolved: "an input reads a block that did not run",
  halted: "a run before it failed",
  bail: "too many runs failed",
  refused: "other workflows could not start",
}

/** Such as `12 passed, 1 failed`. */
export function countWords({
  passed,
  failed,
  skipped,
  unchecked = 0,
  known = 0,
}: RunReport["counts"]): string {
  const words = [
    `${passed.toLocaleString("en")} passed`,
    failed === 0 ? "" : `${failed.toLocaleString("en")} failed`,
    skipped === 0 ? "" : `${skipped.toLocaleString("en")} skipped`,
    unchecked === 0 ? "" : `${unchecked.toLocaleString("en")} unchecked`,
    known === 0 ? "" : `${known.toLocaleString("en")} known ${known === 1 ? "violation" : "violations"}`,
  ]
  return words.filter((word) => word !== "").join(", ")
}

/** The time since the start. Pauses while the connection is lost. */
function Elapsed({ since }: { readonly since: string }) {
  const isHeard = useConnection(({ status }) => status === "open")
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isHeard) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isHeard])
  return <>{duration(Math.max(0, now - new Date(since).getTime()))}</>
}
