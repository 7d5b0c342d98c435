// Plans of changes. The user previews a plan and applies it once. It is applied only if planning again gives the same
// result.

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
  /** Makes all changes or none. Throws errors for the page, and `file-changed` if a file has changed. */
  readonly write: () => Promise<unknown>
}

interface Planned {
  readonly digest: string
  readonly length: number
  readonly workOut: () => Promise<WorkedOut>
}

/** Above this number or this total size, the oldest plans are dropped. */
const MAX_PLANS = 32
const MAX_LENGTH = 4 * 1024 * 1024
const PLAN_MS = 10 * 60 * 1000

/** A plan without the contents of files, which are large and may be secret. */
interface KeptPlan extends Planned {
  readonly until: number
  /** The result of applying the plan. Absent before that, and after a refusal. */
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

  /** Applies a plan. Keeps the result until the plan expires, for a client that missed the answer. */
  #apply(plan: string): Promise<void> {
    const kept = this.#find(plan)
    kept.outcome ??= this.#carryOut(kept).catch((error: unknown) => {
      // Nothing was written, so the plan can be applied again after the cause is fixed.
      delete kept.outcome
      throw error
    })
    return kept.outcome
  }

  async #carryOut(kept: KeptPlan): Promise<void> {
    const { digest, write } = await kept.workOut().catch((error: unknown) => {
      // If planning fails now, files have changed.
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

/** Hashes edits with the length of each text, so that different edits never give the same input. */
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
