// A body as lines of JSON, with what its contract finds wrong marked at the line that it is about.

import { useMemo } from "react"
import type { ContractProblem, JsonValue } from "@callsheet/format"
import { VirtualList } from "../parts/virtual-list.tsx"
import { visibleText } from "../text/visible-text.ts"
import { jsonLines, mostLines, type JsonLine } from "./json-lines.ts"

const lineHeight = 20
const mostShown = 18

interface Props {
  readonly what: string
  readonly body: JsonValue
  readonly problems: readonly ContractProblem[]
}

export function BodyView({ what, body, problems }: Props) {
  const lines = useMemo(() => jsonLines(body), [body])
  const marks = useMemo(() => problemsByPointer(problems), [problems])
  const firstMark = lines.findIndex(({ pointer }) => pointer !== undefined && marks.has(pointer))
  return (
    <>
      <VirtualList
        className="body-lines"
        role="group"
        aria-label={what}
        tabIndex={0}
        style={{ height: Math.min(lines.length, mostShown) * lineHeight + 18 }}
        rows={lines}
        rowHeight={lineHeight}
        activeIndex={firstMark}
        render={(line, index) => (
          <Line
            key={index}
            line={line}
            problem={line.pointer === undefined ? undefined : marks.get(line.pointer)}
          />
        )}
      />
      {lines.length < mostLines ? null : (
        <p className="faint">The first {mostLines.toLocaleString("en")} lines are shown; Raw has more.</p>
      )}
    </>
  )
}

function Line({ line, problem }: { readonly line: JsonLine; readonly problem: string | undefined }) {
  const { key, text, kind, indent } = line
  return (
    <div className={problem === undefined ? "json-line" : "json-line json-line-bad"}>
      <span className="json-words" style={{ paddingLeft: `${indent * 2}ch` }}>
        {key === undefined ? null : <span className="json-key">{visibleText(JSON.stringify(key))}: </span>}
        <bdi className={`json-${kind}`}>{visibleText(text)}</bdi>
      </span>
      {problem === undefined ? null : <span className="json-problem"> ✕ {visibleText(problem)}</span>}
    </div>
  )
}

/** Of the body alone. What is missing has no line: it is marked at the closest value around it by its path. */
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
