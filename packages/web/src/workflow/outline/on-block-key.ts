// Handles the keys of the outline. Their commands are in block-commands.ts, and shortcuts.ts lists them.

import type { KeyboardEvent } from "react"
import { ownOf, type JsonPointer } from "@callsheet/format"
import { movedRow } from "../../ui/list-keys.ts"
import type { WorkflowFile } from "../../blocks/block-place.ts"
import { duplicate, move, remove, unwrap } from "./block-commands.ts"
import { rowName, type OutlineRow } from "../../blocks/block-rows.ts"
import { openRow, selectAll, selectRow, selectTo } from "../../blocks/editor-state.ts"
import type { Moving } from "../../kinds/block-moves.ts"

interface KeyContext {
  readonly file: WorkflowFile
  readonly rows: readonly OutlineRow[]
  readonly activeIndex: number
  readonly blocks: readonly JsonPointer[]
  readonly showMenu: (menu: "add" | "add-inside" | "wrap" | "block") => void
  readonly focusForm: () => void
}

const moves: Readonly<Record<string, Moving>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out",
}

export function onBlockKey(event: KeyboardEvent, context: KeyContext): void {
  if (event.target !== event.currentTarget || event.nativeEvent.isComposing) return
  if (acted(event, context)) event.preventDefault()
}

function acted(event: KeyboardEvent, context: KeyContext): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  const { file, blocks } = context
  if (altKey) {
    const moving = ownOf(moves, key)
    if (moving === undefined || ctrlKey || metaKey || shiftKey) return false
    move(file, blocks, moving)
    return true
  }
  if (ctrlKey || metaKey) {
    if (key.toLowerCase() === "a" && !shiftKey) {
      selectAll(file.workflow, context.rows)
      return true
    }
    if (key.toLowerCase() !== "d" || shiftKey) return false
    if (blocks.length > 0 && !event.repeat) duplicate(file, blocks)
    return true
  }
  return plainKey(event, context) || walked(event, context)
}

function plainKey(
  { key, shiftKey }: KeyboardEvent,
  { file, rows, activeIndex, blocks, ...actions }: KeyContext,
): boolean {
  const row = rows[activeIndex]
  switch (key) {
    case "Delete":
    case "Backspace":
      if (blocks.length > 0) remove(file, blocks)
      return true
    case "a":
    case "+":
      actions.showMenu("add")
      return true
    case "A":
      actions.showMenu("add-inside")
      return true
    case "w":
      if (blocks.length > 0) actions.showMenu("wrap")
      return true
    case "u":
      if (row?.row === "block" && row.isOpen !== undefined) unwrap(file, row.pointer)
      return true
    case "ContextMenu":
      actions.showMenu("block")
      return true
    case "F10":
      if (shiftKey) actions.showMenu("block")
      return shiftKey
    case "F2":
    case "Enter":
      actions.focusForm()
      return true
    default:
      return false
  }
}

function walked({ key, shiftKey }: KeyboardEvent, { file, rows, activeIndex }: KeyContext): boolean {
  const row = rows[activeIndex]
  if (row !== undefined && togglesBy(key, row)) {
    openRow(file.workflow, rowName(row), row.isOpen !== true)
    return true
  }
  const next = rows[movedRow(key, rows, activeIndex) ?? -1]
  if (next === undefined) return false
  if (shiftKey) selectTo(file.workflow, rows, next)
  else selectRow(file.workflow, next)
  return true
}

function togglesBy(key: string, { isOpen }: OutlineRow): boolean {
  if (isOpen === undefined) return false
  return key === " " || key === (isOpen ? "ArrowLeft" : "ArrowRight")
}
