// The last run in one line: its outcome, and why it failed. A click or F8 goes to the block that failed.

import { useEffect, useMemo, useRef } from "react"
import {
  rawBlocks,
  uncheckedErrors,
  type BlockReport,
  type JsonPointer,
  type JsonValue,
  type Problem,
  type RunReport,
} from "@callsheet/format"
import type { OpenFile } from "../files/file-state.ts"
import { failedBlocks, failureText } from "../runs/report/failures.ts"
import { countWords } from "../runs/report/run-summary.tsx"
import { useShownRun } from "../runs/state/shown-run.ts"
import { OutcomeMark } from "../runs/marks/status-mark.tsx"
import { useOutcomes } from "../runs/state/use-run-queries.ts"
import { blockIds, writtenId } from "@callsheet/language"
import { ProblemLink } from "../files/problem-list.tsx"
import { duration } from "../ui/formats.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { useBehindPaint } from "../ui/use-behind-paint.ts"
import { usePageKeys } from "../ui/use-page-keys.ts"
import { visibleText } from "../ui/visible-text.ts"
import { keyOf } from "../blocks/block-place.ts"
import { editorNow, selectBlocks } from "../blocks/editor-state.ts"
import { showPart, type WorkflowPart } from "../routes/workflow-part.ts"

interface Props {
  readonly workflow: string
  readonly part: WorkflowPart
  readonly open: OpenFile
}

export function RunHeadline({ workflow, part, open }: Props) {
  const { shown, known, isOwn, summary, kept } = useShownRun(workflow)
  const outcome = useOutcomes().get(workflow)
  const isDone = known?.isDone === true
  const run = isDone ? known.report?.run : undefined
  const { isDirty } = open
  // A run may have 100,000 blocks, which must not delay a keystroke.
  const value = useBehindPaint(open.value)
  const findings = useMemo(() => findingsOf(run, value), [run, value])
  const places = useMemo(() => placesOf(findings, value), [findings, value])
  const goTo = (step: 1 | -1): void => {
    const { active } = editorNow(workflow)
    const at = places.findIndex((place) => keyOf(place) === active)
    const next = places.at(at === -1 ? (step === 1 ? 0 : -1) : (at + step) % places.length)
    if (next === undefined) return
    selectBlocks(workflow, [next], value)
    showPart(workflow, "editor")
  }
  // The report moves among its own rows.
  usePageKeys(({ key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented }) =>
    key !== "F8" || ctrlKey || metaKey || altKey || defaultPrevented || part === "runs" || places.length === 0
      ? undefined
      : () => goTo(shiftKey ? -1 : 1),
  )
  useFirstFindingSelected({ workflow, value }, places[0], isOwn && run !== undefined ? shown : undefined)
  if (known === undefined) return null
  if (run === undefined) return isDone ? null : <OutcomeMark status="running" isStopped={false} />
  const [first] = findings
  const isStopped = summary?.isStopped === true
  const isLast = kept?.[0]?.run === shown
  const isOld = isDirty || (isLast && outcome?.isEdited === true)
  const age = isOld ? " before your edits" : ""
  if (run.error !== undefined) return <NotStarted error={run.error} isListed={part === "runs"} />
  if (first === undefined || isStopped)
    return (
      <span className={isOld ? "headline-words mark-edited" : "headline-words"}>
        <OutcomeMark status={run.status} isStopped={isStopped} />{" "}
        <span className="faint">
          {isOld ? "before your edits" : countWords(run.counts)} · {duration(run.durationMs)}
        </span>
      </span>
    )
  const hasFailed = first.status === "failed"
  const [verdict, reason] = hasFailed
    ? ["failed", failureText(first)]
    : ["not checked", `${first.id} answered ${first.response?.status ?? ""}`]
  const words = `${findings.length.toLocaleString("en")} ${verdict}${age}: ${reason}`
  return (
    <button
      type="button"
      className={hasFailed ? "headline-failure" : "headline-failure headline-unchecked"}
      title={`${visibleText(words)} (F8)`}
      onClick={() => goTo(1)}
    >
      <span aria-hidden="true">{hasFailed ? "✕" : "!"} </span>
      <ShownText text={words} />
    </button>
  )
}

/** The failed blocks. In a run that passed, the blocks with an error response that nothing checks. */
function findingsOf(run: RunReport | undefined, value: JsonValue | undefined): readonly BlockReport[] {
  if (run === undefined) return []
  const failed = [...failedBlocks(run)]
  return failed.length > 0 || value === undefined ? failed : [...uncheckedErrors(run, value)]
}

interface NotStartedProps {
  readonly error: NonNullable<RunReport["error"]>
  /** True if the report below lists the reasons. */
  readonly isListed: boolean
}

/** Says why a run couldn't start, with a link to where that is set. */
function NotStarted({ error: { message, problems }, isListed }: NotStartedProps) {
  const [problem] = problems
  return (
    <>
      <OutcomeMark status="error" isStopped={false} />
      {isListed ? null : (
        <span className="headline-words" title={visibleText(message)}>
          <ShownText text={problem?.message ?? message} />
        </span>
      )}
      {problem?.file === undefined ? null : <ProblemLink problem={problem}>{linkWords(problem)}</ProblemLink>}
    </>
  )
}

const linkWords = ({ code }: Problem): string => (code === "variable-missing" ? "Set value" : "Go to it")

/** Returns the pointers in the file to the blocks of a report, each once. */
function placesOf(reports: readonly BlockReport[], value: JsonValue | undefined): readonly JsonPointer[] {
  if (value === undefined || reports.length === 0) return []
  const written = blockIds(value)
  const ids = new Set(reports.map(({ id }) => id))
  const wanted = new Set([...ids].map((id) => writtenId(id, written)))
  return [...rawBlocks(value)]
    .filter(({ block }) => typeof block["id"] === "string" && wanted.has(block["id"]))
    .map(({ pointer }) => pointer())
}

interface Place {
  readonly workflow: string
  readonly value: JsonValue | undefined
}

/** Selects the first finding once when a run ends that this page has started. */
function useFirstFindingSelected(
  { workflow, value }: Place,
  first: JsonPointer | undefined,
  ended: string | undefined,
): void {
  const seen = useRef(ended)
  useEffect(() => {
    if (ended === undefined || ended === seen.current) return
    seen.current = ended
    if (first !== undefined) selectBlocks(workflow, [first], value)
  }, [workflow, value, first, ended])
}
