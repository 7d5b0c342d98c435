// Saves a cell after earlier saves of its environment. Never overwrites a change from elsewhere.

import type { CellValue, EnvironmentsView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { visibleText } from "../ui/visible-text.ts"
import { announce } from "../ui/announcement.tsx"
import {
  baseOf,
  cellDraft,
  dropDraft,
  keepDraft,
  type CellDraft,
  type CellFault,
  type CellIntent,
  type CellPlace,
} from "./cell-drafts.ts"
import { nextStep, noteWrite } from "./cell-history.ts"
import { faultOf } from "../connection/fault-of.ts"
import { cellOf } from "./table-model.ts"
import { holdEtag, knownEnvironments, readEnvironmentsAgain } from "./use-environments.ts"
import { readTyped } from "./value-text.ts"

/** The last save of each environment. None of them rejects. */
const queues = new Map<string, Promise<void>>()

const queueOf = ({ api, environment }: Pick<CellPlace, "api" | "environment">): string =>
  `${api}/${environment}`

/** Resolves when the environment's cells are saved, so that its etag is known. */
export const afterSaves = async (place: Pick<CellPlace, "api" | "environment">): Promise<void> =>
  queues.get(queueOf(place))

/**
 * Saves an intent. During a save, ignores the same intent again (a double click, a held key) and saves a different one
 * afterwards.
 */
export function saveCell(place: CellPlace, intent: CellIntent, base: string): void {
  const earlier = cellDraft(place)
  const isSaving = earlier?.status === "saving"
  if (isSaving && JSON.stringify(earlier.intent) === JSON.stringify(intent)) return
  const fault = faultOfIntent(place, intent)
  if (fault !== undefined) return keepDraft(place, { intent, base, status: "kept", fault })
  if (isSaving) return keepDraft(place, { ...earlier, intent })
  const draft: CellDraft = { intent, base, status: "saving" }
  keepDraft(place, draft)
  const queue = queueOf(place)
  const before = queues.get(queue) ?? Promise.resolve()
  queues.set(
    queue,
    before.then(() => write(place, draft)),
  )
}

/** Overwrites the current value after the user has seen it. */
export function saveOver(place: CellPlace): void {
  const draft = cellDraft(place)
  const view = knownEnvironments(place.api)
  if (draft === undefined || view === undefined) return
  saveCell(place, draft.intent, baseOf(cellOf(view, place.environment, place.variable)))
}

export const undoCell = (api: string): void => void saveStep(api, "past")
export const redoCell = (api: string): void => void saveStep(api, "future")

async function saveStep(api: string, from: "past" | "future"): Promise<void> {
  // The step of a save is known only when it ends.
  for (const [queue, saved] of queues) if (queue.startsWith(`${api}/`)) await saved
  const view = knownEnvironments(api)
  const step = nextStep(api, from, ({ place }) => cellDraft(place)?.status !== "saving")
  if (step === undefined || view === undefined) return
  const { place, intent, base } = step
  const name = `${visibleText(place.variable)} in ${visibleText(place.environment)}`
  if (intent === undefined) announce(`The earlier value of ${name} isn't kept, because it is secret.`)
  else if (baseOf(cellOf(view, place.environment, place.variable)) !== base)
    announce(`${name} has changed since. Its value stays.`)
  else saveCell(place, intent, base)
}

function faultOfIntent({ api, variable }: CellPlace, intent: CellIntent): CellFault | undefined {
  if (intent.does !== "set") return undefined
  const type = knownEnvironments(api)?.variables.find(({ name }) => name === variable)?.type
  const typed = type === undefined ? undefined : readTyped(intent.text, type)
  return typed !== undefined && "fault" in typed ? { message: typed.fault, hint: typed.hint } : undefined
}

async function write(place: CellPlace, draft: CellDraft): Promise<void> {
  const fail = (more: Pick<CellDraft, "fault" | "isConflict">): void => {
    const { intent } = cellDraft(place) ?? draft
    keepDraft(place, { intent, base: draft.base, status: "kept", ...more })
  }
  const { api, environment, variable } = place
  const view = knownEnvironments(api)
  const column = view?.environments.find(({ name }) => name === environment)
  if (view === undefined || column === undefined)
    return fail({ fault: { message: `The environment "${visibleText(environment)}" no longer exists.` } })
  if (baseOf(cellOf(view, environment, variable)) !== draft.base) return fail({ isConflict: true })
  try {
    const { etag } = await call("environments.write", {
      api,
      environment,
      etag: column.etag,
      ...changeOf(view, variable, draft.intent),
    })
    holdEtag(api, environment, etag)
    announce(`Saved ${visibleText(variable)} in ${visibleText(environment)}`)
    await readEnvironmentsAgain(api)
    noteWrite(place, view, draft.intent)
    goOn(place, draft)
  } catch (error) {
    const isConflict = error instanceof Refused && error.status === 409
    if (isConflict) await readEnvironmentsAgain(api)
    fail(isConflict ? { isConflict } : { fault: faultOf(error) })
  }
}

/** Bases a newer intent on the value that was just written. */
function goOn(place: CellPlace, written: CellDraft): void {
  const wanted = cellDraft(place)
  const view = knownEnvironments(place.api)
  if (wanted === undefined || view === undefined) return
  const base = baseOf(cellOf(view, place.environment, place.variable))
  if (wanted.status === "kept") return keepDraft(place, { ...wanted, base })
  dropDraft(place)
  if (wanted.intent !== written.intent) saveCell(place, wanted.intent, base)
}

interface Change {
  readonly set: Readonly<Record<string, CellValue>>
  readonly unset: readonly string[]
}

function changeOf(view: EnvironmentsView, variable: string, intent: CellIntent): Change {
  if (intent.does === "reset") return { set: {}, unset: [variable] }
  if (intent.does === "empty") return { set: { [variable]: null }, unset: [] }
  const type = view.variables.find(({ name }) => name === variable)?.type ?? "string"
  const typed = readTyped(intent.text, type)
  return { set: { [variable]: "value" in typed ? typed.value : intent.text }, unset: [] }
}
