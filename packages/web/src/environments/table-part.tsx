// The table with its menus, panels, and the field of the cell that is being edited.

import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from "react"
import type { VariableView } from "@callsheet/server/calls"
import { Menu } from "../ui/menu.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { useShownProblem } from "../files/shown-problem.ts"
import { cellId } from "./cell.tsx"
import { useCellDraft } from "./cell-drafts.ts"
import { EnvironmentsGrid, focusCell } from "./environments-grid.tsx"
import { booleanItems, cellItems, columnItems, cornerItems, rowItems, type CellAt } from "./menu-items.ts"
import { Panels } from "./panels.tsx"
import { hideWhenUnseen } from "./reveal.ts"
import { useShownVariable } from "./environment-commands.ts"
import { positionOf, type GridPlace, type GridPosition, type TableModel } from "./table-model.ts"
import { type Editing, cellAt, useTable, type OpenMenu, type Table } from "./use-table.ts"

interface Props {
  readonly api: string
  readonly model: TableModel
  readonly shown: string | undefined
}

export function TablePart({ api, model, shown }: Props) {
  const first: GridPlace = {
    variable: model.rows[0]?.name,
    environment: shown ?? model.columns[0]?.name,
  }
  const table = useTable(api, model, first)
  const { active, menu } = table
  const position = positionOf(model, active)
  const at = cellAt(api, model, position)
  // If the cell is gone, the typed value stays as a draft.
  const editing = at !== undefined && isAt(at, table.editing) ? table.editing : undefined
  useEffect(hideWhenUnseen, [])
  useShownProblem({ kind: "environment", api, environment: shown ?? "" }, ({ message }) => {
    const row = model.rows.findIndex(({ name }) => message.includes(`"${name}"`))
    const column = model.columns.findIndex(({ name }) => name === shown)
    if (row < 0 || column < 0) return
    table.perform({ does: "move", to: { row, column } }, { row, column })
    focusCell({ row, column })
  })
  const wanted = useShownVariable(({ shown: one }) => (one?.api === api ? one.variable : undefined))
  useEffect(() => {
    if (wanted === undefined) return
    useShownVariable.setState({ shown: undefined })
    const to = { row: model.rows.findIndex(({ name }) => name === wanted), column: 0 }
    if (to.row < 0) return
    table.perform({ does: "move", to }, to)
    focusCell(to)
  }, [wanted, model])
  return (
    <>
      <EnvironmentsGrid
        api={api}
        model={model}
        active={active}
        shown={shown}
        editor={editing === undefined ? null : <Editor editing={editing} table={table} />}
        onAction={table.perform}
      />
      {menu === undefined ? null : <TableMenu {...{ api, model, menu, table }} />}
      {at === undefined || menu !== undefined ? null : (
        <Panels
          at={at}
          position={position}
          isEditing={editing !== undefined}
          onEdit={() => table.edit(position)}
        />
      )}
    </>
  )
}

const isAt = ({ place }: CellAt, editing: Editing | undefined): boolean =>
  editing?.at.place.variable === place.variable && editing.at.place.environment === place.environment

function Editor({ editing, table }: { readonly editing: Editing; readonly table: Table }) {
  const { at, text, selectsAll } = editing
  const draft = useCellDraft(at.place)
  return (
    <CellEditor
      variable={at.variable}
      environment={at.place.environment}
      text={text}
      selectsAll={selectsAll}
      isWrong={draft?.fault !== undefined}
      onType={table.type}
      onSave={table.save}
      onTakeBack={table.takeBack}
    />
  )
}

interface MenuProps {
  readonly api: string
  readonly model: TableModel
  readonly menu: OpenMenu
  readonly table: Table
}

function TableMenu({ api, model, menu, table }: MenuProps) {
  const { position, startsWith } = menu
  const { row, column } = position
  const { label, items } = contentOf({ api, model, menu, table })
  return (
    <Menu
      key={`${row} ${column}`}
      label={label}
      items={items}
      anchor={() => document.querySelector(`#${cellId(row, column)}`)}
      onClose={table.closeMenu}
      startsWith={startsWith}
    />
  )
}

function contentOf({ api, model, menu, table }: MenuProps) {
  const { position } = menu
  const at = cellAt(api, model, position)
  const label = labelOf(model, position)
  if (at !== undefined)
    return { label, items: menu.isChoice ? booleanItems(at) : cellItems(at, () => table.edit(position)) }
  const [variable, environment] = [model.rows[position.row], model.columns[position.column]]
  if (environment !== undefined) return { label, items: columnItems(api, environment) }
  return { label, items: variable === undefined ? cornerItems(api) : rowItems(api, variable) }
}

const labelOf = ({ rows, columns }: TableModel, { row, column }: GridPosition): string =>
  visibleText([rows[row]?.name, columns[column]?.name].filter((name) => name !== undefined).join(" in ")) ||
  "Table"

interface CellEditorProps {
  readonly variable: VariableView
  readonly environment: string
  readonly text: string
  /** Selects the whole text, so that typing replaces it. */
  readonly selectsAll: boolean
  readonly isWrong: boolean
  readonly onType: (text: string) => void
  /** Returns true if editing ends. False if the text has the wrong type. */
  readonly onSave: (text: string, goes: "stay" | "right" | "left" | "away") => boolean
  readonly onTakeBack: () => void
}

function CellEditor(props: CellEditorProps) {
  const { variable, environment, text, selectsAll, isWrong, onType, onSave, onTakeBack } = props
  const field = useRef<HTMLTextAreaElement>(null)
  /** True after a save or a cancel. The blur that follows is then ignored. */
  const isDone = useRef(false)
  useLayoutEffect(() => {
    fit(field.current)
    field.current?.focus({ preventScroll: true })
    if (selectsAll) field.current?.select()
    else field.current?.setSelectionRange(text.length, text.length)
    // Run this only on mount.
  }, [])
  const save = (goes: "stay" | "right" | "left" | "away"): void => {
    if (isDone.current) return
    // Saving moves the focus, so the field gets a blur event.
    isDone.current = true
    isDone.current = onSave(field.current?.value ?? text, goes)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const { key, shiftKey } = event
    if (key === "Escape") {
      isDone.current = true
      onTakeBack()
    } else if (key === "Enter" && !shiftKey) save("stay")
    else if (key === "Tab") save(shiftKey ? "left" : "right")
    else return
    event.preventDefault()
  }
  return (
    <textarea
      ref={field}
      className="env-editor"
      aria-label={`${visibleText(variable.name)} in ${visibleText(environment)}`}
      aria-invalid={isWrong}
      {...(isWrong ? { "aria-describedby": "env-panel" } : {})}
      rows={1}
      spellCheck={false}
      autoComplete="off"
      inputMode={variable.type === "number" ? "decimal" : "text"}
      defaultValue={text}
      onChange={(event) => {
        fit(event.target)
        onType(event.target.value)
      }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        // Switching to another window must not save.
        if (document.hasFocus()) save("away")
      }}
    />
  )
}

const tallest = 200

function fit(field: HTMLTextAreaElement | null): void {
  if (field === null) return
  field.style.height = "auto"
  field.style.height = `${Math.min(field.scrollHeight + 4, tallest)}px`
}
