// The state of the table: the active cell, the cell that is being edited, and the open menu.

import { useState } from "react"
import { announce } from "../ui/announcement.tsx"
import { baseOf, cellDraft, dropDraft, keepDraft, type CellPlace } from "./cell-drafts.ts"
import { showEnvironmentDialog } from "./environment-commands.ts"
import { focusCell } from "./environments-grid.tsx"
import { endFlash, hide, copyCell } from "./reveal.ts"
import {
  cellOf,
  movedPosition,
  placeAt,
  type GridPlace,
  type GridPosition,
  type KeyAction,
  type TableModel,
} from "./table-model.ts"
import { hasValue, type CellAt } from "./menu-items.ts"
import { saveCell } from "./save-cell.ts"
import { formatCellValue, readTyped } from "./value-text.ts"

export interface OpenMenu {
  readonly position: GridPosition
  /** Shows only the choice of values. */
  readonly isChoice: boolean
  readonly startsWith: string
}

export interface Table extends Editor {
  readonly active: GridPlace
  readonly menu: OpenMenu | undefined
  readonly perform: (action: KeyAction, position: GridPosition) => void
  readonly edit: (position: GridPosition) => void
  readonly closeMenu: (goesBack: boolean) => void
}

/** Returns the cell at a position, with its variable and environment. */
export function cellAt(api: string, model: TableModel, { row, column }: GridPosition): CellAt | undefined {
  const [variable, environment] = [model.rows[row], model.columns[column]]
  if (variable === undefined || environment === undefined) return undefined
  const cell = cellOf(model.view, environment.name, variable.name)
  const place = { api, environment: environment.name, variable: variable.name }
  return cell === undefined ? undefined : { place, variable, environment, cell }
}

export function useTable(api: string, model: TableModel, first: GridPlace): Table {
  const [active, setActive] = useState(first)
  const [menu, setMenu] = useState<OpenMenu>()
  const move = (to: GridPosition): void => {
    const place = placeAt(model, to)
    if (place.variable === active.variable && place.environment === active.environment) return
    setActive(place)
    hide()
    endFlash()
  }
  const { begin, ...editor } = useEditing(model, move)
  const edit = (position: GridPosition, typed?: string): void => {
    const at = cellAt(api, model, position)
    if (at === undefined || at.environment.isBroken)
      return setMenu({ position, isChoice: false, startsWith: "" })
    if (cellDraft(at.place)?.status === "saving") return
    if (at.variable.secret) {
      // The dialog's input isn't rendered yet, so it would miss the first letter of the secret.
      if (typed === undefined) showEnvironmentDialog({ kind: "replace-secret", ...at.place })
    } else if (at.variable.type === "boolean") setMenu({ position, isChoice: true, startsWith: typed ?? "" })
    else begin(at, typed)
  }
  const perform = (action: KeyAction, position: GridPosition): void => {
    if (action.does === "move") return move(action.to)
    move(position)
    if (action.does === "edit") edit(position, action.typed)
    else if (action.does === "menu") setMenu({ position, isChoice: false, startsWith: "" })
    else actOnCell(action.does, cellAt(api, model, position))
  }
  return {
    active,
    menu,
    ...editor,
    perform,
    edit,
    closeMenu: (goesBack) => {
      setMenu(undefined)
      if (goesBack && menu !== undefined) focusCell(menu.position)
    },
  }
}

function actOnCell(does: "reset" | "copy" | "leave", at: CellAt | undefined): void {
  if (does === "leave") {
    endFlash()
    if (at !== undefined && cellDraft(at.place)?.status === "kept") dropDraft(at.place)
  }
  if (at === undefined || at.environment.isBroken || does === "leave") return
  const { place, cell, variable } = at
  if (does === "copy" && hasValue(cell) && cell.isMasked !== true)
    copyCell(place, variable.secret ? undefined : formatCellValue(cell.value))
  else if (does === "reset" && (cell.from === "own" || cellDraft(place)?.status === "saving"))
    saveCell(place, { does: "reset" }, baseOf(cell))
  else announce(does === "copy" ? "This cell has no value to copy." : "This cell has no value to reset.")
}

export interface Editing {
  readonly at: CellAt
  readonly text: string
  readonly selectsAll: boolean
  readonly base: string
}

type Goes = "stay" | "right" | "left" | "away"

interface Editor {
  readonly editing: Editing | undefined
  readonly type: (text: string) => void
  /** Returns true if editing ends. False if the text has the wrong type. */
  readonly save: (text: string, goes: Goes) => boolean
  readonly takeBack: () => void
}

function useEditing(
  model: TableModel,
  move: (to: GridPosition) => void,
): Editor & { readonly begin: (at: CellAt, typed: string | undefined) => void } {
  const [editing, setEditing] = useState<Editing>()
  const end = (goes: Goes): void => {
    setEditing(undefined)
    if (goes === "away" || editing === undefined) return
    const position = positionNow(model, editing.at.place)
    const size = { rows: model.rows.length, columns: model.columns.length }
    const key = goes === "left" ? "ArrowLeft" : "ArrowRight"
    const next = goes === "stay" ? undefined : movedPosition({ key, ctrlKey: false }, position, size)
    // Move the focus now. Later, the user may already have moved it elsewhere.
    focusCell(position)
    if (next !== undefined) move(next)
  }
  return {
    editing,
    begin: (at, typed) => setEditing(beginning(at, typed)),
    type: (text) => {
      if (editing !== undefined)
        keepDraft(editing.at.place, { intent: { does: "set", text }, base: editing.base, status: "kept" })
    },
    save: (text, goes) => {
      if (editing === undefined) return true
      const isOver = saveTyped(editing, text) || goes === "away"
      if (isOver) end(goes)
      return isOver
    },
    takeBack: () => {
      if (editing !== undefined) dropDraft(editing.at.place)
      end("stay")
    },
  }
}

const positionNow = (model: TableModel, { variable, environment }: CellPlace): GridPosition => ({
  row: model.rows.findIndex(({ name }) => name === variable),
  column: model.columns.findIndex(({ name }) => name === environment),
})

function beginning(at: CellAt, typed: string | undefined): Editing {
  const { place, cell } = at
  const draft = cellDraft(place)
  const kept = draft?.intent.does === "set" ? draft.intent.text : undefined
  const shown = cell.isMasked === true ? "" : formatCellValue(cell.value)
  const text = typed ?? kept ?? shown
  const base = draft?.base ?? baseOf(cell)
  if (typed !== undefined) keepDraft(place, { intent: { does: "set", text }, base, status: "kept" })
  return { at, text, base, selectsAll: typed === undefined && kept === undefined }
}

/** Returns whether the text can be saved. Doesn't save unchanged text. */
function saveTyped({ at, text: first, base, selectsAll }: Editing, text: string): boolean {
  const isAsBefore =
    text === first.replace(/\r\n?/g, "\n") && (selectsAll || baseOf(at.cell) === sameAs(text, at))
  if (isAsBefore) {
    dropDraft(at.place)
    return true
  }
  const typed = readTyped(text, at.variable.type)
  saveCell(at.place, { does: "set", text }, base)
  return "value" in typed
}

/** Returns the base of a cell with this text as its own value. */
function sameAs(text: string, { variable, cell }: CellAt): string {
  const typed = readTyped(text, variable.type)
  return "value" in typed && cell.from === "own" && cell.value === typed.value ? baseOf(cell) : "other"
}
