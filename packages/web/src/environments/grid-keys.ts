// Converts keys to actions of the table.

import { movedPosition, type GridPosition } from "./table-model.ts"

export type KeyAction =
  | { readonly does: "move"; readonly to: GridPosition }
  | { readonly does: "edit"; readonly typed?: string }
  | { readonly does: "menu" | "reset" | "copy" | "leave" }

interface Key {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

interface Size {
  readonly rows: number
  readonly columns: number
}

/** Returns undefined if the table doesn't use the key. */
export function keyAction(event: Key, position: GridPosition, size: Size): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (altKey) return undefined
  if ((key === "F10" && shiftKey) || key === "ContextMenu") return { does: "menu" }
  const to = metaKey ? undefined : movedPosition(event, position, size)
  if (to !== undefined) return { does: "move", to }
  const isCell = position.row >= 0 && position.column >= 0
  if (ctrlKey || metaKey) return isCell && key.toLowerCase() === "c" ? { does: "copy" } : undefined
  if (key === " ") return { does: "menu" }
  if (key === "Enter" || key === "F2") return { does: isCell ? "edit" : "menu" }
  if (key === "Escape") return { does: "leave" }
  if (!isCell) return undefined
  if (key === "Delete" || key === "Backspace") return { does: "reset" }
  return key.length === 1 ? { does: "edit", typed: key } : undefined
}
