// Plans of changes of declarations: shown first, carried out once, and only while they would come out the same.

import { randomBytes } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { CallsheetError } from "@callsheet/format"
import { applyTextEdits, type TextEdit, type WriteOptions } from "@callsheet/project"
import type { NoOutput, SchemaChange, SchemaPlan } from "../../api.ts"
import { CallRefused } from "../call-refused.ts"
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

/** Plans that nobody has carried out; the oldest go. */
const MOST_PLANS = 16
const PLAN_MS = 10 * 60 * 1000

interface KeptPlan {
  readonly api: string
  readonly change: SchemaChange
  readonly edits: readonly TextEdit[]
  readonly until: number
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
    const plan = this.#keep({ api, change, edits, until: this.#now() + PLAN_MS })
    return { plan, files: showEdits(edits, { masker, hides }), notes }
  }

  /** The plan is gone, whatever becomes of it. */
  async apply(plan: string): Promise<NoOutput> {
    const kept = this.#take(plan)
    const { edits, title, masker } = await this.#workOut(kept.api, kept.change).catch((error: unknown) => {
      // What could be planned then and cannot be now: files are others.
      throw error instanceof CallsheetError ? planChanged() : error
    })
    if (!isDeepStrictEqual(edits, kept.edits)) throw planChanged()
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

  #keep(kept: KeptPlan): string {
    const plan = randomBytes(32).toString("base64url")
    this.#plans.set(plan, kept)
    for (const [name, { until }] of this.#plans)
      if (this.#plans.size > MOST_PLANS || until <= this.#now()) this.#plans.delete(name)
    return plan
  }

  #take(plan: string): KeptPlan {
    const kept = this.#plans.get(plan)
    this.#plans.delete(plan)
    if (kept !== undefined && this.#now() < kept.until) return kept
    throw new CallRefused(404, "plan-unknown", "this plan was carried out already, or is too old", {
      hint: "look at the change again, and then apply it",
    })
  }
}

const isChanged = (error: unknown): boolean =>
  error instanceof CallsheetError && error.code === "file-changed"

const planChanged = (): CallRefused =>
  new CallRefused(409, "file-changed", "a file has changed since the plan was shown", {
    hint: "nothing was written; look at the change again",
  })
