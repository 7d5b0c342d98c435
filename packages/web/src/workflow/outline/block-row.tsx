// A row of the outline: kind, summary and description of a block, its problems, and its last outcome.

import type { CSSProperties } from "react"
import { childFieldsOf, isJsonObject, type JsonValue, type Problem } from "@callsheet/format"
import { blockSummary } from "../../kinds/index.ts"
import { HttpStatus, StatusMark } from "../../runs/marks/status-mark.tsx"
import { MethodBadge } from "../../ui/badges.tsx"
import { DescriptionLine } from "../../ui/description-line.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import type { BlockOutcome } from "./block-outcomes.ts"
import type { BlockRow, BranchRow, OutlineRow } from "../../blocks/block-rows.ts"
import { isEmptyContainer } from "../../blocks/block-place.ts"
import { KindMark } from "./kind-mark.tsx"
import { treeItem, Fold } from "../../ui/tree-row.tsx"
import { count, duration } from "../../ui/formats.ts"

interface Props {
  readonly row: OutlineRow
  readonly domId: string
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly drop: { readonly at: "above" | "below" | "into"; readonly depth: number } | undefined
  readonly problem: Problem["severity"] | undefined
  readonly outcome: BlockOutcome | undefined
  readonly onToggle: () => void
}

export function BlockRowView({ row, domId, isActive, isSelected, drop, problem, outcome, onToggle }: Props) {
  const { depth, isOpen } = row
  const classes = [
    "wf-row",
    row.row === "branch" ? "wf-row-branch" : "",
    isActive ? "wf-row-active" : "",
    outcome === undefined ? "" : `wf-row-${outcome.status}`,
    drop === undefined ? "" : `wf-drop-${drop.at}`,
  ]
  const style = { "--depth": Math.min(depth, 24), "--drop": Math.min(drop?.depth ?? 1, 24) }
  return (
    <div
      id={domId}
      {...treeItem(row, isSelected)}
      data-key={row.key}
      className={classes.join(" ")}
      style={style as CSSProperties}
    >
      <Fold isOpen={isOpen} onToggle={onToggle} />
      {row.row === "branch" ? <BranchWords row={row} /> : <BlockWords row={row} depth={depth} />}
      {problem === undefined ? null : <ProblemMark severity={problem} />}
      {outcome === undefined ? null : <Outcome outcome={outcome} />}
    </div>
  )
}

function ProblemMark({ severity }: { readonly severity: Problem["severity"] }) {
  return (
    <span className={`severity severity-${severity}`}>
      <span aria-hidden="true" className="severity-mark">
        {severity === "error" ? "✕" : "!"}
      </span>
      <span className="only-read">{severity}</span>
    </span>
  )
}

/** The attribute of what adds a block to its row when it is pressed. */
export const addHere = "data-add-here"

/** For the mouse. On the keyboard, `a` does the same. */
const AddHere = () => (
  <span aria-hidden="true" className="wf-add-here" {...{ [addHere]: "" }}>
    Add a block here
  </span>
)

function BranchWords({ row }: { readonly row: BranchRow }) {
  return (
    <span className="wf-words">
      <span className="wf-line">
        <span className="wf-branch">{row.branch}</span>{" "}
        {row.blocks === 0 ? (
          <>
            <span className="only-read">empty</span>
            <AddHere />
          </>
        ) : (
          <span className="wf-summary">{count(row.blocks, "block")}</span>
        )}
      </span>
    </span>
  )
}

function BlockWords({ row, depth }: { readonly row: BlockRow; readonly depth: number }) {
  const summary = blockSummary(row.value)
  const description = descriptionOf(row.value)
  return (
    <>
      <KindMark kind={row.kind} type={typeOf(row.value)} />
      <span className="wf-words">
        <span className="wf-line">
          <span className="wf-id">{row.id === "" ? "no id" : <ShownText text={row.id} />}</span>
          {depth > 24 ? <span className="wf-depth"> level {depth}</span> : null}
        </span>{" "}
        <span className="wf-line wf-second">
          <span className="wf-summary">
            <ShownText text={summary} />
          </span>{" "}
          {/* A condition shows its branches below it. */}
          {childFieldsOf(row.kind).length === 1 && isEmptyContainer(row) ? <AddHere /> : null}
          {description === "" ? null : (
            <span className="wf-note">
              <DescriptionLine text={description} />
            </span>
          )}
        </span>
      </span>
    </>
  )
}

const descriptionOf = (value: JsonValue): string =>
  isJsonObject(value) && typeof value["description"] === "string" ? value["description"] : ""

const typeOf = (value: JsonValue): string =>
  isJsonObject(value) && typeof value["type"] === "string" ? value["type"] : ""

/** What the last run did, as in its report: request, status and time, or the iterations of a loop. */
function Outcome({ outcome: { status, rounds, failed = 0, reports } }: { readonly outcome: BlockOutcome }) {
  const [only] = reports
  const isTimed = status === "passed" || status === "failed"
  return (
    <span className="wf-outcome">
      {rounds !== undefined ? (
        <span className="wf-rounds">
          {failed > 0 ? `${failed.toLocaleString("en")} of ` : "× "}
          {rounds.toLocaleString("en")}
          <span className="only-read">{failed > 0 ? " iterations failed" : " iterations"}</span>
        </span>
      ) : only === undefined ? null : (
        <>
          {only.request === undefined ? null : <MethodBadge method={only.request.method} />}
          {only.response === undefined ? null : <HttpStatus status={only.response.status} />}
          {isTimed ? <span className="wf-time">{duration(only.durationMs)}</span> : null}
        </>
      )}
      <StatusMark status={status} />
    </span>
  )
}
