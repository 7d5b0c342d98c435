// The one way out of a session. Nothing that a run says is seen before it is masked here, with all that is known by then.

import {
  CallsheetError,
  hasOnlyText,
  maskBlocks,
  maskEvent,
  maskProblem,
  maskReport,
  type BlockReport,
  type Finding,
  type JsonValue,
  type Listener,
  type Mask,
  type Report,
  type RunEvent,
  type RunEventType,
} from "@callsheet/format"
import { excerptOf } from "./excerpt.ts"
import { createMasker, MASK, type Masker } from "./mask.ts"
import { messages } from "./messages.ts"
import type { RunSecret } from "./session-options.ts"

/** Hears each event as it is made. What it shows later it can ask for again. */
export type LiveListener = (event: RunEvent, latest: Latest) => void

/** What was said before, as the session would say it now: masked with what it has learned since. */
export interface Latest {
  /** How many values the session has learned so far. What was said since the last one is as it would be said now. */
  readonly learned: () => number
  readonly event: <E extends RunEvent>(event: E) => E
  /** Masks in place. */
  readonly report: (report: Pick<Report, "runs">) => void
  /** Masks in place, with the blocks in them. */
  readonly blocks: (blocks: readonly BlockReport[]) => void
}

/** Hears the whole stream when the session is over, masked with all that the session has learned. */
export interface CompleteListener {
  readonly listen: Listener
  /** Which events are kept for it; by default all. */
  readonly reads?: readonly RunEventType[] | undefined
}

/** Masks a value from now on; `name` is where it is from. Returns a finding if it can't. */
type KeepSecret = (value: string | number | bigint, name: string) => Finding<"secrets-unmasked"> | undefined

export interface Outlet {
  /** Masks an event and tells it to everybody. */
  readonly emit: Listener
  /** Knows the secrets. What must be decided by them, and not shown, asks it. */
  readonly secrets: Masker
  readonly keepSecret: KeepSecret
  /** The error as it may be shown. */
  readonly errorOf: (error: unknown) => unknown
  /** Tells the complete listeners the stream. */
  readonly end: () => void
}

export interface OutletOptions {
  /** Whether a listener reads exchanges: then the values of a block are whole. */
  readonly exchanges: boolean
  readonly listen?: LiveListener | undefined
  readonly complete?: readonly CompleteListener[] | undefined
  /** Hears of each secret that the session learns. */
  readonly onSecret?: ((secret: RunSecret) => void) | undefined
}

/** Every text that is shown is searched for each of them. */
const MAX_SECRETS = 100_000
const MAX_CHARACTERS = 32 * 1024 * 1024

export function createOutlet(
  known: Iterable<RunSecret["value"]>,
  { exchanges, listen, complete = [], onSecret }: OutletOptions,
): Outlet {
  const secrets = createMasker(known)
  const excerpt = (value: JsonValue): JsonValue => excerptOf(value, secrets)
  const mask: Mask = { ...secrets, excerpt, detail: exchanges ? secrets.value : excerpt }
  const learned = createLearned(secrets)
  const backlog = createBacklog(complete, learned.latest)
  let count = 0
  let characters = 0
  return {
    secrets,
    emit: (event) => {
      const masked = secrets.knowsNone() && hasOnlyText(event) ? event : maskEvent(event, mask)
      if (complete.length > 0) backlog.keep(masked)
      listen?.(masked, learned.latest)
    },
    keepSecret: (value, name) => {
      if (secrets.knows(value)) return undefined
      const { length } = String(value)
      if (count >= MAX_SECRETS || characters + length > MAX_CHARACTERS)
        return messages["secrets-unmasked"].full(MAX_SECRETS, MAX_CHARACTERS)
      count++
      characters += length
      learned.learn(value)
      secrets.learn(value)
      backlog.outdate()
      onSecret?.({ name, value })
      return undefined
    },
    errorOf: (error) => (error instanceof CallsheetError ? maskError(error, mask) : error),
    end: backlog.tell,
  }
}

interface Learned {
  readonly learn: (value: RunSecret["value"]) => void
  readonly latest: Latest
}

/** Characters of a secret in which known ones are looked for. */
const MAX_COMPOSED = 4096

/** What the session has learned since it began. Costs nothing before it learns something. */
function createLearned(secrets: Masker): Learned {
  let mask: (Mask & Pick<Masker, "learn">) | undefined
  let count = 0
  return {
    learn: (value) => {
      count++
      if (mask === undefined) {
        const masker = createMasker([])
        mask = { ...masker, excerpt: masker.value, detail: masker.value }
      }
      mask.learn(value)
      // As it was shown so far, if a known secret is a part of it.
      const shown = typeof value === "string" && value.length <= MAX_COMPOSED ? secrets.text(value) : MASK
      if (shown !== MASK) mask.learn(shown)
    },
    latest: {
      learned: () => count,
      event: (event) => (mask === undefined ? event : maskEvent(event, mask)),
      report: (report) => mask && maskReport(report, mask),
      blocks: (blocks) => mask && maskBlocks(blocks, mask),
    },
  }
}

interface Backlog {
  readonly keep: Listener
  /** Marks all events so far as said before something was learned. */
  readonly outdate: () => void
  readonly tell: () => void
}

/** The events that complete listeners read. */
function createBacklog(complete: readonly CompleteListener[], latest: Latest): Backlog {
  const listeners = complete.map(({ listen, reads }) => ({
    listen,
    reads: reads === undefined ? undefined : new Set(reads),
  }))
  const isRead = ({ type }: RunEvent): boolean =>
    listeners.some(({ reads }) => reads === undefined || reads.has(type))
  // In pieces that are let go one by one: what a listener makes of the events takes their place in the memory.
  let pieces: (RunEvent[] | undefined)[] = []
  let last: RunEvent[] = []
  let count = 0
  let outdated = 0
  return {
    keep: (event) => {
      if (!isRead(event)) return
      if (count % PIECE === 0) pieces.push((last = []))
      last.push(event)
      count++
    },
    outdate: () => void (outdated = count),
    tell: () => {
      const all = pieces
      const known = outdated
      pieces = []
      count = 0
      outdated = 0
      for (const [number, piece = []] of all.entries()) {
        all[number] = undefined
        for (const [at, event] of piece.entries()) {
          const told = number * PIECE + at < known ? latest.event(event) : event
          for (const { listen, reads } of listeners)
            if (reads === undefined || reads.has(told.type)) listen(told)
        }
      }
    },
  }
}

const PIECE = 1024

function maskError(error: CallsheetError, mask: Mask): CallsheetError {
  const message = mask.text(error.message)
  const hint = error.hint === undefined ? undefined : mask.text(error.hint)
  const problems = error.problems.map((problem) => maskProblem(problem, mask))
  const isSame =
    message === error.message &&
    hint === error.hint &&
    problems.every((problem, at) => problem === error.problems[at])
  return isSame ? error : new CallsheetError({ code: error.code, message, hint }, { problems })
}
