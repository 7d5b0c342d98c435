// A body as lines of JSON. Contract violations are marked at their lines.

import { useId, useMemo, useState } from "react"
import type { ContractProblem, JsonValue } from "@callsheet/format"
import { VirtualList } from "../parts/virtual-list.tsx"
import { visibleText } from "../text/visible-text.ts"
import { useLineMenu, type LineProps } from "../values/use-line-menu.tsx"
import { jsonLines, MAX_LINES, type JsonLine } from "./json-lines.ts"

const lineHeight = 20
const MAX_SHOWN = 18
/** The number of lines to show first, however large the body is. */
const firstLines = 5000
const nextLimit = (limit: number): number => Math.min(limit * 10, MAX_LINES)

interface Props {
  readonly what: string
  readonly body: JsonValue
  readonly problems: readonly ContractProblem[]
}

export function BodyView({ what, body, problems }: Props) {
  // A violation can be on any line.
  const [limit, setLimit] = useState(problems.length > 0 ? MAX_LINES : firstLines)
  const lines = useMemo(() => jsonLines(body, limit), [body, limit])
  const marks = useMemo(() => problemsByPointer(problems), [problems])
  const id = useId()
  const { listProps, activeIndex, lineProps, menu } = useLineMenu(id, body, lines)
  const firstMark = lines.findIndex(({ pointer }) => pointer !== undefined && marks.has(pointer))
  return (
    <>
      <VirtualList
        {...listProps}
        id={id}
        className="body-lines"
        role="group"
        aria-label={what}
        tabIndex={0}
        style={{ height: Math.min(lines.length, MAX_SHOWN) * lineHeight + 18 }}
        rows={lines}
        rowHeight={lineHeight}
        activeIndex={activeIndex ?? firstMark}
        render={(line, index) => (
          <Line
            key={index}
            line={line}
            problem={line.pointer === undefined ? undefined : marks.get(line.pointer)}
            use={lineProps(index)}
          />
        )}
      />
      {menu}
      {lines.length < limit ? null : (
        <p className="faint">
          The first {limit.toLocaleString("en")} lines are shown
          {limit < MAX_LINES ? (
            <>
              .{" "}
              <button type="button" className="quiet-button" onClick={() => setLimit(nextLimit(limit))}>
                Show {nextLimit(limit).toLocaleString("en")}
              </button>
            </>
          ) : (
            ". See Raw for more."
          )}
        </p>
      )}
    </>
  )
}

interface LineViewProps {
  readonly line: JsonLine
  readonly problem: string | undefined
  readonly use: LineProps | undefined
}

function Line({ line, problem, use }: LineViewProps) {
  const { key, text, kind, indent } = line
  return (
    <div
      id={use?.id}
      className={[
        "json-line",
        problem === undefined ? "" : "json-line-bad",
        use?.isActive === true ? "json-line-active" : "",
      ].join(" ")}
      onContextMenu={use?.onOpen}
    >
      <span className="json-words" style={{ paddingLeft: `${indent * 2}ch` }}>
        {key === undefined ? null : <span className="json-key">{visibleText(JSON.stringify(key))}: </span>}
        <bdi className={`json-${kind}`}>{visibleText(text)}</bdi>
      </span>
      {use === undefined ? null : <LineButton use={use} />}
      {problem === undefined ? null : <span className="json-problem"> ✕ {visibleText(problem)}</span>}
    </div>
  )
}

/** Opens the menu of a line. The keyboard opens it from the list. */
function LineButton({ use }: { readonly use: LineProps }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className="value-button"
      aria-label="Use the value"
      aria-haspopup="menu"
      onClick={use.onOpen}
    >
      ⋯
    </button>
  )
}

/** Includes only violations of the body. A missing value has no line, so its nearest existing parent is marked. */
function problemsByPointer(problems: readonly ContractProblem[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>()
  for (const { path, message } of problems) {
    if (path !== "/body" && !path.startsWith("/body/")) continue
    const pointer = path.slice("/body".length)
    const before = marks.get(pointer)
    marks.set(pointer, before === undefined ? message : `${before}; ${message}`)
  }
  return marks
}
