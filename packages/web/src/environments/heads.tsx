// The headers of columns (environments) and rows (variables).

import { memo } from "react"
import type { EnvironmentColumn, VariableView } from "@callsheet/server/calls"
import { LevelBadge } from "../ui/level-badge.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { cellId } from "./cell.tsx"
import { measures } from "./use-window.ts"
import { typeWords } from "./value-text.ts"

interface ColumnProps {
  readonly environment: EnvironmentColumn
  readonly column: number
  readonly columnWidth: number
  readonly isActive: boolean
  /** True for the environment in the route. */
  readonly isShown: boolean
}

export const ColumnHead = memo(function ColumnHead(props: ColumnProps) {
  const { environment, column, columnWidth, isActive, isShown } = props
  const { name, extends: parent, effectiveLevel, effectiveVerify, isBroken } = environment
  return (
    <div
      id={cellId(-1, column)}
      role="columnheader"
      aria-colindex={column + 2}
      aria-haspopup="menu"
      tabIndex={isActive ? 0 : -1}
      data-row={-1}
      data-column={column}
      className={`env-cell env-head ${isShown ? "env-head-shown" : ""}`}
      style={{ left: measures.names + column * columnWidth, width: columnWidth }}
    >
      <span className="env-head-name" title={visibleText(name.slice(0, 300))}>
        <ShownText text={name} />
      </span>
      <span className="env-head-facts">
        <LevelBadge level={effectiveLevel} />
        {isBroken ? <span className="tag env-tag-bad">broken</span> : null}
        {effectiveVerify ? null : <span className="tag env-tag-bad">TLS not verified</span>}
      </span>
      <span className="env-note">
        {parent === undefined ? null : (
          <>
            extends <ShownText text={parent} />
          </>
        )}
      </span>
      <span aria-hidden="true" className="env-dots-button" data-menu="" />
    </div>
  )
})

interface RowProps {
  readonly variable: VariableView
  readonly row: number
  readonly isActive: boolean
}

export const RowHead = memo(function RowHead({ variable, row, isActive }: RowProps) {
  const { name, type, required, secret } = variable
  return (
    <div
      id={cellId(row, -1)}
      role="rowheader"
      aria-colindex={1}
      aria-haspopup="menu"
      tabIndex={isActive ? 0 : -1}
      data-row={row}
      data-column={-1}
      className="env-cell env-name"
    >
      <span className="env-name-line">
        <span className="env-name-text" title={visibleText(name.slice(0, 300))}>
          <ShownText text={name} />
        </span>
        <span className="env-name-facts">
          {secret ? <span className="env-secret">secret</span> : null}
          {required ? <span className="env-required">required</span> : null}
          <span>{typeWords[type]}</span>
        </span>
      </span>
      <RowNote variable={variable} />
      <span aria-hidden="true" className="env-dots-button" data-menu="" />
    </div>
  )
})

function RowNote({ variable }: { readonly variable: VariableView }) {
  const { description = "", processVariable, hasSecretDefault } = variable
  if (description === "" && processVariable === undefined && hasSecretDefault !== true) return null
  return (
    <span className="env-note" title={visibleText(description.slice(0, 1000))}>
      {hasSecretDefault === true ? <span className="env-bad">its default is in schema.json · </span> : null}
      {processVariable === undefined ? null : (
        <span className="env-warning">overridden by {visibleText(processVariable)} · </span>
      )}
      <ShownText text={description} />
    </span>
  )
}
