// The part of a workflow's page for runs: a report and the history.

import { SnapshotNotice, SnapshotRunProvider } from "./report/snapshot-notice.tsx"
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react"
import { ownOf, type Problem } from "@callsheet/format"
import {
  suiteOf,
  type RunPart as Part,
  type RunSummary as KeptRun,
  type RunSummary,
} from "@callsheet/server/calls"
import { later } from "../ui/later.tsx"
import { useOnceTrue } from "../ui/use-once-true.ts"
import { countsOf, SessionReport } from "./report/session-report.tsx"
import type { KnownRun } from "../connection/run-store.ts"
import { useShownRun } from "./state/shown-run.ts"
import { countWords } from "./report/run-summary.tsx"
import { chooseRun, compareRuns, useCompared } from "./state/starts.ts"
import { useIsRunRead } from "./state/use-run-queries.ts"
import { OutcomeMark, PartTag } from "./marks/status-mark.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { clock, duration } from "../ui/formats.ts"
import { Section } from "../files/page-parts.tsx"

// Rarely needed, so it isn't part of what opens the page.
const [Comparison] = later(async () => (await import("./compare/comparison.tsx")).Comparison)

interface Props {
  /** The name of the workflow, or the `suiteSubject` of a suite. */
  readonly workflow: string
  /** The parts below the runs. Receives the problems that the shown report lists. */
  readonly children: (reported: readonly Problem[]) => ReactNode
}

const none: readonly Problem[] = []

export function RunPart({ workflow, children }: Props) {
  const { kept, shown, known, isOwn, summary, part } = useShownRun(workflow)
  // The next time, the page shows the last run again.
  useEffect(() => () => chooseRun(workflow, undefined), [workflow])
  // Render in order, so that nothing is inserted above visible content.
  const isShownRead = shown === undefined || known?.report?.run !== undefined || known?.isDone === true
  const isWhole = useOnceTrue(useIsRunRead(workflow) && isShownRead, workflow)
  return (
    <div className="run">
      {isWhole ? (
        <>
          <KeptRuns workflow={workflow} runs={kept ?? []} shown={shown} />
          <ShownRun
            key={shown}
            run={shown}
            known={known}
            isOwn={isOwn}
            part={part}
            isStopped={summary === undefined ? undefined : summary.isStopped === true}
          />
          {children(known?.report?.run?.error?.problems ?? none)}
        </>
      ) : null}
    </div>
  )
}

interface KeptRunsProps {
  readonly workflow: string
  readonly runs: readonly KeptRun[]
  readonly shown: string | undefined
}

/** Earlier runs, and a comparison of two. */
function KeptRuns({ workflow, runs, shown }: KeptRunsProps) {
  const compared = useCompared(workflow)
  return (
    <>
      {runs.length === 0 ? null : (
        <Section title="Runs">
          <History
            runs={runs}
            shown={shown}
            onChoose={(run) => chooseRun(workflow, { run, isOwn: false })}
            onCompare={
              shown === undefined || suiteOf(workflow) !== undefined
                ? undefined
                : (run) => {
                    // Names of runs sort by time.
                    const [before = run, after = run] = [run, shown].toSorted()
                    compareRuns(workflow, { before, after })
                  }
            }
          />
        </Section>
      )}
      {compared === undefined ? null : (
        <Comparison
          key={`${compared.before} ${compared.after}`}
          {...compared}
          files={filesWords(runs, compared)}
          onClose={() => compareRuns(workflow, undefined)}
        />
      )}
    </>
  )
}

/** Says whether the files of the workflow were the same in both runs. Empty if that isn't known. */
function filesWords(
  runs: readonly KeptRun[],
  { before, after }: { readonly before: string; readonly after: string },
): string {
  const [one, other] = [before, after].map((run) => {
    const kept = runs.find((each) => each.run === run)
    return kept && ownOf(kept.results, kept.workflow)
  })
  if (one === undefined || other === undefined) return ""
  if (one.file !== other.file) return "The workflow file changed between the runs."
  return one.uses === other.uses
    ? "Both runs used the same workflow, scripts and saved requests."
    : "A script or a saved request changed between the runs."
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
        <SnapshotRunProvider value={known?.isDone === true ? run : undefined}>
          {known?.isDone === true ? <SnapshotNotice run={run} report={report} /> : null}
          <SessionReport
            report={report}
            isDone={known?.isDone === true}
            part={part}
            isStopped={isStopped === true}
          />
        </SnapshotRunProvider>
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

interface HistoryProps {
  readonly runs: readonly RunSummary[]
  readonly shown: string | undefined
  readonly onChoose: (run: string) => void
  /** Absent for suites, whose runs can't be compared. */
  readonly onCompare: ((run: string) => void) | undefined
}

/** The number of runs that are listed at first. Their height is reserved, so that a new run moves nothing. */
const FEW_RUNS = 3

/** The stored runs. Selecting one shows its report. */
function History({ runs, shown, onChoose, onCompare }: HistoryProps) {
  const [isWhole, setWhole] = useState(false)
  const few = runs.slice(0, FEW_RUNS)
  const isShownListed = shown === undefined || few.some(({ run }) => run === shown)
  const listed = isWhole || !isShownListed ? runs : few
  return (
    <>
      <ul className="history" style={{ "--rows": FEW_RUNS } as CSSProperties}>
        {listed.map(({ run, status, startedAt, durationMs, environments, isStopped, part }) => (
          <li key={run} className="history-line">
            <button
              type="button"
              className="history-run"
              aria-current={run === shown}
              onClick={() => onChoose(run)}
            >
              <OutcomeMark status={status} isStopped={isStopped === true} />
              <span>{clock(startedAt)}</span>
              <span className="run-times">{duration(durationMs)}</span>
              <span className="faint">
                <PartTag part={part} />{" "}
                <ShownText
                  text={Object.entries(environments)
                    .map(([api, name]) => `${api}: ${name}`)
                    .join(", ")}
                />
              </span>
            </button>
            {shown === undefined || run === shown || onCompare === undefined ? null : (
              <button
                type="button"
                className="quiet-button history-compare"
                aria-label={`Compare the run of ${clock(startedAt)} with the one shown`}
                onClick={() => onCompare(run)}
              >
                Compare
              </button>
            )}
          </li>
        ))}
      </ul>
      {listed.length === runs.length ? null : (
        <button type="button" className="quiet-button" onClick={() => setWhole(true)}>
          Show all {runs.length.toLocaleString("en")} runs
        </button>
      )}
    </>
  )
}
