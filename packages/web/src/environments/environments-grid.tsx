// The table of variables and environments. Only visible cells are rendered, and one cell can have the focus.

import {
  useLayoutEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react"
import { Cell, cellId } from "./cell.tsx"
import { positionAt, positionOf, type GridPlace } from "./grid-place.ts"
import { keyAction, type KeyAction } from "./grid-keys.ts"
import { ColumnHead, RowHead } from "./heads.tsx"
import { cellOf, type GridPosition, type TableModel } from "./table-model.ts"
import { measures, scrollTo, useWindow } from "./use-window.ts"

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
  const { columnWidth } = window
  const wantsFocus = useRef(false)
  useFollow({ scroller, wantsFocus, position, columnWidth })
  return (
    <div ref={scroller} className="env-scroller" onScroll={window.onScroll}>
      <div
        role="grid"
        aria-label="Variables by environment"
        aria-rowcount={size.rows + 1}
        aria-colcount={size.columns + 1}
        className="env-grid"
        style={{
          width: measures.names + size.columns * columnWidth,
          height: measures.head + size.rows * measures.row,
        }}
        {...handlers({ position, size, wantsFocus, onAction })}
      >
        <Heads {...{ model, shown, columnWidth, position }} columns={window.columns} />
        {window.rows.map((row) => (
          <Row
            key={rows[row]?.name}
            {...{ api, model, row, columnWidth, editor }}
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
  readonly columnWidth: number
  readonly position: GridPosition
}

function Heads({ model, shown, columns, columnWidth, position }: HeadsProps) {
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
            columnWidth={columnWidth}
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
  readonly columnWidth: number
  readonly active: number | undefined
  readonly editor: ReactNode
}

function Row({ api, model, row, columns, columnWidth, active, editor }: RowProps) {
  const variable = model.rows[row]
  if (variable === undefined) return null
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className="env-row"
      style={{ top: measures.head + row * measures.row, height: measures.row }}
    >
      <RowHead variable={variable} row={row} isActive={active === -1} />
      {columns.map((column) => {
        const environment = model.columns[column]
        return environment === undefined ? null : (
          <Cell
            key={environment.name}
            {...{ api, variable, environment, row, column, columnWidth }}
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
  readonly columnWidth: number
}

/** Scrolls to the active cell. Focuses it if the table has the focus. */
function useFollow({ scroller, wantsFocus, position: { row, column }, columnWidth }: Follow): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const { activeElement } = document
    const hasFocus = wantsFocus.current || (element.contains(activeElement) && !isWithinEditor(activeElement))
    wantsFocus.current = false
    scrollTo(element, { row, column }, columnWidth)
    if (hasFocus) focusCell({ row, column })
  }, [scroller, wantsFocus, row, column, columnWidth])
}

export function focusCell({ row, column }: GridPosition): void {
  document.querySelector<HTMLElement>(`#${cellId(row, column)}`)?.focus({ preventScroll: true })
}
