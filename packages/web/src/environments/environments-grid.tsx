// The table of variables and environments, with the headers of rows and columns. Only visible cells are rendered, and
// one cell can have the focus.

import {
  useLayoutEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  memo,
} from "react"
import type { EnvironmentColumn, VariableView } from "@callsheet/server/calls"
import { LevelBadge } from "../ui/badges.tsx"
import { DescriptionLine } from "../ui/description-line.tsx"
import { plainDescription } from "../ui/plain-description.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { Cell, cellId } from "./cell.tsx"
import {
  cellOf,
  keyAction,
  positionOf,
  type GridPlace,
  type GridPosition,
  type KeyAction,
  type TableModel,
} from "./table-model.ts"
import { measures, scrollTo, useWindow, type Widths } from "./use-window.ts"
import { typeWords } from "./value-text.ts"

interface Props {
  readonly api: string
  readonly model: TableModel
  readonly active: GridPlace
  readonly shown: string | undefined
  /** Shown instead of the value of the active cell. */
  readonly editor: ReactNode
  readonly onAction: (action: KeyAction, position: GridPosition) => void
}

export function EnvironmentsGrid({ api, model, active, shown, editor, onAction }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, columns } = model
  const position = positionOf(model, active)
  const size = { rows: rows.length, columns: columns.length }
  const window = useWindow(scroller, { ...size, active: position })
  const { widths } = window
  const wantsFocus = useRef(false)
  useFollow({ scroller, wantsFocus, position, widths })
  return (
    <div ref={scroller} className="env-scroller" onScroll={window.onScroll}>
      <div
        role="grid"
        aria-label="Variables by environment"
        aria-rowcount={size.rows + 1}
        aria-colcount={size.columns + 1}
        className="env-grid"
        style={{
          width: widths.names + size.columns * widths.column,
          height: measures.head + size.rows * measures.row,
        }}
        {...handlers({ position, size, wantsFocus, onAction })}
      >
        <Heads {...{ model, shown, widths, position }} columns={window.columns} />
        {window.rows.map((row) => (
          <Row
            key={rows[row]?.name}
            {...{ api, model, row, widths, editor }}
            columns={window.columns}
            active={position.row === row ? position.column : undefined}
          />
        ))}
      </div>
    </div>
  )
}

interface Handling extends Pick<Props, "onAction"> {
  readonly position: GridPosition
  readonly size: { readonly rows: number; readonly columns: number }
  readonly wantsFocus: { current: boolean }
}

function handlers({ position, size, wantsFocus, onAction }: Handling) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    const action = keyAction(event, position, size)
    if (action === undefined) return
    // Other parts of the page use Escape too.
    if (action.does !== "leave") event.preventDefault()
    // The focused cell may disappear before the next one is rendered.
    if (action.does === "move") wantsFocus.current = !isSame(action.to, position)
    if (!event.repeat || action.does === "move") onAction(action, position)
  }
  const at = (action: KeyAction) => (event: MouseEvent) => {
    const clicked = positionAt(event.target)
    if (clicked === undefined || isWithinEditor(event.target)) return
    if (action.does !== "edit") event.preventDefault()
    onAction(action, clicked)
  }
  return {
    onKeyDown,
    onFocus: ({ target }: FocusEvent) => {
      const to = positionAt(target)
      if (to !== undefined && !isWithinEditor(target)) onAction({ does: "move", to }, to)
    },
    onClick: (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.matches("[data-menu]")) at({ does: "menu" })(event)
    },
    onDoubleClick: at({ does: "edit" }),
    onContextMenu: at({ does: "menu" }),
  }
}

interface HeadsProps {
  readonly model: TableModel
  readonly shown: string | undefined
  readonly columns: readonly number[]
  readonly widths: Widths
  readonly position: GridPosition
}

function Heads({ model, shown, columns, widths, position }: HeadsProps) {
  return (
    <div role="row" aria-rowindex={1} className="env-row env-heads" style={{ height: measures.head }}>
      <div
        id={cellId(-1, -1)}
        role="columnheader"
        aria-colindex={1}
        tabIndex={position.row === -1 && position.column === -1 ? 0 : -1}
        data-row={-1}
        data-column={-1}
        className="env-cell env-corner"
        style={{ width: widths.names }}
      >
        Variable
      </div>
      {columns.map((column) => {
        const environment = model.columns[column]
        return environment === undefined ? null : (
          <ColumnHead
            key={environment.name}
            environment={environment}
            column={column}
            left={widths.names + column * widths.column}
            width={widths.column}
            isActive={position.row === -1 && position.column === column}
            isShown={environment.name === shown}
          />
        )
      })}
    </div>
  )
}

interface RowProps {
  readonly api: string
  readonly model: TableModel
  readonly row: number
  readonly columns: readonly number[]
  readonly widths: Widths
  readonly active: number | undefined
  readonly editor: ReactNode
}

