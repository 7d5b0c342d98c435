// The tools of a report: a filter, steps between failures, and the choice of blocks or timeline.

import type { ReportFilter } from "./report-rows.ts"

interface Props {
  readonly filter: ReportFilter
  readonly onFilter: (filter: ReportFilter) => void
  readonly isTimeline: boolean
  readonly onTimeline: (isTimeline: boolean) => void
  readonly onFailure: (step: 1 | -1) => void
}

export function ReportTools({ filter, onFilter, isTimeline, onTimeline, onFailure }: Props) {
  return (
    <div className="report-tools" role="toolbar" aria-label="Report tools">
      <input
        type="search"
        className="report-filter"
        aria-label="Filter the report"
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={filter.text}
        onChange={({ target }) => onFilter({ ...filter, text: target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") onFilter({ ...filter, text: "" })
        }}
      />
      <button
        type="button"
        className="tool"
        aria-pressed={filter.isFailedOnly}
        onClick={() => onFilter({ ...filter, isFailedOnly: !filter.isFailedOnly })}
      >
        Failed only
      </button>
      <button
        type="button"
        className="tool"
        title="Previous failure (Shift F8)"
        onClick={() => onFailure(-1)}
      >
        <span aria-hidden="true">↑</span>
        <span className="only-read">Previous failure</span>
      </button>
      <button type="button" className="tool" title="Next failure (F8)" onClick={() => onFailure(1)}>
        <span aria-hidden="true">↓</span>
        <span className="only-read">Next failure</span>
      </button>
      <button
        type="button"
        className="tool report-view-choice"
        aria-pressed={isTimeline}
        onClick={() => onTimeline(!isTimeline)}
      >
        Timeline
      </button>
    </div>
  )
}
