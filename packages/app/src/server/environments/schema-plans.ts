// Plans of changes of declarations: shown first, carried out once, and only while they would come out the same.

import { createHash, randomBytes } from "node:crypto"
import { CallsheetError } from "@callsheet/format"
import { applyTextEdits, type TextEdit, type WriteOptions } from "@callsheet/project"
import type { NoOutput, SchemaChange, SchemaPlan } from "../../api.ts"
import { CallRefused } from "../call-refused.ts"
import { jsonText } from "../json-text.ts"
import { historyNotes } from "./history-notes.ts"
import { refuseChange } from "./refuse-change.ts"
import { showEdits } from "./show-edits.ts"
import { workOutChange, type ChangeOptions, type WorkedOutChange } from "./work-out-change.ts"

export interface SchemaPlansOptions extends ChangeOptions {
  /** Files were changed. */
  readonly noteChange: () => void
  /** For tests: how files are written. */
  readonly write?: WriteOptions
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

/** The oldest go: so many plans, with changes of so many characters. */
const MOST_PLANS = 32
const MOST_LENGTH = 4 * 1024 * 1024
const PLAN_MS = 10 * 60 * 1000

const MOST_NOTES = 100
const LONGEST_NOTE = 2000

interface KeptPlan {
  readonly api: string
  readonly change: SchemaChange
  /** Of all texts before and after. The texts themselves are not kept: they are large, and hold secrets. */
  readonly digest: string
  readonly length: number
  readonly until: number
  /** Of the one time that it is carried out; absent before, and after it was refused. */
  outcome?: Promise<NoOutput>
}

export class SchemaPlans {
  readonly #options: SchemaPlansOptions
  readonly #now: () => number
  readonly #plans = new Map<string, KeptPlan>()

  constructor(options: SchemaPlansOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  async plan(api: string, change: SchemaChange): Promise<SchemaPlan> {
    const worked = await this.#workOut(api, change)
    const { edits, masker, hides } = worked
    const notes = [...worked.notes, ...(await historyNotes(worked, this.#options))]
    const plan = this.#keep(api, change, edits)
    return { plan, ...showEdits(edits, { masker, hides }), notes: bounded(notes) }
  }

  /** A plan that was carried out is remembered until it is too old, so that who has missed the answer gets it again. */
  async apply(plan: string): Promise<NoOutput> {
    const kept = this.#find(plan)
    kept.outcome ??= this.#carryOut(kept).catch((error: unknown) => {
      // Nothing was written: what stood in the way may be gone when it is asked for again.
      delete kept.outcome
      throw error
    })
    return kept.outcome
  }

  async #carryOut(kept: KeptPlan): Promise<NoOutput> {
    const { edits, title, masker } = await this.#workOut(kept.api, kept.change).catch((error: unknown) => {
      // What could be planned then and cannot be now: files are others.
      throw error instanceof CallsheetError ? planChanged() : error
    })
    if (digestOf(edits) !== kept.digest) throw planChanged()
    const { root, write, noteChange } = this.#options
    try {
      await applyTextEdits({ root, title, edits }, write)
    } catch (error) {
      throw isChanged(error) ? planChanged() : refuseChange(error, masker)
    } finally {
      noteChange()
    }
    return {}
  }

  #workOut(api: string, change: SchemaChange): Promise<WorkedOutChange> {
    return workOutChange(api, change, this.#options)
  }

  #keep(api: string, change: SchemaChange, edits: readonly TextEdit[]): string {
    const plan = randomBytes(32).toString("base64url")
    const { length } = jsonText(change)
    this.#plans.set(plan, { api, change, digest: digestOf(edits), length, until: this.#now() + PLAN_MS })
    let [count, sum] = [0, 0]
    for (const [name, each] of [...this.#plans].toReversed()) {
      count++
      sum += each.length
      const isTooMuch = name !== plan && (count > MOST_PLANS || sum > MOST_LENGTH)
      if (isTooMuch || each.until <= this.#now()) this.#plans.delete(name)
    }
    return plan
  }

  #find(plan: string): KeptPlan {
    const kept = this.#plans.get(plan)
    if (kept !== undefined && this.#now() < kept.until) return kept
    this.#plans.delete(plan)
    throw new CallRefused(404, "plan-unknown", "this plan is too old, or was made before a new start", {
      hint: "look at the change again, and then apply it",
    })
  }
}

/** Each text by its length, so that no two lists of edits are written alike. */
function digestOf(edits: readonly TextEdit[]): string {
  const hash = createHash("sha256")
  for (const { file, before, after, isSecret } of edits) {
    hash.update(JSON.stringify([file, before?.length ?? null, after.length, isSecret]))
    hash.update(before ?? "").update(after)
  }
  return hash.digest("base64url")
}

function bounded(notes: readonly string[]): readonly string[] {
  const shown = notes
    .slice(0, MOST_NOTES)
    .map((note) => (note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note))
  const more = notes.length - shown.length
  return more === 0 ? shown : [...shown, `There are ${more} more such notes.`]
}

const isChanged = (error: unknown): boolean =>
  error instanceof CallsheetError && error.code === "file-changed"

const planChanged = (): CallRefused =>
  new CallRefused(409, "file-changed", "a file has changed since the plan was shown", {
    hint: "nothing was written; look at the change again",
  })
