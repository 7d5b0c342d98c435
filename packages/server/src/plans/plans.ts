// Plans of changes: shown first, carried out once, and only while they would come out the same.

import { createHash, randomBytes } from "node:crypto"
import { CallsheetError } from "@callsheet/format"
import type { TextEdit } from "@callsheet/project"
import { messages } from "../messages.ts"
import { CallRefused, type Handlers } from "../handlers.ts"

export interface PlansOptions {
  readonly noteChange: () => void
  readonly now?: () => number
}

export interface WorkedOut {
  readonly digest: string
  /** Writes all of it or nothing. Throws as the page is to hear it, and `file-changed` where a file is another by then. */
  readonly write: () => Promise<unknown>
}

interface Planned {
  readonly digest: string
  readonly length: number
  readonly workOut: () => Promise<WorkedOut>
}

/** The oldest go: so many plans, with changes of so many characters. */
const MAX_PLANS = 32
const MAX_LENGTH = 4 * 1024 * 1024
const PLAN_MS = 10 * 60 * 1000

/** Texts are not kept: they are large, and hold secrets. */
interface KeptPlan extends Planned {
  readonly until: number
  /** Of the one time that it is carried out; absent before, and after it was refused. */
  outcome?: Promise<void>
}

export class Plans {
  readonly #noteChange: () => void
  readonly #now: () => number
  readonly #plans = new Map<string, KeptPlan>()

  constructor({ noteChange, now = () => performance.now() }: PlansOptions) {
    this.#noteChange = noteChange
    this.#now = now
  }

  readonly handlers: Pick<Handlers, "plans.apply"> = {
    "plans.apply": async ({ plan }) => {
      await this.#apply(plan)
      return {}
    },
  }

  keep(planned: Planned): string {
    const plan = randomBytes(32).toString("base64url")
    this.#plans.set(plan, { ...planned, until: this.#now() + PLAN_MS })
    let [count, sum] = [0, 0]
    for (const [name, each] of [...this.#plans].toReversed()) {
      count++
      sum += each.length
      const isTooMuch = name !== plan && (count > MAX_PLANS || sum > MAX_LENGTH)
      if (isTooMuch || each.until <= this.#now()) this.#plans.delete(name)
    }
    return plan
  }

  /** A plan that was carried out is remembered until it is too old, so that who has missed the answer gets it again. */
  #apply(plan: string): Promise<void> {
    const kept = this.#find(plan)
    kept.outcome ??= this.#carryOut(kept).catch((error: unknown) => {
      // Nothing was written: what stood in the way may be gone when it is asked for again.
      delete kept.outcome
      throw error
    })
    return kept.outcome
  }

  async #carryOut(kept: KeptPlan): Promise<void> {
    const { digest, write } = await kept.workOut().catch((error: unknown) => {
      // What could be planned then and cannot be now: files are others.
      throw error instanceof CallsheetError ? planChanged() : error
    })
    if (digest !== kept.digest) throw planChanged()
    try {
      await write()
    } catch (error) {
      throw isChanged(error) ? planChanged() : error
    } finally {
      this.#noteChange()
    }
  }

  #find(plan: string): KeptPlan {
    const kept = this.#plans.get(plan)
    if (kept !== undefined && this.#now() < kept.until) return kept
    this.#plans.delete(plan)
    throw new CallRefused(404, messages["plan-unknown"].unknown())
  }
}

/** Each text by its length, so that no two lists of edits are written alike. */
export function digestOf(edits: readonly TextEdit[]): string {
  const hash = createHash("sha256")
  for (const { file, before, after, isSecret } of edits) {
    hash.update(JSON.stringify([file, before?.length ?? null, after.length, isSecret]))
    hash.update(before ?? "").update(after)
  }
  return hash.digest("base64url")
}

const isChanged = (error: unknown): boolean =>
  error instanceof CallsheetError && error.code === "file-changed"

const planChanged = (): CallRefused => new CallRefused(409, messages["file-changed"].plan())
