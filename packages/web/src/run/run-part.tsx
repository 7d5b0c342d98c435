// The part of a workflow's page for runs: a report and the history.

import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react"
import { suiteOf, type RunPart as Part, type RunSummary as KeptRun } from "@callsheet/server/calls"
import { useOnceTrue } from "../parts/use-once-true.ts"
import { Section } from "../views/section.tsx"
import { History } from "./history.tsx"
import { countsOf, SessionReport } from "./session-report.tsx"
import { useRuns, watchRun, type KnownRun } from "./run-store.ts"
import { countWords } from "./run-summary.tsx"
import { chooseRun, forgetChosenRun, useChosenRun } from "./starts.ts"
import { useKeptRuns, useLatestRuns, useRunForm } from "./use-run-queries.ts"

// Rarely needed, so it isn't part of what opens the page.
const Comparison = lazy(async () => ({ default: (await import("../compare/comparison.tsx")).Comparison }))

interface Props {
  /** The name of the workflow, or the `suiteSubject` of a suite. */
  readonly workflow: string
  readonly children: ReactNode
}

export function RunPart({ workflow, children }: Props) {
  const { data: form, error } = useRunForm(workflow)
  const { kept, shown, known, isOwn, summary, part } = useShownRun(workflow)
  // Render in order, so that nothing is inserted above visible content.
  const isShownRead = shown === undefined || known?.report?.run !== undefined || known?.isDone === true
  const isRead = (form !== undefined || error !== null) && kept !== undefined && isShownRead
  const isWhole = useOnceTrue(isRead, workflow)
  return (
    <div className="run">
      {isWhole ? (
        <>
          <ShownRun
            key={shown}
            run={shown}
            known={known}
            isOwn={isOwn}
            part={part}
            isStopped={summary === undefined ? undefined : summary.isStopped === true}
          />
          <KeptRuns workflow={workflow} runs={kept ?? []} shown={shown} />
          {children}
        </>
      ) : null}
    </div>
  )
}

/** Returns the selected run. Without one, returns the current run or the last one. */
function useShownRun(workflow: string) {
  const kept = useKeptRuns(workflow)
  const going = useLatestRuns()?.going.find((run) => run.workflow === workflow)?.run
  const chosen = useChosenRun(workflow)
  // Keep the value when the run ends: stored runs are reported a moment after the current ones.
  const lastRunning = useRef(going)
  if (going !== undefined) lastRunning.current = going
  const shown = chosen?.run ?? lastRunning.current ?? kept?.[0]?.run
  const known = useRuns((runs) => (shown === undefined ? undefined : runs[shown]))
  useWatch(shown)
  useEffect(() => () => forgetChosenRun(workflow), [workflow])
  const summary = kept?.find(({ run }) => run === shown)
  return { kept, shown, known, isOwn: chosen?.isOwn === true, summary, part: chosen?.part ?? summary?.part }
}

interface KeptRunsProps {
  readonly workflow: string
  readonly runs: readonly KeptRun[]
  readonly shown: string | undefined
}

/** Earlier runs, and a comparison of two. */
function KeptRuns({ workflow, runs, shown }: KeptRunsProps) {
  // Names of runs sort by time.
  const [[before, after], setCompared] = useState<readonly string[]>([])
  return (
    <>
      {runs.length === 0 ? null : (
        <Section title="Runs">
          <History
            runs={runs}
            shown={shown}
            onChoose={(run) => {
              chooseRun(workflow, { run, isOwn: false })
              document.querySelector("#run-report")?.scrollIntoView({ block: "nearest" })
            }}
            onCompare={
              shown === undefined || suiteOf(workflow) !== undefined
                ? undefined
                : (run) => setCompared([run, shown].toSorted())
            }
          />
        </Section>
      )}
      {before === undefined || after === undefined ? null : (
        <Suspense>
          <Comparison
            key={`${before} ${after}`}
            before={before}
            after={after}
            onClose={() => setCompared([])}
          />
        </Suspense>
      )}
    </>
  )
}

function useWatch(run: string | undefined): void {
  useEffect(() => watchRun(run), [run])
  useEffect(() => () => watchRun(undefined), [])
}

interface ShownRunProps {
  readonly run: string | undefined
  readonly known: KnownRun | undefined
  /** True if this page has started the run. */
  readonly isOwn: boolean
  readonly isStopped: boolean | undefined
  readonly part: Part | undefined
}

function ShownRun({ run, known, isOwn, isStopped, part }: ShownRunProps) {
  if (run === undefined) return null
  const report = known?.report
  return (
    <section id="run-report" className="section" aria-label="Report of the run">
      <h2 className="only-read">Report</h2>
      <EndOfRun known={known} isOwn={isOwn} isStopped={isStopped} />
      {report?.run === undefined ? (
        <>
          <p className="run-summary faint">
            {known?.isDone === true ? "This run no longer exists." : "Loading the run…"}
          </p>
          {known?.isDone === true ? null : <EmptyReport />}
        </>
      ) : (
        <SessionReport
          report={report}
          isDone={known?.isDone === true}
          part={part}
          isStopped={isStopped === true}
        />
      )}
    </section>
  )
}

const EmptyReport = () => (
  <div className="report">
    <div className="report-outline" />
    <div className="report-detail" />
  </div>
)

/** Announces the end of a run to screen readers, even if it was too short to be shown. */
function EndOfRun({ known, isOwn, isStopped }: Omit<ShownRunProps, "run" | "part">) {
  const wasRunning = useRef(isOwn)
  const isRunning = known?.isDone === false
  if (isRunning) wasRunning.current = true
  const report = known?.report
  const hasEnded =
    wasRunning.current && known?.isDone === true && report?.run !== undefined && isStopped !== undefined
  return (
    <p className="only-read" role="status">
      {isRunning ? "The run has started." : ""}
      {hasEnded
        ? `The run has ended: ${isStopped ? "stopped" : report.status}, ${countWords(countsOf(report.runs))}.`
        : ""}
    </p>
  )
}
