// The selected block's last run: its exchange, its assertions, or the iterations of a loop.

import { useMemo, useState } from "react"
import { ChevronLeft, ChevronRight } from "lucide-react"
import type { BlockReport, JsonValue } from "@callsheet/format"
import { BlockDetail, BlockParts } from "../../runs/report/block-detail.tsx"
import { blockIds, writtenId } from "@callsheet/language"
import { BlockRefusalNote } from "../../forms/authentication/refusal-note.tsx"
import { duration } from "../../ui/formats.ts"
import { ComparePassing } from "../../runs/report/compare-passing.tsx"
import { FailureList } from "../../runs/report/failure-list.tsx"
import { failuresIn } from "../../runs/report/failures.ts"
import type { ShownReport } from "../../connection/follow-run.ts"
import { ReportOutline } from "../../runs/report/report-outline.tsx"
import { reportRows, rowIndex } from "../../runs/report/report-rows.ts"
import { SnapshotNotice, SnapshotRunProvider } from "../../runs/report/snapshot-notice.tsx"
import { RunSummary, RunWarnings } from "../../runs/report/run-summary.tsx"
import { useShownRun } from "../../runs/state/shown-run.ts"
import { StatusMark } from "../../runs/marks/status-mark.tsx"
import { addAssertions, pathOf } from "../../kinds/values/value-edits.ts"
import { ValueSourceProvider } from "../../kinds/values/value-button.tsx"
import { perform } from "../../kinds/values/value-items.ts"
import type { BlockOutcome } from "../outline/block-outcomes.ts"
import type { OutlineRow } from "../../blocks/block-rows.ts"

interface Props {
  readonly workflow: string
  readonly value: JsonValue
  readonly row: OutlineRow | undefined
  /** Undefined if the block hasn't run. */
  readonly outcome: BlockOutcome | undefined
  readonly isAtWork: ShownReport["isAtWork"]
}

export function BlockResult({ workflow, value, row, outcome, isAtWork }: Props) {
  const [chosen, setChosen] = useState<number>()
  const { reports = [] } = outcome ?? {}
  const failed = reports.findIndex(({ status }) => status === "failed")
  const index = Math.min(chosen ?? Math.max(failed, 0), reports.length - 1)
  const report = reports[index]
  const { known, shown } = useShownRun(workflow)
  if (row?.row !== "block" || report === undefined)
    return (
      <section className="result" aria-label="Result" data-part="" tabIndex={0}>
        <h2 className="only-read">Result</h2>
        <RunResult workflow={workflow} isOfBlock={row?.row === "block"} />
      </section>
    )
  const isUnchecked = outcome?.status === "unchecked"
  const status = isAtWork(report) ? "running" : isUnchecked ? "unchecked" : report.status
  return (
    <section className="result" aria-label="Result" data-part="" tabIndex={0}>
      <h2 className="only-read">Result</h2>
      <header className="result-head">
        <StatusMark status={status} />
        <span>{isUnchecked ? "ran, not checked" : status}</span>
        {status === "running" || status === "skipped" ? null : (
          <span className="faint">{duration(report.durationMs)}</span>
        )}
        {status === "failed" ? <ComparePassing workflow={workflow} block={report.id} /> : null}
        {reports.length > 1 ? <Steps index={index} length={reports.length} onStep={setChosen} /> : null}
      </header>
      <BlockRefusalNote
        status={report.response?.status}
        block={row.value}
        environments={known?.report?.run?.environments ?? {}}
      />
      {isUnchecked ? <UncheckedNote workflow={workflow} block={row.id} report={report} /> : null}
      <SnapshotRunProvider value={known?.isDone === true ? shown : undefined}>
        <Report
          key={index}
          workflow={workflow}
          value={value}
          written={row.id}
          report={report}
          isAtWork={isAtWork}
          isUnchecked={isUnchecked}
        />
      </SnapshotRunProvider>
    </section>
  )
}

interface UncheckedProps {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
  readonly report: BlockReport
}

