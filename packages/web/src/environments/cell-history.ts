// Undo and redo of saved cells, per API, as long as the page is open. Never keeps a secret.

import { ownOf } from "@callsheet/format"
import type { EnvironmentsView } from "@callsheet/server/calls"
import { create } from "zustand"
import { baseOf, type CellIntent, type CellPlace } from "./cell-drafts.ts"
import { cellOf } from "./table-model.ts"
import { knownEnvironments } from "./use-environments.ts"
import { formatCellValue } from "./value-text.ts"

type Direction = "past" | "future"

interface Step {
  readonly place: CellPlace
  /** Restores the value. Undefined for a secret. */
  readonly intent: CellIntent | undefined
  /** The environment's own value after the write. */
  readonly base: string
}

type History = Readonly<Record<Direction, readonly Step[]>>

const nothing: History = { past: [], future: [] }
const MAX_STEPS = 200

const useHistories = create<Readonly<Record<string, History>>>(() => ({}))

export const useCellHistory = (api: string): History => useHistories((all) => ownOf(all, api) ?? nothing)

/** The lists to which the inverse of a step's intent belongs. */
const targets = new WeakMap<CellIntent, Direction>()

/** Records a finished write. `before` is the view on which it was based. */
export function noteWrite(place: CellPlace, before: EnvironmentsView, written: CellIntent | undefined): void {
  const { api, environment, variable } = place
  const after = knownEnvironments(api)
  if (after === undefined) return
  const { past, future } = ownOf(useHistories.getState(), api) ?? nothing
  const intent = written === undefined ? undefined : intentOf(before, place)
  const step: Step = { place, intent, base: baseOf(cellOf(after, environment, variable)) }
  const target = written === undefined ? undefined : targets.get(written)
  const next: History =
    target === "future"
      ? { past, future: [...future, step] }
      : { past: [...past, step].slice(-MAX_STEPS), future: target === "past" ? future : [] }
  useHistories.setState({ [api]: next })
}

function intentOf(view: EnvironmentsView, { environment, variable }: CellPlace): CellIntent | undefined {
  const cell = cellOf(view, environment, variable)
  if (cell?.from !== "own") return { does: "reset" }
  const isSecret = view.variables.some(({ name, secret }) => name === variable && secret)
  if (isSecret || cell.isMasked === true) return undefined
  return cell.isNothing === true ? { does: "empty" } : { does: "set", text: formatCellValue(cell.value) }
}

/** Removes the next step of a direction, and returns it. Writing its intent adds the inverse to the other direction. */
export function nextStep(api: string, from: Direction, isReady: (step: Step) => boolean): Step | undefined {
  const history = ownOf(useHistories.getState(), api) ?? nothing
  const step = history[from].at(-1)
  if (step === undefined || !isReady(step)) return undefined
  useHistories.setState({ [api]: { ...history, [from]: history[from].slice(0, -1) } })
  if (step.intent === undefined) return step
  const intent = { ...step.intent }
  targets.set(intent, from === "past" ? "future" : "past")
  return { ...step, intent }
}
