// The requests of a run on a common time axis, in the order in which they were sent.

import { useMemo, type KeyboardEvent } from "react"
import type { BlockReport } from "@callsheet/format"
import { movedIndex } from "../../ui/list-keys.ts"
import { VirtualList } from "../../ui/virtual-list.tsx"
import type { ShownReport } from "../../connection/follow-run.ts"
import { RequestLine } from "./report-outline.tsx"
import { isIteration, partsIn, type Matches, type ReportRow } from "./report-rows.ts"
import { StatusMark } from "../marks/status-mark.tsx"
import { duration } from "../../ui/formats.ts"

const ROW_HEIGHT = 24
const domId = (index: number): string => `timeline-${index}`

interface TimedRequest {
  readonly id: string
  readonly block: BlockReport
  /** Milliseconds since the first request. */
  readonly startMs: number
  readonly durationMs: number
}

interface Props {
  readonly report: ShownReport
  readonly matches: Matches
  readonly chosen: ReportRow | undefined
  readonly onSelect: (id: string) => void
}

export function RequestTimeline({ report, matches, chosen, onSelect }: Props) {
  const requests = useMemo(() => timedRequests(report, matches), [report, matches])
  const endMs = useMemo(
    () => requests.reduce((end, { startMs, durationMs }) => Math.max(end, startMs + durationMs), 1),
    [requests],
  )
  const active = requests.findIndex(({ block }) => block === chosen?.block)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = requests[movedIndex(event.key, active, requests.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.id)
  }
  if (requests.length === 0) return <p className="faint report-empty">No request has a start time.</p>
  return (
    <VirtualList
      className="report-outline"
      role="listbox"
      aria-label={`Requests over ${duration(endMs)}`}
      tabIndex={0}
      aria-activedescendant={active < 0 ? undefined : domId(active)}
      onKeyDown={onKeyDown}
      rows={requests}
      rowHeight={ROW_HEIGHT}
      activeIndex={active}
      render={(request, index) => (
        <TimelineRow
          key={request.id}
          domId={domId(index)}
          request={request}
          endMs={endMs}
          isActive={index === active}
          onSelect={() => onSelect(request.id)}
        />
      )}
    />
  )
}

interface RowProps {
  readonly domId: string
  readonly request: TimedRequest
  readonly endMs: number
  readonly isActive: boolean
  readonly onSelect: () => void
}

function TimelineRow({ domId: id, request, endMs, isActive, onSelect }: RowProps) {
  const { block, startMs, durationMs } = request
  const percent = (timeMs: number): string => `${(100 * timeMs) / endMs}%`
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={`report-row timeline-row report-row-${block.status} ${isActive ? "report-row-active" : ""}`}
      onClick={onSelect}
    >
      <StatusMark status={block.status} />
      <RequestLine block={block} />
      <span className="timeline-track" aria-hidden="true">
        <span className="timeline-bar" style={{ left: percent(startMs), width: percent(durationMs) }} />
      </span>
      <span className="report-time" title={`Sent ${duration(startMs)} after the first request`}>
        {duration(durationMs)}
      </span>
    </div>
  )
}

function timedRequests({ run }: ShownReport, matches: Matches): readonly TimedRequest[] {
  const found: TimedRequest[] = []
  for (const place of partsIn(run?.blocks ?? [])) {
    const { part } = place
    if (isIteration(part) || part.startMs === undefined || matches?.has(part) === false) continue
    const durationMs = part.response?.durationMs ?? part.durationMs
    found.push({ id: place.id, block: part, startMs: part.startMs, durationMs })
  }
  found.sort((one, other) => one.startMs - other.startMs)
  const first = found[0]?.startMs ?? 0
  return found.map((request) => ({ ...request, startMs: request.startMs - first }))
}
