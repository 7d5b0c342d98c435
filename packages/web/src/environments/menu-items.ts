// Items of menus for a cell, a variable and an environment.

import type { CellView, EnvironmentColumn, VariableView } from "@callsheet/server/calls"
import type { MenuItem } from "../ui/menu.tsx"
import { goTo } from "../routes/use-route.ts"
import { shellWord } from "../ui/visible-text.ts"
import { baseOf, type CellPlace } from "./cell-drafts.ts"
import { showEnvironmentDialog } from "./environment-commands.ts"
import { copyText, copyCell, revealCell } from "./reveal.ts"
import { saveCell } from "./save-cell.ts"
import { formatCellValue } from "./value-text.ts"

export interface CellAt {
  readonly place: CellPlace
  readonly variable: VariableView
  readonly environment: EnvironmentColumn
  readonly cell: CellView
}

export function cellItems(at: CellAt, edit: () => void): readonly MenuItem[] {
  if (at.environment.isBroken) return [textItem(at.place.api, at.place.environment)]
  return (at.variable.secret ? secretItems(at) : plainItems(at, edit)).filter((item) => item !== undefined)
}

export const hasValue = ({ from, isNothing, isBroken }: CellView): boolean =>
  from !== "none" && isNothing !== true && isBroken !== true

function secretItems(at: CellAt): readonly (MenuItem | undefined)[] {
  const { place, cell } = at
  const holds = hasValue(cell)
  return [
    holds ? { label: "Copy", key: "Ctrl C", does: () => copyCell(place) } : undefined,
    holds ? { label: "Reveal", does: () => revealCell(place) } : undefined,
    {
      label: holds ? "Replace…" : "Set…",
      key: "Enter",
      does: () => showEnvironmentDialog({ kind: "replace-secret", ...place }),
    },
    emptyItem(at),
    resetItem(place, cell),
  ]
}

function plainItems(at: CellAt, edit: () => void): readonly (MenuItem | undefined)[] {
  const { place, variable, cell } = at
  const set = (text: string): void => saveCell(place, { does: "set", text }, baseOf(cell))
  return [
    ...(variable.type === "boolean"
      ? booleanItems(at)
      : [{ label: "Edit", key: "Enter", does: edit }, emptyItem(at)]),
    cell.from === "own" || !hasValue(cell) || cell.isMasked === true || variable.type === "boolean"
      ? undefined
      : { label: "Set this value here", does: () => set(formatCellValue(cell.value)) },
    variable.type === "string" ? { label: "Empty text", does: () => set("") } : undefined,
    hasValue(cell) && cell.isMasked !== true
      ? { label: "Copy", key: "Ctrl C", does: () => copyCell(place, formatCellValue(cell.value)) }
      : undefined,
    resetItem(place, cell),
  ]
}

function emptyItem({ place, cell }: CellAt): MenuItem {
  return {
    label: "No value (null)",
    does: () => saveCell(place, { does: "empty" }, baseOf(cell)),
  }
}

/** Offers true, false and no value. A toggle could offer only two. */
export function booleanItems(at: CellAt): readonly MenuItem[] {
  const { place, cell } = at
  const isOwn = cell.from === "own"
  return [
    ...(["true", "false"] as const).map((text) => ({
      label: text,
      isChosen: isOwn && String(cell.value) === text,
      does: () => saveCell(place, { does: "set", text }, baseOf(cell)),
    })),
    { ...emptyItem(at), isChosen: isOwn && cell.isNothing === true },
  ]
}

function resetItem(place: CellPlace, cell: CellView): MenuItem | undefined {
  return cell.from === "own"
    ? {
        label: "Reset to inherited",
        key: "Del",
        does: () => saveCell(place, { does: "reset" }, baseOf(cell)),
      }
    : undefined
}

const textItem = (api: string, environment: string): MenuItem => ({
  label: "Open as text",
  does: () => goTo({ kind: "environment-text", api, environment }),
})

export function columnItems(api: string, { name, isBroken }: EnvironmentColumn): readonly MenuItem[] {
  const dialog = (kind: "settings" | "rename-environment" | "delete-environment") => () =>
    showEnvironmentDialog({ kind, api, environment: name })
  return [
    ...(isBroken ? [] : [{ label: "Settings…", does: dialog("settings") }]),
    { label: "Rename…", does: dialog("rename-environment") },
    textItem(api, name),
    ...commandItems(api, name),
    { label: "Delete…", isDanger: true, does: dialog("delete-environment") },
  ]
}

function commandItems(api: string, environment: string): readonly MenuItem[] {
  const [apiWord, word] = [shellWord(api), shellWord(environment)]
  if (apiWord === undefined || word === undefined) return []
  const copy = (command: string) => () => void copyText(command)
  return [
    { label: "Copy the command to read it", does: copy(`callsheet env read ${apiWord} ${word}`) },
    {
      label: "Copy the command to run against it",
      does: copy(`callsheet run --all --env ${apiWord}=${word}`),
    },
  ]
}

export function rowItems(api: string, { name }: VariableView): readonly MenuItem[] {
  const dialog = (kind: "edit-variable" | "rename-variable" | "uses-of-variable" | "delete-variable") => () =>
    showEnvironmentDialog({ kind, api, variable: name })
  return [
    { label: "Edit…", does: dialog("edit-variable") },
    { label: "Rename…", does: dialog("rename-variable") },
    { label: "Used by…", does: dialog("uses-of-variable") },
    { label: "Delete…", isDanger: true, does: dialog("delete-variable") },
  ]
}

export const cornerItems = (api: string): readonly MenuItem[] => [
  { label: "New variable…", does: () => showEnvironmentDialog({ kind: "new-variable", api }) },
  { label: "New environment…", does: () => showEnvironmentDialog({ kind: "new-environment", api }) },
]
