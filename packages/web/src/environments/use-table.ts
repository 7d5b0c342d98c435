// The state of the table: the active cell, the cell that is being edited, and the open menu.

import { useState } from "react"
import { announce } from "../ui/announcement.tsx"
import { baseOf, cellDraft, dropDraft } from "./cell-drafts.ts"
import { showEnvironmentDialog } from "./dialog-state.ts"
import { focusCell } from "./environments-grid.tsx"
import { endFlash } from "./flash.ts"
import type { KeyAction } from "./grid-keys.ts"
import { placeAt, type GridPlace } from "./grid-place.ts"
import { hasValue, type CellAt } from "./menu-items.ts"
import { hide } from "./reveal.ts"
import { saveCell } from "./save-cell.ts"
import { copyCell } from "./secret-actions.ts"
import { cellOf, type GridPosition, type TableModel } from "./table-model.ts"
import { useEditing, type Editor } from "./use-editing.ts"
import { formatCellValue } from "./value-text.ts"

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
