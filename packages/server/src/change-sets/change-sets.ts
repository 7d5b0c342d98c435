// Change sets. The user previews one and applies it once. It is applied only if working it out again gives the same
// result.

import { createHash, randomBytes } from "node:crypto"
import { CallsheetError } from "@callsheet/format"
import type { TextEdit } from "@callsheet/project"
import { messages } from "../messages.ts"
import { CallRefused, type Handlers } from "../handlers.ts"

export interface ChangeSetsOptions {
  readonly noteChange: () => void
  readonly now?: () => number
}

export interface WorkedOut {
  readonly digest: string
  /** Makes all changes or none. Throws errors for the page, and `file-changed` if a file has changed. */
  readonly write: () => Promise<unknown>
}

interface ChangeSet {
  readonly digest: string
  readonly length: number
  readonly workOut: () => Promise<WorkedOut>
}

/** Above this number or this total size, the oldest change sets are dropped. */
const MAX_CHANGE_SETS = 32
const MAX_LENGTH = 4 * 1024 * 1024
const CHANGE_SET_MS = 10 * 60 * 1000

/** A change set without the contents of files, which are large and may be secret. */
interface KeptChangeSet extends ChangeSet {
  readonly until: number
  /** The result of applying it. Absent before that, and after a refusal. */
  outcome?: Promise<void>
}

export class ChangeSets {
  readonly #noteChange: () => void
  readonly #now: () => number
  readonly #kept = new Map<string, KeptChangeSet>()

  constructor({ noteChange, now = () => performance.now() }: ChangeSetsOptions) {
    this.#noteChange = noteChange
    this.#now = now
  }

  readonly handlers: Pick<Handlers, "plans.apply"> = {
    "plans.apply": async ({ plan }) => {
      await this.#apply(plan)
      return {}
    },
  }

  keep(changeSet: ChangeSet): string {
    const id = randomBytes(32).toString("base64url")
    this.#kept.set(id, { ...changeSet, until: this.#now() + CHANGE_SET_MS })
    let [count, sum] = [0, 0]
    for (const [name, each] of [...this.#kept].toReversed()) {
      count++
      sum += each.length
      const isTooMuch = name !== id && (count > MAX_CHANGE_SETS || sum > MAX_LENGTH)
      if (isTooMuch || each.until <= this.#now()) this.#kept.delete(name)
    }
    return id
  }

  /** Applies a change set. Keeps the result until it expires, for a client that missed the answer. */
  #apply(id: string): Promise<void> {
    const kept = this.#find(id)
    kept.outcome ??= this.#carryOut(kept).catch((error: unknown) => {
      // Nothing was written, so the change set can be applied again after the cause is fixed.
      delete kept.outcome
      throw error
    })
    return kept.outcome
  }

  async #carryOut(kept: KeptChangeSet): Promise<void> {
    const { digest, write } = await kept.workOut().catch((error: unknown) => {
      // If that fails now, files have changed.
      throw error instanceof CallsheetError ? fileChanged() : error
    })
    if (digest !== kept.digest) throw fileChanged()
    try {
      await write()
    } catch (error) {
      throw isChanged(error) ? fileChanged() : error
    } finally {
      this.#noteChange()
    }
  }

  #find(id: string): KeptChangeSet {
    const kept = this.#kept.get(id)
    if (kept !== undefined && this.#now() < kept.until) return kept
    this.#kept.delete(id)
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

const fileChanged = (): CallRefused => new CallRefused(409, messages["file-changed"].plan())
