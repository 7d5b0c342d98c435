// Unsaved values of cells. They are kept until the user saves or discards them. Never contains a secret.

import { create } from "zustand"
import type { CellView } from "@callsheet/server/calls"

export interface CellPlace {
  readonly api: string
  readonly environment: string
  readonly variable: string
}

export type CellIntent =
  | { readonly does: "set"; readonly text: string }
  /** `null`: the value is empty, even if a parent has one. */
  | { readonly does: "empty" }
  | { readonly does: "reset" }

export interface CellFault {
  readonly message: string
  readonly hint?: string | undefined
}

export interface CellDraft {
  readonly intent: CellIntent
  /** The environment's own value when editing began. */
  readonly base: string
  readonly status: "kept" | "saving"
  readonly fault?: CellFault
  /** The file has changed since then, and the user has to choose. */
  readonly isConflict?: boolean
}

interface Drafts {
  readonly drafts: ReadonlyMap<string, CellDraft>
}

const useDrafts = create<Drafts>(() => ({ drafts: new Map() }))

const keyOf = ({ api, environment, variable }: CellPlace): string =>
  JSON.stringify([api, environment, variable])

export const useCellDraft = (place: CellPlace): CellDraft | undefined =>
  useDrafts(({ drafts }) => drafts.get(keyOf(place)))

export const cellDraft = (place: CellPlace): CellDraft | undefined =>
  useDrafts.getState().drafts.get(keyOf(place))

/** Returns the drafts of an API with their cells. */
export function useDraftsOf(api: string): readonly (readonly [CellPlace, CellDraft])[] {
  const drafts = useDrafts((state) => state.drafts)
  return [...drafts].flatMap(([key, draft]) => {
    const [of = "", environment = "", variable = ""] = JSON.parse(key) as readonly string[]
    return of === api ? [[{ api, environment, variable }, draft] as const] : []
  })
}

export function keepDraft(place: CellPlace, draft: CellDraft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(keyOf(place), draft) }))
}

export function dropDraft(place: CellPlace): void {
  useDrafts.setState(({ drafts }) => {
    const rest = new Map(drafts)
    return rest.delete(keyOf(place)) ? { drafts: rest } : { drafts }
  })
}

/** Returns a string that identifies the environment's own value. Changes of parents don't affect it. */
export function baseOf(cell: CellView | undefined): string {
  if (cell?.from !== "own") return ""
  const { value, isNothing = false, isBroken = false, isMasked = false } = cell
  return JSON.stringify([value ?? null, isNothing, isBroken, isMasked])
}

/** Makes the browser ask before it closes a page with unsaved cells. */
export function warnOfDrafts(): () => void {
  const onLeave = (event: BeforeUnloadEvent): void => {
    if (useDrafts.getState().drafts.size > 0) event.preventDefault()
  }
  window.addEventListener("beforeunload", onLeave)
  return () => window.removeEventListener("beforeunload", onLeave)
}