function Row({ api, model, row, columns, widths, active, editor }: RowProps) {
  const variable = model.rows[row]
  if (variable === undefined) return null
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className="env-row"
      style={{ top: measures.head + row * measures.row, height: measures.row }}
    >
      <RowHead variable={variable} row={row} width={widths.names} isActive={active === -1} />
      {columns.map((column) => {
        const environment = model.columns[column]
        return environment === undefined ? null : (
          <Cell
            key={environment.name}
            {...{ api, variable, environment, row, column }}
            left={widths.names + column * widths.column}
            width={widths.column}
            cell={cellOf(model.view, environment.name, variable.name)}
            isActive={active === column}
            editor={active === column ? editor : null}
          />
        )
      })}
    </div>
  )
}

const isWithinEditor = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(".env-editor") !== null

const isSame = (one: GridPosition, other: GridPosition): boolean =>
  one.row === other.row && one.column === other.column

interface Follow {
  readonly scroller: { readonly current: HTMLElement | null }
  readonly wantsFocus: { current: boolean }
  readonly position: GridPosition
  readonly widths: Widths
}

/** Scrolls to the active cell. Focuses it if the table has the focus. */
function useFollow({ scroller, wantsFocus, position: { row, column }, widths }: Follow): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const { activeElement } = document
    const hasFocus = wantsFocus.current || (element.contains(activeElement) && !isWithinEditor(activeElement))
    wantsFocus.current = false
    scrollTo(element, { row, column }, widths)
    if (hasFocus) focusCell({ row, column })
  }, [scroller, wantsFocus, row, column, widths.names, widths.column])
}

export function focusCell({ row, column }: GridPosition): void {
  document.querySelector<HTMLElement>(`#${cellId(row, column)}`)?.focus({ preventScroll: true })
}

interface ColumnHeadProps {
  readonly environment: EnvironmentColumn
  readonly column: number
  readonly left: number
  readonly width: number
  readonly isActive: boolean
  /** True for the environment in the route. */
  readonly isShown: boolean
}

const ColumnHead = memo(function ColumnHead(props: ColumnHeadProps) {
  const { environment, column, left, width, isActive, isShown } = props
  const { name, extends: parent, effectiveLevel, effectiveVerify, isBroken } = environment
  const isOrdinary = effectiveLevel === "local"
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
      style={{ left, width }}
    >
      <span
        // A name that says the level needs no badge, only its color.
        className={
          isOrdinary || name !== effectiveLevel ? "env-head-name" : `env-head-name level level-${name}`
        }
        title={visibleText(name.slice(0, 300))}
      >
        <ShownText text={name} />
      </span>
      <span className="env-head-facts">
        {isBroken ? <span className="tag env-tag-bad">broken</span> : null}
        {effectiveVerify ? null : <span className="tag env-tag-bad">TLS not verified</span>}
        {isOrdinary || name === effectiveLevel ? null : <LevelBadge level={effectiveLevel} />}
        {parent === undefined ? null : (
          <span className="env-note">
            extends <ShownText text={parent} />
          </span>
        )}
      </span>
      <span aria-hidden="true" className="env-dots-button" data-menu="" />
    </div>
  )
})

interface RowHeadProps {
  readonly variable: VariableView
  readonly row: number
  readonly width: number
  readonly isActive: boolean
}

const RowHead = memo(function RowHead({ variable, row, width, isActive }: RowHeadProps) {
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
      style={{ width }}
    >
      <span className="env-name-text" title={visibleText(name.slice(0, 300))}>
        <ShownText text={name} />
      </span>
      <RowNote variable={variable} />
      <span className="env-name-facts">
        {secret ? <span className="env-secret">secret</span> : null}
        {required ? <span>required</span> : null}
        {type === "string" ? null : <span>{typeWords[type]}</span>}
      </span>
      <span aria-hidden="true" className="env-dots-button" data-menu="" />
    </div>
  )
})

function RowNote({ variable }: { readonly variable: VariableView }) {
  const { description = "", processVariable, hasSecretDefault } = variable
  if (description === "" && processVariable === undefined && hasSecretDefault !== true) return null
  return (
    <span className="env-note" title={plainDescription(description)}>
      {hasSecretDefault === true ? <span className="env-bad">its default is in schema.json · </span> : null}
      {processVariable === undefined ? null : (
        <span className="env-warning">overridden by {visibleText(processVariable)} · </span>
      )}
      <DescriptionLine text={description} />
    </span>
  )
}

/** Returns the cell or header that contains an element. */
function positionAt(element: EventTarget | null): GridPosition | undefined {
  const cell = element instanceof Element ? element.closest<HTMLElement>("[data-row]") : null
  return cell === null
    ? undefined
    : { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) }
}
