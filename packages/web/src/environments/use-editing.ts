// The cell that is being edited.

import { useState } from "react"
import { baseOf, cellDraft, dropDraft, keepDraft, type CellPlace } from "./cell-drafts.ts"
import { focusCell } from "./environments-grid.tsx"
import type { CellAt } from "./menu-items.ts"
import { saveCell } from "./save-cell.ts"
import { movedPosition, type GridPosition, type TableModel } from "./table-model.ts"
import { readTyped, formatCellValue } from "./value-text.ts"

export interface Editing {
  readonly at: CellAt
  readonly text: string
  readonly selectsAll: boolean
  readonly base: string
}

type Goes = "stay" | "right" | "left" | "away"

export interface Editor {
  readonly editing: Editing | undefined
  readonly type: (text: string) => void
  /** Returns true if editing ends. False if the text has the wrong type. */
  readonly save: (text: string, goes: Goes) => boolean
  readonly takeBack: () => void
}

export function useEditing(
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