/** Offers to check an error response that nothing checks. */
function UncheckedNote({ workflow, block, report: { response } }: UncheckedProps) {
  const status = response?.status
  if (status === undefined || status < 400) return null
  const assert = (): void =>
    perform(workflow, (document) =>
      addAssertions(document, block, [
        { source: pathOf({ block, steps: ["response", "status"] }), operator: "equals", value: status },
      ]),
    )
  return (
    <p className="unchecked-note">
      <span>Nothing checks this response, so the block passes with {status}.</span>
      <button type="button" className="button" onClick={assert}>
        Assert status is {status}
      </button>
    </p>
  )
}

interface RunResultProps {
  readonly workflow: string
  /** True if a block is selected, which has no result. */
  readonly isOfBlock: boolean
}

/** What is shown without a block's result: the run. */
function RunResult({ workflow, isOfBlock }: RunResultProps) {
  const { known, shown, summary, part } = useShownRun(workflow)
  const { report, isDone = false } = known ?? {}
  const { run } = report ?? {}
  if (run === undefined)
    return (
      <p className="result-empty">
        Run the workflow to see what {isOfBlock ? "this block" : "it"} does.{" "}
        <span>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </p>
    )
  return (
    <>
      {isOfBlock ? <p className="faint">The last run did not reach this block.</p> : null}
      <RunSummary report={run} isDone={isDone} isStopped={summary?.isStopped === true} part={part} />
      {isDone && run.error === undefined ? <FailureList failures={failuresIn(run)} /> : null}
      {isDone && report !== undefined && shown !== undefined ? (
        <SnapshotNotice run={shown} report={report} />
      ) : null}
      <RunWarnings warnings={report?.warnings ?? []} />
    </>
  )
}

interface StepsProps {
  readonly index: number
  readonly length: number
  readonly onStep: (index: number) => void
}

/** Chooses one of the iterations of the loop around the block. */
function Steps({ index, length, onStep }: StepsProps) {
  const step = (to: number): void => onStep((to + length) % length)
  return (
    <span className="result-steps">
      <button
        type="button"
        className="quiet-button"
        aria-label="Previous iteration"
        onClick={() => step(index - 1)}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <span>
        {(index + 1).toLocaleString("en")} of {length.toLocaleString("en")}
      </span>
      <button
        type="button"
        className="quiet-button"
        aria-label="Next iteration"
        onClick={() => step(index + 1)}
      >
        <ChevronRight aria-hidden="true" />
      </button>
    </span>
  )
}

interface ReportProps extends Pick<Props, "workflow" | "value" | "isAtWork"> {
  /** The block's id in the file. */
  readonly written: string
  readonly report: BlockReport
  /** True if a note offers to assert the status. */
  readonly isUnchecked: boolean
}

function Report({ workflow, value, written, report, isAtWork, isUnchecked }: ReportProps) {
  const source = useMemo(() => ({ workflow, block: written, steps: [] }), [workflow, written])
  if (report.iterations === undefined)
    return (
      <ValueSourceProvider value={source}>
        <BlockParts block={report} workflow={workflow} written={written} isStatusOffered={isUnchecked} />
      </ValueSourceProvider>
    )
  return <Iterations workflow={workflow} value={value} report={report} isAtWork={isAtWork} />
}

function Iterations({ workflow, value, report, isAtWork }: Omit<ReportProps, "written" | "isUnchecked">) {
  const written = useMemo(() => blockIds(value), [value])
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map([["0", true]]))
  const [chosen, setChosen] = useState("0")
  const rows = useMemo(
    () => reportRows({ run: { blocks: [report] }, isAtWork }, choices),
    [report, isAtWork, choices],
  )
  const index = Math.max(0, rowIndex(rows, chosen))
  const row = rows[index]
  return (
    <div className="report">
      <div className="report-list">
        <ReportOutline
          rows={rows}
          activeIndex={index}
          onSelect={({ id }) => setChosen(id)}
          onToggle={(id, isOpen) => setChoices(new Map(choices).set(id, isOpen))}
        />
      </div>
      <div className="report-detail">
        {row === undefined ? null : (
          <BlockDetail
            key={row.id}
            row={row}
            workflow={workflow}
            written={row.block === undefined ? undefined : writtenId(row.block.id, written)}
          />
        )}
      </div>
    </div>
  )
}
