// Plans of changes of declarations, as a page is shown them.

import { applyTextEdits, type WriteOptions } from "@callsheet/project"
import type { ChangePlan, SchemaChange } from "../calls/index.ts"
import { jsonText } from "../json-text.ts"
import { boundNotes } from "../plans/bound-notes.ts"
import { digestOf, type Plans, type WorkedOut } from "../plans/plans.ts"
import type { KeptOutside } from "../secrets/kept-outside.ts"
import { historyNotes } from "./history-notes.ts"
import { refuseChange } from "./refuse-change.ts"
import { showEdits } from "./show-edits.ts"
import { workOutChange, type ChangeOptions, type WorkedOutChange } from "./work-out-change.ts"

export interface SchemaPlansOptions extends ChangeOptions {
  readonly plans: Plans
  /** Drafts and reports, which may hold a value that becomes a secret. */
  readonly keptOutside?: readonly KeptOutside[]
  /** For tests: how files are written. */
  readonly write?: WriteOptions
}

/** Answers `schemas.plan`. */
export async function planSchema(
  { api, change }: { readonly api: string; readonly change: SchemaChange },
  options: SchemaPlansOptions,
): Promise<ChangePlan> {
  const worked = await workOutChange(api, change, options)
  const { edits, masker, hides } = worked
  const notes = [
    ...worked.notes,
    ...(await historyNotes(worked, options)),
    ...(await outsideNotes(worked, options)),
  ]
  const plan = options.plans.keep({
    digest: digestOf(edits),
    length: jsonText(change).length,
    workOut: async () => ready(await workOutChange(api, change, options), options),
  })
  return { plan, ...showEdits(edits, { masker, hides }), notes: boundNotes(notes) }
}

const ready = (
  { edits, title, masker, newSecrets }: WorkedOutChange,
  { root, write, keptOutside = [] }: SchemaPlansOptions,
): WorkedOut => ({
  digest: digestOf(edits),
  write: async () => {
    await applyTextEdits({ root, title, edits }, write).catch((error: unknown) => {
      throw refuseChange(error, masker)
    })
    if (newSecrets !== undefined) for (const { hide } of keptOutside) await hide(newSecrets)
  },
})

async function outsideNotes(
  { newSecrets, exposed }: WorkedOutChange,
  { keptOutside = [] }: SchemaPlansOptions,
): Promise<readonly string[]> {
  if (newSecrets === undefined) return []
  const told = await Promise.all(keptOutside.map(({ notes }) => notes(newSecrets)))
  const elsewhere =
    exposed.length === 0 ? [] : ["Reports that were written elsewhere, as in CI, may hold the values too."]
  return [...told.flat(), ...elsewhere]
}
