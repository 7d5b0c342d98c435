// Two runs side by side: the blocks that differ, and the differences of the selected block.

import { useMemo, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import {
  compareRuns,
  isDifferent,
  type BlockComparison,
  type BlockDifference as Difference,
  type BlockReport,
  type RunReport,
} from "@callsheet/format"
import { readFaultOf } from "../../connection/fault-of.ts"
import { comparisonQuery, reportQuery } from "../../connection/queries.ts"
import { movedIndex } from "../../ui/list-keys.ts"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { OutcomeMark, StatusMark } from "../marks/status-mark.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { BlockDifference, isOtherRequest, type BaseUrls } from "./block-difference.tsx"
import { count, clock, duration } from "../../ui/formats.ts"

const once = { staleTime: "static", gcTime: 0 } as const

interface Props {
  readonly before: string
  readonly after: string
  /** The id of the block to select first. */
  readonly block?: string | undefined
  /** What is known of the files of both runs. */
  readonly files: string
  readonly onClose: () => void
}

export function Comparison({ before, after, block, files, onClose }: Props) {
  const first = useQuery({ ...reportQuery(before), ...once })
  const second = useQuery({ ...reportQuery(after), ...once })
  const compared = useQuery({ ...comparisonQuery(before, after), ...once })
  const error = first.error ?? second.error ?? compared.error
  const [opener] = useState(() => document.activeElement)
  const close = (): void => {
    onClose()
    if (opener instanceof HTMLElement) opener.focus()
  }
  return (
    <section id="run-comparison" className="section comparison" aria-label="Comparison of two runs">
      <div className="comparison-head">
        <h2>Comparison</h2>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
      {first.data === undefined || second.data === undefined || compared.data === undefined ? (
        <p className="faint">
          {error === null ? "Loading the runs…" : <LongText text={readFaultOf(error)} />}
        </p>
      ) : (
        <Compared before={first.data} after={second.data} differences={compared.data} {...{ block, files }} />
      )}
    </section>
  )
}

interface ComparedProps {
  readonly before: RunReport
  readonly after: RunReport
  /** The differences of responses, by the key of the block. */
  readonly differences: ReadonlyMap<string, readonly Difference[]>
  readonly block: Props["block"]
  readonly files: string
}

function Compared({ before, after, differences, block, files }: ComparedProps) {
  const { all, different, bases } = useBlocks({ before, after, differences })
  const [showsAll, setShowsAll] = useState(false)
  const [chosen, setChosen] = useState(() => all.find(({ id }) => id === block)?.key)
  const rows = showsAll ? all : different
  const found = rows.findIndex(({ key }) => key === chosen)
  const active = found === -1 ? Math.min(0, rows.length - 1) : found
  const row = rows[active]
  return (
    <>
      <p className="comparison-count" role="status">
        {different.length === 0
          ? `All ${count(all.length, "block")} are the same.`
          : `${count(different.length, "block")} of ${all.length.toLocaleString("en")} differ.`}{" "}
        <button type="button" className="quiet-button" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show differences only" : "Show all"}
        </button>{" "}
        {files}
      </p>
      {row === undefined ? (
        <RunHeads before={before} after={after} />
      ) : (
        <div className="report">
          <VirtualList
            className="report-outline"
            role="listbox"
            aria-label="Blocks of both runs"
            tabIndex={0}
            aria-activedescendant={`comparison-${active}`}
            onKeyDown={(event) => {
              const next = movedIndex(event.key, active, rows.length)
              if (next === undefined) return
              event.preventDefault()
              setChosen(rows[next]?.key)
            }}
            rows={rows}
            rowHeight={24}
            activeIndex={active}
            render={(each, index) => (
              <Row
                key={each.key}
                row={each}
                note={noteOf(each, bases, differences.get(each.key))}
                index={index}
                size={rows.length}
                isActive={index === active}
                onSelect={() => setChosen(each.key)}
              />
            )}
          />
          <div className="report-detail">
            <RunHeads before={before} after={after} />
            <BlockDifference key={row.key} row={row} differences={differences.get(row.key) ?? []} />
          </div>
        </div>
      )}
    </>
  )
}

const baseUrlsOf = ({ environments }: RunReport): readonly string[] =>
  Object.values(environments).flatMap(({ baseUrl }) => baseUrl ?? [])

/** The blocks of both runs, and those that differ. */
function useBlocks({ before, after, differences }: Pick<ComparedProps, "before" | "after" | "differences">) {
  const all = useMemo(() => compareRuns(before, after), [before, after])
  const bases = useMemo(() => ({ before: baseUrlsOf(before), after: baseUrlsOf(after) }), [before, after])
  const different = useMemo(
    () => all.filter((row) => isDifferent(row, differences.get(row.key)) || isOtherRequest(row, bases)),
    [all, differences, bases],
  )
  return { all, different, bases }
}

/** The heading of the two columns. It stays in view above the differences of a block. */
function RunHeads({ before, after }: { readonly before: RunReport; readonly after: RunReport }) {
  return (
    <dl className="run-heads">
      {[before, after].map(({ status, startedAt, durationMs, environments }, index) => (
        <div key={index}>
          <dt>{index === 0 ? "Before" : "After"}</dt>
          <dd>
            <OutcomeMark status={status} isStopped={false} />
            <span>{clock(startedAt)}</span>
            <span className="faint">{duration(durationMs)}</span>
            <span className="faint">
              <ShownText
                text={Object.entries(environments)
                  .map(([api, { name }]) => `${api}: ${name}`)
                  .join(", ")}
              />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface RowProps {
  readonly row: BlockComparison
  /** What differs, in a few words. */
  readonly note: string
  readonly index: number
  readonly size: number
  readonly isActive: boolean
  readonly onSelect: () => void
}

function Row({ row, note, index, size, isActive, onSelect }: RowProps) {
  const { id, depth, iteration, before, after } = row
  return (
    <div
      id={`comparison-${index}`}
      role="option"
      aria-selected={isActive}
      aria-posinset={index + 1}
      aria-setsize={size}
      className={`report-row ${isActive ? "report-row-active" : ""}`}
      onClick={onSelect}
    >
      <span className="comparison-marks">
        <SideMark block={before} />
        <span aria-hidden="true">→</span>
        <SideMark block={after} />
      </span>
      <span className="report-label">
        {depth === 0 ? "" : "· ".repeat(Math.min(depth, 8))}
        <ShownText text={id} />
        {iteration === undefined ? null : <span className="faint"> #{iteration.toLocaleString("en")}</span>}
      </span>
      <span className="report-kind" title={note}>
        {note}
      </span>
    </div>
  )
}

const SideMark = ({ block }: { readonly block: BlockReport | undefined }) =>
  block === undefined ? (
    <span className="status-mark" aria-hidden="true">
      ·
    </span>
  ) : (
    <StatusMark status={block.status} />
  )

/** Says what differs, such as `200 → 503, body`. Noise isn't worth a word. */
function noteOf(row: BlockComparison, bases: BaseUrls, differences: readonly Difference[] = []): string {
  const { before, after, changes } = row
  if (before === undefined) return "only after"
  if (after === undefined) return "only before"
  const differs = (what: Difference["what"]): boolean =>
    differences.some((difference) => difference.what === what && !difference.noise)
  const status = changes.find(({ what }) => what === "status")
  return [
    status === undefined ? "" : `${status.before || "none"} → ${status.after || "none"}`,
    changes.some(({ what }) => what === "assertion") ? "assertions" : "",
    isOtherRequest(row, bases) ? "request" : "",
    differs("body") ? "body" : "",
    differs("header") ? "headers" : "",
    differs("contract") ? "contract" : "",
  ]
    .filter((word) => word !== "")
    .join(", ")
}
