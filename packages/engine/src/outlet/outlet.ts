// The only output of a session. Masks every event with all known secrets before a listener receives it.

import {
  CallsheetError,
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
import type { Bugs } from "../session/bugs.ts"
import { excerptOf, excerptOfSides } from "../run/excerpt.ts"
import { separateJobs, type SourceEvents } from "../session/job-events.ts"
import { createMasker, MASK, type Masker } from "./mask.ts"
import { messages } from "../messages.ts"
import type { RunSecret } from "../session/session-options.ts"

/** Receives each event when it is emitted. To show the event again later, mask it again with `latest`. */
export type LiveListener = (event: RunEvent, latest: Latest) => void

/** Masks earlier output again, with the secrets that the session has learned since then. */
export interface Latest {
  /** Returns the number of secrets learned so far. Output that is newer than the last one needs no more masking. */
  readonly learned: () => number
  readonly event: <E extends RunEvent>(event: E) => E
  /** Masks a report in place. */
  readonly report: (report: Pick<Report, "runs" | "warnings">) => void
  /** Masks blocks in place, including nested ones. */
  readonly blocks: (blocks: readonly BlockReport[]) => void
}

/** Receives all events after the session, masked with every secret that the session has learned. */
export interface CompleteListener {
  readonly listen: Listener
  readonly reads?: readonly RunEventType[] | undefined
}

export interface CompleteListeners {
  readonly listeners: readonly CompleteListener[]
  /** Keeps the events until the session is over. */
  readonly kept: EventStore
}

/** Keeps events, each with the number of secrets that the session had learned by then, or a lower number. */
interface EventStore extends Iterable<{ readonly event: RunEvent; readonly learned: number }> {
  readonly add: (event: RunEvent, learned: number) => void
}

/** Masks a value from now on. `name` is its source. Returns a finding if that isn't possible. */
type KeepSecret = (value: string | number | bigint, name: string) => Finding<"secrets-unmasked"> | undefined

export interface Outlet {
  readonly emit: Listener
  /** Opens the next source of jobs, in the order of the schedule. */
  readonly openSource: () => SourceEvents
  /** The masker for decisions that depend on secrets. Its results aren't shown. */
  readonly secrets: Masker
  readonly keepSecret: KeepSecret
  readonly errorOf: (error: unknown) => unknown
  readonly end: () => void
}

export interface OutletOptions {
  readonly bugs: Bugs
  /** True if a listener reads exchanges. Values of blocks are then reported in full. */
  readonly exchanges: boolean
  /** True if jobs run concurrently. Listeners then receive the events of a job when it has ended. */
  readonly isConcurrent: boolean
  /** Receives the events of every run at once, also if runs are concurrent. */
  readonly watch: readonly LiveListener[]
  /** Receives one run after the other, in the order of the schedule. */
  readonly listen?: readonly LiveListener[] | undefined
  /** Receives one run after the other, in the order in which their jobs end. */
  readonly listenEnded?: LiveListener | undefined
  readonly complete?: CompleteListeners | undefined
  readonly onSecret?: ((secret: RunSecret) => void) | undefined
}

/** The maximum number of secrets that a run can add, because all output is searched for each of them. */
const MAX_SECRETS = 100_000
const MAX_CHARACTERS = 32 * 1024 * 1024

export function createOutlet(
  known: Iterable<RunSecret["value"]>,
  { bugs, exchanges, isConcurrent, complete, onSecret, ...listeners }: OutletOptions,
): Outlet {
  // A listener with a bug must keep neither the run nor other listeners from going on.
  const guarded = (group: readonly LiveListener[] = []) => group.map(bugs.guard)
  const [watching, listening] = [guarded(listeners.watch), guarded(listeners.listen)]
  const listenEnded = listeners.listenEnded && bugs.guard(listeners.listenEnded)
  const secrets = createMasker(known)
  const excerpt = (value: JsonValue): JsonValue => excerptOf(value, secrets)
  const mask: Mask = exchanges
    ? { ...secrets, excerpt, detail: secrets.value }
    : {
        ...secrets,
        excerpt,
        detail: excerpt,
        sides: (expected, actual) => excerptOfSides(expected, actual, secrets),
      }
  const learned = createLearned(secrets)
  const backlog = complete && createBacklog(complete, learned.latest)
  const receive = (event: RunEvent): RunEvent => {
    const masked = maskEvent(event, mask)
    for (const watch of watching) watch(masked, learned.latest)
    return masked
  }
  const keep = backlog && bugs.guard(backlog.keep)
  const inOrder: Listener = (event) => {
    keep?.(event)
    for (const listen of listening) listen(event, learned.latest)
  }
  const asEnded: Listener = (event) => listenEnded?.(event, learned.latest)
  const emit: Listener = (event) => {
    const masked = receive(event)
    inOrder(masked)
    asEnded(masked)
  }
  let count = 0
  let characters = 0
  return {
    secrets,
    emit,
    openSource: isConcurrent
      ? separateJobs({ latest: learned.latest, receive, inOrder, asEnded })
      : () => ({ open: () => ({ emit, end: doNothing }), close: doNothing }),
    keepSecret: (value, name) => {
      if (secrets.knows(value)) return undefined
      const { length } = String(value)
      if (count >= MAX_SECRETS || characters + length > MAX_CHARACTERS)
        return messages["secrets-unmasked"].full(MAX_SECRETS, MAX_CHARACTERS)
      count++
      characters += length
      learned.learn(value)
      secrets.learn(value)
      onSecret?.({ name, value })
      return undefined
    },
    errorOf: (error) => (error instanceof CallsheetError ? maskError(error, mask) : error),
    end: () => backlog?.deliver(bugs),
  }
}

const doNothing = (): void => undefined

/** The maximum length of a new secret that is itself searched for known secrets. */
const MAX_COMPOSED = 4096

/** Creates the list of secrets learned since the session began. Costs nothing until the first one. */
function createLearned(secrets: Masker) {
  let mask: (Mask & Pick<Masker, "learn">) | undefined
  let count = 0
  const latest: Latest = {
    learned: () => count,
    event: (event) => (mask === undefined ? event : maskEvent(event, mask)),
    report: (report) => mask && maskReport(report, mask),
    blocks: (blocks) => mask && maskBlocks(blocks, mask),
  }
  return {
    learn: (value: RunSecret["value"]): void => {
      count++
      if (mask === undefined) {
        const masker = createMasker([])
        mask = { ...masker, excerpt: masker.value, detail: masker.value }
      }
      mask.learn(value)
      // If the new value contains a known secret, earlier output shows it partly masked. Mask that form too.
      const shown = typeof value === "string" && value.length <= MAX_COMPOSED ? secrets.text(value) : MASK
      if (shown !== MASK) mask.learn(shown)
    },
    latest,
  }
}

function createBacklog({ listeners, kept }: CompleteListeners, latest: Latest) {
  const readers = listeners.map(({ listen, reads }) => ({
    listen,
    reads: reads === undefined ? undefined : new Set(reads),
  }))
  const isRead = ({ type }: RunEvent): boolean =>
    readers.some(({ reads }) => reads === undefined || reads.has(type))
  return {
    keep: (event: RunEvent): void => {
      if (isRead(event)) kept.add(event, latest.learned())
    },
    deliver: ({ guard }: Bugs): void => {
      for (const { event, learned } of kept) {
        const reported = learned === latest.learned() ? event : latest.event(event)
        for (const { listen, reads } of readers)
          if (reads === undefined || reads.has(reported.type)) guard(listen)(reported)
      }
    },
  }
}

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
