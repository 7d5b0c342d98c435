// What the person does in the table: where they are, what they edit, which menu is open.

import { useState } from "react"
import { announce } from "./announcement.tsx"
import { baseOf, cellDraft, dropDraft, keepDraft, type CellPlace } from "./cell-drafts.ts"
import { showEnvironmentDialog } from "./dialog-state.ts"
import { focusCell } from "./environments-grid.tsx"
import { endFlash } from "./flash.ts"
import type { KeyAction } from "./grid-keys.ts"
import { placeAt, type GridPlace } from "./grid-place.ts"
import { hasValue, type CellAt } from "./menu-items.ts"
import { hide } from "./reveal.ts"
import { saveCell } from "./save-cell.ts"
import { copyCell } from "./secret-actions.ts"
import { cellOf, movedPosition, type GridPosition, type TableModel } from "./table-model.ts"
import { readTyped, textOfValue } from "./value-text.ts"

export interface Editing {
  readonly at: CellAt
  readonly text: string
  readonly selectsAll: boolean
  /** What the file said when it was begun. */
  readonly base: string
}

export interface OpenMenu {
  readonly position: GridPosition
  /** The choices of a value alone. */
  readonly isChoice: boolean
  readonly startsWith: string
}

export interface Table {
  readonly active: GridPlace
  readonly editing: Editing | undefined
  readonly menu: OpenMenu | undefined
  readonly act: (action: KeyAction, position: GridPosition) => void
  readonly edit: (position: GridPosition) => void
  readonly type: (text: string) => void
  /** Whether the editing is over; it goes on where the text is of the wrong type. */
  readonly save: (text: string, goes: "stay" | "right" | "left" | "away") => boolean
  readonly takeBack: () => void
  readonly closeMenu: (goesBack: boolean) => void
}

/** The cell of a position, with all that is known of it. */
export function cellAt(api: string, model: TableModel, { row, column }: GridPosition): CellAt | undefined {
  const [variable, environment] = [model.rows[row], model.columns[column]]
  if (variable === undefined || environment === undefined) return undefined
  const cell = cellOf(model.view, environment.name, variable.name)
  const place = { api, environment: environment.name, variable: variable.name }
  return cell === undefined ? undefined : { place, variable, environment, cell }
}

export function useTable(api: string, model: TableModel, first: GridPlace): Table {
  const [active, setActive] = useState(first)
  const [editing, setEditing] = useState<Editing>()
  const [menu, setMenu] = useState<OpenMenu>()
  const size = { rows: model.rows.length, columns: model.columns.length }

  const move = (to: GridPosition): void => {
    const place = placeAt(model, to)
    if (place.variable === active.variable && place.environment === active.environment) return
    setActive(place)
    hide()
    endFlash()
  }
  const edit = (position: GridPosition, typed?: string): void => {
    const at = cellAt(api, model, position)
    if (at === undefined || at.environment.isBroken)
      return setMenu({ position, isChoice: false, startsWith: "" })
    if (cellDraft(at.place)?.status === "saving") return
    if (at.variable.secret) {
      // A letter would be the first of a secret, and the field for it is not there yet.
      if (typed === undefined) showEnvironmentDialog({ kind: "replace-secret", ...at.place })
    } else if (at.variable.type === "boolean") setMenu({ position, isChoice: true, startsWith: typed ?? "" })
    else setEditing(beginning(at, typed))
  }
  const act = (action: KeyAction, position: GridPosition): void => {
    if (action.does === "move") return move(action.to)
    move(position)
    if (action.does === "edit") edit(position, action.typed)
    else if (action.does === "menu") setMenu({ position, isChoice: false, startsWith: "" })
    else actOnCell(action.does, cellAt(api, model, position))
  }
  const end = (goes: "stay" | "right" | "left" | "away"): void => {
    setEditing(undefined)
    if (goes === "away" || editing === undefined) return
    const { row, column } = positionNow(model, editing.at.place)
    const key = goes === "left" ? "ArrowLeft" : "ArrowRight"
    const next = goes === "stay" ? undefined : movedPosition({ key, ctrlKey: false }, { row, column }, size)
    // At once, and from the field itself: whoever goes elsewhere in this moment is not called back.
    focusCell({ row, column })
    if (next !== undefined) move(next)
  }
  return {
    active,
    editing,
    menu,
    act,
    edit,
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
    closeMenu: (goesBack) => {
      setMenu(undefined)
      if (goesBack && menu !== undefined) focusCell(menu.position)
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
  const shown = cell.isMasked === true ? "" : textOfValue(cell.value)
  const text = typed ?? kept ?? shown
  const base = draft?.base ?? baseOf(cell)
  if (typed !== undefined) keepDraft(place, { intent: { does: "set", text }, base, status: "kept" })
  return { at, text, base, selectsAll: typed === undefined && kept === undefined }
}

/** Whether the text can be saved; where it is as it was, nothing is. */
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

/** The base of a cell whose own value the text is. */
function sameAs(text: string, { variable, cell }: CellAt): string {
  const typed = readTyped(text, variable.type)
  return "value" in typed && cell.from === "own" && cell.value === typed.value ? baseOf(cell) : "other"
}

function actOnCell(does: "reset" | "copy" | "leave", at: CellAt | undefined): void {
  if (does === "leave") {
    endFlash()
    if (at !== undefined && cellDraft(at.place)?.status === "kept") dropDraft(at.place)
  }
  if (at === undefined || at.environment.isBroken || does === "leave") return
  const { place, cell, variable } = at
  if (does === "copy" && hasValue(cell) && cell.isMasked !== true)
    copyCell(place, variable.secret ? undefined : textOfValue(cell.value))
  else if (does === "reset" && cell.from === "own") saveCell(place, { does: "reset" }, baseOf(cell))
  else announce(does === "copy" ? "There is no value to copy." : "It has no value of its own.")
}
