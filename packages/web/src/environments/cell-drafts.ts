// What the person wants of cells and the files do not say yet: kept until it is saved or given up, whatever else changes. Never a secret.

import { create } from "zustand"
import type { CellView } from "@callsheet/server/calls"

export interface CellPlace {
  readonly api: string
  readonly environment: string
  readonly variable: string
}

export type CellIntent =
  | { readonly does: "set"; readonly text: string }
  /** `null`: it has no value, whatever its parents say. */
  | { readonly does: "empty" }
  | { readonly does: "reset" }

export interface CellFault {
  readonly message: string
  readonly hint?: string | undefined
}

export interface CellDraft {
  readonly intent: CellIntent
  /** What the environment's own file said when it was begun. */
  readonly base: string
  readonly status: "kept" | "saving"
  readonly fault?: CellFault
  /** The file has changed meanwhile: the person chooses. */
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

/** Those of an API, with the cells that they are of. */
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

/** What the environment itself says of a variable, to be compared: a change of its parents is none of it. */
export function baseOf(cell: CellView | undefined): string {
  if (cell?.from !== "own") return ""
  const { value, isNothing = false, isBroken = false, isMasked = false } = cell
  return JSON.stringify([value ?? null, isNothing, isBroken, isMasked])
}

/** The browser asks before it closes a page in which something was typed and not saved. */
export function warnOfDrafts(): () => void {
  const onLeave = (event: BeforeUnloadEvent): void => {
    if (useDrafts.getState().drafts.size > 0) event.preventDefault()
  }
  window.addEventListener("beforeunload", onLeave)
  return () => window.removeEventListener("beforeunload", onLeave)
}
