// The report of one run, or of several: a list of them, and the selected one.

import { OutcomeMark, StatusMark } from "../marks/status-mark.tsx"
import { useMemo, useState, type CSSProperties, type KeyboardEvent } from "react"
import { uncheckedErrors, type JsonObject, type MessageView, type RunReport } from "@callsheet/format"
import type { FileName, RunPart } from "@callsheet/server/calls"
import { useOpenFile } from "../../files/open-files.ts"
import { movedIndex } from "../../ui/list-keys.ts"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { blockIds } from "@callsheet/language"
import type { ShownReport } from "../../connection/follow-run.ts"
import { blockCounts } from "./failures.ts"
import { RunBlocksProvider } from "./read-exchange.tsx"
import { ReportView } from "./report-view.tsx"
import { countWords, RunSummary, RunWarnings } from "./run-summary.tsx"
import { count, duration } from "../../ui/formats.ts"
import { ItemList } from "../response/item-list.tsx"
import type { ListedItems } from "../response/listed-items.ts"

interface Props {
  readonly report: ShownReport
  readonly isDone: boolean
  readonly part: RunPart | undefined
  readonly isStopped: boolean
}

export function SessionReport({ report, isDone, part, isStopped }: Props) {
  const { runs, status } = report
  const [chosen, setChosen] = useState<number>()
  const last = runs.length - 1
  const failed = runs.findIndex(isFailed)
  const index = chosen ?? (isDone ? Math.max(failed, 0) : last)
  const run = runs[index]
  const isEnded = isDone || index < last
  if (run === undefined) return null
  const isSingle = runs.length === 1 && run.suite === undefined
  return (
    <>
      {isSingle ? null : (
        <>
          <div className="run-summary">
            <OutcomeMark status={isDone ? status : "running"} isStopped={isStopped} />
            <span>{countWords(countsOf(isDone ? runs : runs.slice(0, last)))}</span>
          </div>
          <RunList runs={runs} index={index} isDone={isDone} onSelect={setChosen} />
        </>
      )}
      <RunSummary
        report={run}
        isDone={isEnded}
        part={part}
        isStopped={isStopped && run.status === "failed"}
        isListed={isSingle && isDone}
      />
      <RunWarnings warnings={report.warnings} />
      {run.arrived === undefined ? null : <ArrivedMessages arrived={run.arrived} isDone={isEnded} />}
      {run.blocks.length === 0 && isEnded ? null : <OneReport key={index} report={report} run={run} />}
    </>
  )
}

interface ArrivedProps {
  readonly arrived: NonNullable<RunReport["arrived"]>
  readonly isDone: boolean
}

/** Returns a message as a block reads it. */
const asRead = ({ body, contract, ...message }: MessageView): JsonObject => ({
  ...message,
  ...(body === undefined ? {} : { body }),
  ...(contract === undefined
    ? {}
    : { contract: { ...contract, problems: contract.problems.map((problem) => ({ ...problem })) } }),
})

/** The messages of the inbox as they arrive, whether a block has read them or not. */
function ArrivedMessages({ arrived: { messages, latest }, isDone }: ArrivedProps) {
  const listed: ListedItems = {
    what: "message",
    words: latest.length < messages ? `the latest ${latest.length}` : "",
    total: messages,
    items: latest.map(asRead),
    steps: [],
    isGoing: !isDone,
  }
  return (
    <details className="run-warnings" open>
      <summary>{`${count(messages, "message")} in the inbox`}</summary>
      <ItemList listed={listed} problems={[]} ticks={undefined} />
    </details>
  )
}

const isFailed = ({ status }: RunReport): boolean => status === "failed" || status === "error"

/** Counts the blocks of one run, or several runs. */
export function countsOf(runs: readonly RunReport[]): RunReport["counts"] {
  const [only] = runs
  if (only !== undefined && runs.length === 1 && only.suite === undefined) return blockCounts(only)
  const failed = runs.filter(isFailed).length
  const skipped = runs.filter(({ status }) => status === "skipped").length
  const unchecked = runs.filter(({ counts }) => counts.unchecked !== undefined).length
  return { passed: runs.length - failed - skipped, failed, skipped, unchecked }
}

function OneReport({ report, run }: { readonly report: ShownReport; readonly run: RunReport }) {
  const { workflow } = run
  const file = useMemo((): FileName => ({ kind: "workflow", workflow }), [workflow])
  const { value } = useOpenFile(file)
  const written = useMemo(() => blockIds(value), [value])
  const shown = useMemo(
    () => ({ ...report, run, unchecked: value === undefined ? undefined : uncheckedErrors(run, value) }),
    [report, run, value],
  )
  return (
    <RunBlocksProvider value={run.blocks}>
      <ReportView workflow={workflow} written={written} report={shown} />
    </RunBlocksProvider>
  )
}

const ROW_HEIGHT = 24
const domId = (index: number): string => `run-${index}`

interface ListProps {
  readonly runs: readonly RunReport[]
  readonly index: number
  readonly isDone: boolean
  readonly onSelect: (index: number) => void
}

function RunList({ runs, index, isDone, onSelect }: ListProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = movedIndex(event.key, index, runs.length)
    if (next === undefined) return
    event.preventDefault()
    onSelect(next)
  }
  return (
    <VirtualList
      className="run-list"
      role="listbox"
      aria-label="Runs of this session"
      tabIndex={0}
      aria-activedescendant={domId(index)}
      onKeyDown={onKeyDown}
      rows={runs}
      rowHeight={ROW_HEIGHT}
      activeIndex={index}
      render={(run, at) => (
        <RunRow
          key={at}
          id={domId(at)}
          run={run}
          isSelected={at === index}
          isRunning={!isDone && at === runs.length - 1}
          onSelect={() => onSelect(at)}
        />
      )}
    />
  )
}

interface RowProps {
  readonly id: string
  readonly run: RunReport
  readonly isSelected: boolean
  readonly isRunning: boolean
  readonly onSelect: () => void
}

function RunRow({ id, run, isSelected, isRunning, onSelect }: RowProps) {
  const { workflow, entry = workflow, role, status, durationMs } = run
  const shown = isRunning ? "running" : status === "error" ? "failed" : status
  return (
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={`report-row report-row-${shown} ${isSelected ? "report-row-active" : ""}`}
      style={{ "--depth": 1 } as CSSProperties}
      onClick={onSelect}
    >
      <StatusMark status={shown} />
      <span className="report-label">
        <ShownText text={entry} /> <span className="faint">{detailsOf(run)}</span>
      </span>
      <span className="report-kind">{role}</span>
      <span className="report-time">{isRunning || status === "skipped" ? "" : duration(durationMs)}</span>
    </div>
  )
}

const detailsOf = ({ row, repeat, attempt, flaky }: RunReport): string =>
  [
    row === undefined ? "" : `row ${row.toLocaleString("en")}`,
    repeat === undefined ? "" : `repetition ${repeat.toLocaleString("en")}`,
    attempt === undefined ? "" : `attempt ${attempt.toLocaleString("en")}`,
    flaky === true ? "flaky" : "",
  ]
    .filter((word) => word !== "")
    .join(", ")
